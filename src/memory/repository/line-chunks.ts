/** Splits any text into chunks at blank lines and where indentation decreases. Pure. */

import { fitsChunk, isBlank, trimChunk, type Chunk } from './chunk.ts'

/**
 * A chunk ends at the best boundary that makes it neither tiny nor too long. `name` is the name of all chunks;
 * without it, each is named after its declarations.
 */
export function lineChunks(
  lines: readonly string[],
  range: { readonly first: number; readonly last: number } = { first: 1, last: lines.length },
  name?: string,
): Chunk[] {
  const chunks: Chunk[] = []
  for (let first = range.first; first <= range.last;) {
    const last = endOf(lines, first, range.last)
    const chunkName = name ?? declaredIn(lines, first, last)
    chunks.push(...trimChunk(lines, { name: chunkName, firstLine: first, lastLine: last }))
    first = last + 1
  }
  return chunks
}

/** Shorter parts are merged with what follows. */
const minLines = 12

function endOf(lines: readonly string[], first: number, end: number): number {
  let max = first
  while (max < end && fitsChunk(lines, first, max + 1)) max++
  if (max === end) return end
  let best = max
  let bestRank = -Infinity
  for (let last = Math.min(first + minLines - 1, max); last <= max; last++) {
    const rank = boundaryRank(lines, last)
    // The last of equally good boundaries, for fewer chunks.
    if (rank >= bestRank) [best, bestRank] = [last, rank]
  }
  return best
}

/**
 * How good a boundary after this line is: best before something with little indentation, preferably after a blank
 * line.
 */
function boundaryRank(lines: readonly string[], last: number): number {
  const next = lines[last]
  if (next === undefined) return Infinity
  const isNextBlank = isBlank(next)
  return (
    -indentation(lines, isNextBlank ? last + 1 : last) * 2 +
    (isBlank(lines[last - 1]!) || isNextBlank ? 3 : 0)
  )
}

/** Of the next nonblank line; closing brackets belong to their block. */
function indentation(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && isBlank(lines[at]!)) at++
  const line = lines[at] ?? ''
  const closes = /^\s*[)\]}]|^\s*(?:end|fi|done|esac)\b/.test(line)
  return Math.min(40, /^\s*/.exec(line)![0].replaceAll('\t', '    ').length) + (closes ? 8 : 0)
}

const declaration =
  /^\s*(?:(?:export|public|private|protected|internal|static|final|abstract|async|default|pub(?:\([a-z]+\))?|open|override|suspend|inline|virtual|extern|unsafe)\s+)*(?:function\*?|class|interface|type|enum|struct|trait|impl|module|namespace|record|object|protocol|def|defp|defmodule|fn|func|fun|sub|proc|macro_rules!|const|let|var|CREATE\s+(?:TABLE|VIEW|FUNCTION|INDEX))\s+(?:\([^)]{0,60}\)\s*)?([A-Za-z_$][\w$.]{0,80})/i
const maxNames = 4

/** The names that appear to be declared, outermost only. */
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
