import type { Checked } from '../../src/core/checks.ts'
import type { HookSession } from '../../src/clients/claude-code/hooks/hook.ts'
import type { Scrubbed } from '../../src/core/ports.ts'
import { checkHere } from './checks.ts'

type CheckText = (text: string) => Scrubbed

const nothing: CheckText = (text) => ({ text, findings: [] })

/** The text checks of a session, with functions that find secrets and private context. */
export function sessionTexts(
  scrub: CheckText = nothing,
  mask: CheckText = nothing,
): Pick<HookSession, 'clean' | 'mask' | 'valuesOf'> {
  const check = checkHere({ scrub, privacy: { mask } })
  const whose = { tenant: 'local', session: 'session-1', reader: 'main' }
  return {
    clean: async (text, options) => check({ kind: 'text', value: text, ...options }, whose),
    mask: async (text) =>
      (await check({ kind: 'record', value: text, secrets: false }, whose)) as Checked<string>,
    valuesOf: () => new Map(),
  }
}
