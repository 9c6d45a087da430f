/** What a new text changes, in lines. Pure. */

export interface LineChanges {
  readonly added: number
  readonly removed: number
  /** The lines of the new text that are or surround what changed; none where only lines at one place were removed. */
  readonly changed?: { readonly first: number; readonly last: number }
}

/** Texts that differ in more places are summed up: the number is for a reader, not for a program. */
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

/** Without the empty one behind the last line end. */
export function diffLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/**
 * The fewest lines to take away and to put in, together: how far along each diagonal so many steps lead, with one step
 * more in every round (Myers). Undefined where there are too many.
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
