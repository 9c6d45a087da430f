/** A part of a file that is found and shown as a unit. */
export interface Chunk {
  /** The symbols it declares, or the headings above it; may be empty. */
  readonly name: string
  /** From 1, both inclusive. */
  readonly firstLine: number
  readonly lastLine: number
}

/** A longer chunk would not answer a question anymore. */
const maxChunk = { lines: 60, characters: 4000 } as const

/** Whether these lines (from 1, both inclusive) fit into one chunk. */
export function fitsChunk(lines: readonly string[], first: number, last: number): boolean {
  if (last - first >= maxChunk.lines) return false
  let characters = 0
  for (let line = first; line <= last; line++) characters += lines[line - 1]!.length + 1
  return characters <= maxChunk.characters || first === last
}

/** The chunk without surrounding blank lines; empty if nothing else is left. */
export function trimChunk(lines: readonly string[], { name, firstLine, lastLine }: Chunk): Chunk[] {
  let [first, last] = [firstLine, lastLine]
  while (first <= last && isBlank(lines[first - 1]!)) first++
  while (last >= first && isBlank(lines[last - 1]!)) last--
  return first > last ? [] : [{ name, firstLine: first, lastLine: last }]
}

export function isBlank(line: string): boolean {
  return line.trim() === ''
}
