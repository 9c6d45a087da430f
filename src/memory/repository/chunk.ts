/** A part of a file that is found and shown as one. */
export interface Chunk {
  /** The symbols it declares, or the headings it stands under; empty where it has neither. */
  readonly name: string
  /** From 1, both inclusive. */
  readonly firstLine: number
  readonly lastLine: number
}

/** More than this is no answer to a question any more. */
const maxChunk = { lines: 60, characters: 4000 } as const

/** Whether these lines (from 1, both inclusive) are few and short enough to be one chunk. */
export function fitsChunk(lines: readonly string[], first: number, last: number): boolean {
  if (last - first >= maxChunk.lines) return false
  let characters = 0
  for (let line = first; line <= last; line++) characters += lines[line - 1]!.length + 1
  return characters <= maxChunk.characters || first === last
}

/** Chunks without the blank lines around them; none where nothing else is left. */
export function trimmed(lines: readonly string[], { name, firstLine, lastLine }: Chunk): Chunk[] {
  let [first, last] = [firstLine, lastLine]
  while (first <= last && isBlankText(lines[first - 1]!)) first++
  while (last >= first && isBlankText(lines[last - 1]!)) last--
  return first > last ? [] : [{ name, firstLine: first, lastLine: last }]
}

export function isBlankText(line: string): boolean {
  return line.trim() === ''
}
