/** Removes findings from texts: secrets, and other agents' private context. */

import type { Call } from './call.ts'
import type { PartOptions } from './checks.ts'
import type { Finding, PrivateContext, Scrub, Scrubbed } from './ports.ts'

/** Replaces private context of another agent of the session. */
export const privateMask = '[PRIVATE]'
export const privateRule = 'private-context'

export interface TextChecks {
  readonly scrub: Scrub
  readonly privacy: Pick<PrivateContext, 'mask'>
}

/**
 * The text as `reader` may see it, and the rules that matched. Masking comes first: private context may contain a
 * secret, and once a token replaces that, the rest would not be recognized.
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

/** Replaces each finding with its token. Findings must be in order and not overlap. */
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
 * Merges scrubber and privacy findings in the same text. Overlapping findings become private as a whole: a token
 * could restore a value that belongs to another agent.
 */
export function mergeFindings(text: string, scrubbed: Scrubbed, masked: Scrubbed): Scrubbed {
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

/** Checks a part of a longer text together with the text before it. Offsets of findings are relative to the part. */
export function cleanPart(
  text: string,
  check: (text: string) => Scrubbed,
  { before = '', keepLines = false }: PartOptions = {},
): Scrubbed {
  const findings = check(before + text)
    .findings.filter(({ end }) => end > before.length)
    .map(({ rule, start, end, token }) => ({
      rule,
      start: Math.max(0, start - before.length),
      end: end - before.length,
      token,
    }))
  const inserted = keepLines
    ? findings.map((one) => ({ ...one, token: one.token + linesIn(text, one) }))
    : findings
  return { text: applyFindings(text, inserted), findings }
}

function linesIn(text: string, { start, end }: Finding): string {
  return '\n'.repeat(text.slice(start, end).split('\n').length - 1)
}
