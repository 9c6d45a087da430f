/** One step of a pattern: any number of characters, or a predicate for one. */
type Step = '*' | ((character: string) => boolean)

/** Longer patterns match no valid name, and would be slow. */
const maxLength = 512

/** `*`, `?`, `[abc]`, `[a-z]` and `[!abc]`, as in shells and the older gateway. Case-sensitive. */
export function compileFnmatch(pattern: string): (name: string) => boolean {
  if (pattern.length > maxLength) return () => false
  const steps = stepsOf(pattern)
  return (name) => matches(steps, name)
}

export function fnmatch(pattern: string, name: string): boolean {
  return compileFnmatch(pattern)(name)
}

function matches(steps: readonly Step[], name: string): boolean {
  let step = 0
  let at = 0
  let star = -1
  let resumeAt = 0
  while (at < name.length) {
    const wanted = steps[step]
    if (wanted === '*') {
      star = step
      resumeAt = at
      step += 1
    } else if (wanted?.(name[at]!) === true) {
      step += 1
      at += 1
    } else if (star >= 0) {
      // Backtrack: the last star matches one more character.
      resumeAt += 1
      at = resumeAt
      step = star + 1
    } else return false
  }
  return steps.slice(step).every((rest) => rest === '*')
}

function stepsOf(pattern: string): Step[] {
  const steps: Step[] = []
  for (const [part] of pattern.matchAll(/\[!?\]?[^\]]*\]|[^]/g)) {
    if (part === '*') {
      if (steps.at(-1) !== '*') steps.push('*')
    } else if (part === '?') steps.push(() => true)
    else if (part.length > 2) steps.push(oneOf(part.slice(1, -1)))
    else steps.push((character) => character === part)
  }
  return steps
}

function oneOf(set: string): (character: string) => boolean {
  const isNegated = set.startsWith('!')
  const ranges = [...(isNegated ? set.slice(1) : set).matchAll(/([^])-([^])|[^]/g)].map(
    ([one, from = one, to = one]) => [from, to] as const,
  )
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== isNegated
}
