/** Where in a text something stands that should be secret. */
export type SecretsIn = (text: string) => readonly { readonly start: number; readonly end: number }[]

/** A rule may hold a credential (`Bash(curl -H "…")`), and what we say of it is read by more people than its file. */
export function masked(text: string, secretsIn: SecretsIn): string {
  let result = ''
  let at = 0
  for (const { start, end } of secretsIn(text).toSorted((one, other) => one.start - other.start)) {
    if (start >= at) result += `${text.slice(at, start)}[SECRET]`
    at = Math.max(at, end)
  }
  return result + text.slice(at)
}

const scope = { session: 'permissions' }

/** Detects secrets with the rules of `@contextd/scrub`. */
export async function findSecretsIn(): Promise<SecretsIn> {
  const { createScrubber } = await import('@contextd/scrub')
  const scrubber = createScrubber()
  return (text) => scrubber.scrub(text, scope).findings.map(({ start, end }) => ({ start, end }))
}
