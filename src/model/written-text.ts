/** The content of a file that a tool is about to change, and what of a tool's input is in it already. Pure. */

export interface WrittenText {
  has(text: string): boolean
  hasLine(line: string): boolean
  /**
   * The value as it is in the file, undefined where the file does not contain it. A value of several lines that was found
   * in a listing has line numbers in it, and line feeds where the file may have carriage returns as well. The answer has
   * line feeds alone then, like everything else that a model writes into such a file.
   */
  formOf(value: string): string | undefined
}

/** What tools that show a file put in front of a line: `     2\t`, `  2→`, `00002| `, `2: `. */
const lineNumber = /\n {0,12}\d{1,9}(?:\t|→|\| ?|: ?)/g

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
      const form = [value, value.replaceAll(lineNumber, '\n')].find(has)
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
