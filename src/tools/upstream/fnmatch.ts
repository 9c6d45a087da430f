import { matchesWildcards } from '@contextd/shared/text/wildcard'

/** One step of a pattern: any number of characters, or a predicate for one. */
type Step = '*' | ((character: string) => boolean)

/** Longer patterns match no valid name, and would be slow. */
const maxLength = 512

/** `*`, `?`, `[abc]`, `[a-z]` and `[!abc]`, as in shells and the older gateway. Case-sensitive. */
export function compileFnmatch(pattern: string): (name: string) => boolean {
  if (pattern.length > maxLength) return () => false
  const steps = stepsOf(pattern)
  return (name) => matchesWildcards(steps, name, (step) => step === '*', matchesStep)
}

export function fnmatch(pattern: string, name: string): boolean {
  return compileFnmatch(pattern)(name)
}

function matchesStep(step: Step, character: string): boolean {
  return typeof step === 'function' && step(character)
}

function stepsOf(pattern: string): Step[] {
  const steps: Step[] = []
  for (const [part] of pattern.matchAll(/\[!?\]?[^\]]*\]|[^]/g)) {
    if (part === '*') steps.push('*')
    else if (part === '?') steps.push(() => true)
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
