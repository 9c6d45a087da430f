/** Texts with what was found in them taken out: secrets, and what is private to another agent. */

import type { Call } from './call.ts'
import type { PartOptions } from './checks.ts'
import type { Finding, PrivateContext, Scrub, Scrubbed } from './ports.ts'

/** Stands for what another agent of the session holds for itself. */
export const privateMask = '[PRIVATE]'
export const privateRule = 'private-context'

export interface TextChecks {
  readonly scrub: Scrub
  readonly privacy: Pick<PrivateContext, 'mask'>
}

/**
 * The text as `reader` may have it, and the rules of what was in it. Masked first: what is private may hold a secret, and
 * around its token the rest would not be recognised.
 */
export function maskAndScrub(
  text: string,
  call: Pick<Call, 'tenant' | 'session'>,
  { scrub, privacy }: TextChecks,
  reader: string | undefined,
  key?: string,
): { readonly text: string; readonly rules: readonly string[] } {
  const masked = privacy.mask(text, call.session, reader)
  const scrubbed = scrub(masked.text, call, key)
  return { text: scrubbed.text, rules: [...masked.findings, ...scrubbed.findings].map(({ rule }) => rule) }
}

/** The text with the token of every finding in its place. They are in order and do not overlap. */
export function applyFindings(text: string, findings: readonly Finding[]): string {
  let clean = ''
  let from = 0
  for (const { start, end, token } of findings) {
    clean += text.slice(from, start) + token
    from = end
  }
  return clean + text.slice(from)
}

/**
 * What two looks at the same text found. Where they meet, all of it is private: a token would give the value of something
 * that is nobody's to see.
 */
export function bothFindings(text: string, scrubbed: Scrubbed, masked: Scrubbed): Scrubbed {
  if (masked.findings.length === 0) return scrubbed
  if (scrubbed.findings.length === 0) return masked
  const findings: Finding[] = []
  const all = [...scrubbed.findings, ...masked.findings].sort((a, b) => a.start - b.start || b.end - a.end)
  for (const finding of all) {
    const last = findings.at(-1)
    if (last === undefined || finding.start >= last.end) {
      findings.push(finding)
    } else if (last.token !== privateMask && finding.token !== privateMask) {
      throw new Error('the findings of one text overlap')
    } else {
      const end = Math.max(last.end, finding.end)
      findings[findings.length - 1] = { rule: privateRule, token: privateMask, start: last.start, end }
    }
  }
  return { text: applyFindings(text, findings), findings }
}

/**
 * A part of a longer text, looked at together with the text before it. Findings have their offsets in the part.
 */
export function cleanPart(
  text: string,
  look: (whole: string) => Scrubbed,
  { before = '', keepLines = false }: PartOptions = {},
): Scrubbed {
  const findings = look(before + text)
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
