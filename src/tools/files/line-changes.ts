/** Describes the changes of a text in lines. Pure. */

export interface LineChanges {
  readonly added: number
  readonly removed: number
  /**
   * The range of changed lines in the new text, with their surroundings; absent if lines were only removed in one
   * place.
   */
  readonly changed?: { readonly first: number; readonly last: number }
}

/** Texts with more differences are summarised: the number is for readers, not for programs. */
const maxSteps = 400

export function lineChanges(before: string, after: string): LineChanges {
  const old = diffLines(before)
  const now = diffLines(after)
  const shorter = Math.min(old.length, now.length)
  let head = 0
  while (head < shorter && old[head] === now[head]) head++
  let tail = 0
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++

  const oldMiddle = old.slice(head, old.length - tail)
  const newMiddle = now.slice(head, now.length - tail)
  const grown = newMiddle.length - oldMiddle.length
  const steps = minSteps(oldMiddle, newMiddle) ?? oldMiddle.length + newMiddle.length
  return {
    added: (steps + grown) / 2,
    removed: (steps - grown) / 2,
    ...(newMiddle.length > 0 && { changed: { first: head + 1, last: now.length - tail } }),
  }
}

/** Without the empty line after the last line end. */
export function diffLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/**
 * The minimal number of removed and added lines (Myers): how far each diagonal reaches with one more step per round.
 * Undefined if there are too many.
 */
function minSteps(old: readonly string[], now: readonly string[]): number | undefined {
  const furthest = new Map<number, number>([[1, 0]])
  for (let steps = 0; steps <= maxSteps; steps++) {
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const above = furthest.get(diagonal + 1) ?? -1
      const left = furthest.get(diagonal - 1) ?? -1
      let x = diagonal === -steps || (diagonal !== steps && left < above) ? above : left + 1
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x++
      if (x >= old.length && x - diagonal >= now.length) return steps
      furthest.set(diagonal, x)
    }
  }
  return undefined
}
