/** What of a text an agent of a session may see: no secret, and nothing that another agent holds for itself. */

import { applyFindings, bothFindings } from '../../../core/findings.ts'
import type { Finding, Scrubbed } from '../../../core/ports.ts'
import type { Hook, HookPayload, HookSession } from './hook.ts'

export interface CleanOptions {
  /** What stands before the text: it was passed on already, and it may say what the first lines are. */
  readonly before?: string
  /** A secret of many lines leaves as many behind, so that line numbers stay right. */
  readonly keepLines?: boolean
}

/** Throws where it cannot vouch for the text. Findings have their offsets in `text`. */
export function cleanText(
  text: string,
  session: Pick<HookSession, 'scrub' | 'mask'>,
  { before = '', keepLines = false }: CleanOptions = {},
): Scrubbed {
  const whole = before + text
  const findings = bothFindings(whole, session.scrub(whole), session.mask(whole))
    .findings.filter(({ end }) => end > before.length)
    .map(({ rule, start, end, token }) => ({
      rule,
      start: Math.max(0, start - before.length),
      end: end - before.length,
      token,
    }))
  const put = keepLines
    ? findings.map((one) => ({ ...one, token: one.token + linesIn(text, one) }))
    : findings
  return { text: applyFindings(text, put), findings }
}

function linesIn(text: string, { start, end }: Finding): string {
  return '\n'.repeat(text.slice(start, end).split('\n').length - 1)
}

/**
 * For whoever passes on text as it comes, such as the output of a command: `text` as the agent may see it, with `before`
 * as what came just ahead of it.
 */
export const scrubText: Hook = async (payload, ports) => {
  const { text, before } = payload as HookPayload & { text?: unknown; before?: unknown }
  if (typeof text !== 'string') throw new Error('the payload has no text')
  const session = await ports.session()
  return { text: cleanText(text, session, typeof before === 'string' ? { before } : {}).text }
}
