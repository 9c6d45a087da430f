/** Locates secrets in a text. */
export type SecretsIn = (text: string) => readonly { readonly start: number; readonly end: number }[]

/** A rule may contain a credential (`Bash(curl -H "…")`), and reports have more readers than the file. */
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
