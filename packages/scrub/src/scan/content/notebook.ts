/** Reads Jupyter notebooks: the text of the cells, with its position in the file. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { jsonStrings, offsetInJson, type JsonString } from './json-strings.ts'

/** Text of a cell, an output, or the notebook's metadata. */
export interface NotebookPart {
  /** From 1. */
  readonly cell?: number
  readonly text: string
  /** Maps an offset in the text to one in the file. */
  locate(offset: number): number
}

/** Undefined if the document is not a notebook. */
export function readNotebook(document: string): NotebookPart[] | undefined {
  const strings = isNotebook(document) ? jsonStrings(document) : undefined
  if (strings === undefined) return undefined
  const parts: { id: string; cell?: number; strings: JsonString[] }[] = []
  for (const string of strings) {
    if (isPicture(string.path)) continue
    const { id, cell } = groupOf(string.path)
    const last = parts.at(-1)
    if (last?.id === id) last.strings.push(string)
    else parts.push({ id, strings: [string], ...(cell !== undefined && { cell }) })
  }
  return parts.map(({ cell, strings }) => joinStrings(document, strings, cell))
}

function isNotebook(document: string): boolean {
  try {
    const read = JSON.parse(document) as Json
    return isJsonObject(read) && Array.isArray(read.cells)
  } catch {
    return false
  }
}

/** Groups the lines of one source, output or error, and the other values of one object. */
function groupOf(path: JsonString['path']): { id: string; cell?: number } {
  if (path[0] !== 'cells' || typeof path[1] !== 'number') return { id: 'metadata' }
  const hasOwnGroup = typeof path.at(-1) === 'string' && isText(path)
  return { id: JSON.stringify(hasOwnGroup ? path : path.slice(0, -1)), cell: path[1] + 1 }
}

/** Text that the notebook displays, as one string or a list of lines. Other values have a key. */
function isText(path: JsonString['path']): boolean {
  const key = path.findLast((step) => typeof step === 'string')
  return key !== undefined && (textKeys.has(key) || key.startsWith('text/'))
}

const textKeys = new Set(['source', 'text', 'evalue'])

function isPicture(path: JsonString['path']): boolean {
  return path.some((step) => typeof step === 'string' && /^(?:image|audio|video|font)\//.test(step))
}

/** Other values are prefixed with their key, which may be what marks them as secrets. */
function joinStrings(
  document: string,
  strings: readonly JsonString[],
  cell: number | undefined,
): NotebookPart {
  let text = ''
  const pieces: { readonly from: number; readonly string: JsonString }[] = []
  for (const string of strings) {
    const key = string.path.at(-1)
    const needsKey = !isText(string.path)
    if (needsKey && typeof key === 'string') text += `${key}: `
    pieces.push({ from: text.length, string })
    text += needsKey ? `${string.value}\n` : string.value
  }
  return {
    ...(cell !== undefined && { cell }),
    text,
    locate(offset) {
      const piece = pieces.findLast(({ from }) => from <= offset) ?? pieces[0]
      if (piece === undefined) return 0
      const { from, string } = piece
      return offsetInJson(document, string, Math.max(0, Math.min(offset - from, string.value.length)))
    },
  }
}
