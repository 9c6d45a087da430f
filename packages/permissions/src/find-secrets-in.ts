import type { SecretsIn } from './findings/masked.ts'

const scope = { session: 'permissions' }

/** Locates secrets with the rules of `@contextd/scrub`. */
export async function findSecretsIn(): Promise<SecretsIn> {
  const { createScrubber } = await import('@contextd/scrub')
  const scrubber = createScrubber()
  return (text) => scrubber.scrub(text, scope).findings.map(({ start, end }) => ({ start, end }))
}
