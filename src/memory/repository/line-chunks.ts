/** Cuts text of any kind into chunks, at blank lines and where the indentation goes back. Pure. */

import { fitsChunk, isBlankText, trimmed, type Chunk } from './chunk.ts'

/**
 * A chunk ends at the best border that leaves it neither tiny nor too long. `name` is what all of them stand under;
 * without one, each is called after what is declared in it.
 */
export function lineChunks(
  lines: readonly string[],
  range: { readonly first: number; readonly last: number } = { first: 1, last: lines.length },
  name?: string,
): Chunk[] {
  const chunks: Chunk[] = []
  for (let first = range.first; first <= range.last;) {
    const last = endOf(lines, first, range.last)
    const named = name ?? declaredIn(lines, first, last)
    chunks.push(...trimmed(lines, { name: named, firstLine: first, lastLine: last }))
    first = last + 1
  }
  return chunks
}

/** What is shorter goes with what follows. */
const shortest = 12

function endOf(lines: readonly string[], first: number, end: number): number {
  let longest = first
  while (longest < end && fitsChunk(lines, first, longest + 1)) longest++
  if (longest === end) return end
  let best = longest
  let bestRank = -Infinity
  for (let last = Math.min(first + shortest - 1, longest); last <= longest; last++) {
    const rank = borderRank(lines, last)
    // Of equal borders the latest: fewer chunks.
    if (rank >= bestRank) [best, bestRank] = [last, rank]
  }
  return best
}

/** How good it is to cut behind this line: before something that begins far left, best of all with a blank line between. */
function borderRank(lines: readonly string[], last: number): number {
  const next = lines[last]
  if (next === undefined) return Infinity
  const isOpen = isBlankText(next)
  return -indentation(lines, isOpen ? last + 1 : last) * 2 + (isBlankText(lines[last - 1]!) || isOpen ? 3 : 0)
}

/** Of the first line from there on that is not blank; what closes a block belongs to the block. */
function indentation(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && isBlankText(lines[at]!)) at++
  const line = lines[at] ?? ''
  const closes = /^\s*[)\]}]|^\s*(?:end|fi|done|esac)\b/.test(line)
  return Math.min(40, /^\s*/.exec(line)![0].replaceAll('\t', '    ').length) + (closes ? 8 : 0)
}

const declaration =
  /^\s*(?:(?:export|public|private|protected|internal|static|final|abstract|async|default|pub(?:\([a-z]+\))?|open|override|suspend|inline|virtual|extern|unsafe)\s+)*(?:function\*?|class|interface|type|enum|struct|trait|impl|module|namespace|record|object|protocol|def|defp|defmodule|fn|func|fun|sub|proc|macro_rules!|const|let|var|CREATE\s+(?:TABLE|VIEW|FUNCTION|INDEX))\s+(?:\([^)]{0,60}\)\s*)?([A-Za-z_$][\w$.]{0,80})/i
const maxNames = 4

/** The names of what seems to be declared, the outermost first. */
function declaredIn(lines: readonly string[], first: number, last: number): string {
  const names: { name: string; depth: number }[] = []
  for (const line of lines.slice(first - 1, last)) {
    const name = declaration.exec(line.slice(0, 400))?.[1]
    if (name !== undefined) names.push({ name, depth: line.search(/\S/) })
  }
  const outermost = Math.min(...names.map(({ depth }) => depth))
  const outer = names.filter(({ depth }) => depth === outermost).map(({ name }) => name)
  return [...new Set(outer)].slice(0, maxNames).join(', ')
}
