/** The content of a file that a tool is about to change, and what of a tool's input is in it already. Pure. */

import { formIn } from '../core/secret-forms.ts'

export interface WrittenText {
  has(text: string): boolean
  hasLine(line: string): boolean
  /**
   * The value as it is in the file, undefined where the file does not contain it: without the line numbers of a listing,
   * and with line feeds alone where it was seen so, because clients compare and write such files that way.
   */
  formOf(value: string): string | undefined
}

export function createWrittenText(content: string): WrittenText {
  const unix = content.replaceAll('\r\n', '\n')
  // An input may have a token many times, and a file may be large.
  const forms = new Map<string, string | undefined>()
  const found = new Map<string, boolean>()
  let lines: ReadonlySet<string> | undefined

  const has = (text: string): boolean => {
    const isThere = found.get(text) ?? (content.includes(text) || unix.includes(text))
    found.set(text, isThere)
    return isThere
  }
  return {
    has,
    hasLine(line) {
      lines ??= new Set(unix.split('\n'))
      return lines.has(line)
    },
    formOf(value) {
      if (forms.has(value)) return forms.get(value)
      const form = content.includes(value) ? value : formIn(unix, value)
      forms.set(value, form)
      return form
    },
  }
}

/** The text of a notebook's cells as models see it: in the file it is JSON, a string for each line. */
export function notebookText(content: string): string {
  const texts: string[] = []
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
      texts.push(value.join(''))
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
  }
  try {
    walk(JSON.parse(content))
  } catch {
    // Not a notebook, or nested too deep to be one.
  }
  return texts.join('\n')
}
