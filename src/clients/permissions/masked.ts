import type { ClaudeSetup } from '../claude-code/permissions/setup.ts'

export type SecretsIn = ClaudeSetup['secretsIn']

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
