/** Refusals by policy, which are also noted in the trail for the audit record. */

import type { Call, Principal } from '../../core/call.ts'
import type { ErrorCode, ErrorDetails } from '../../core/errors/errors.ts'
import { refusal, type Refusal } from '../../core/result.ts'
import type { PolicyDecision } from './evaluate.ts'
import type { RulePlace } from './rule-path.ts'

export function refuse(
  call: Pick<Call, 'trail'>,
  code: ErrorCode,
  details: ErrorDetails = {},
  place?: RulePlace,
): Refusal {
  call.trail.decision = 'deny'
  if (place !== undefined) call.trail.rule = place.path
  return refusal(code, { ...details, rule: place?.path, file: place?.file, line: place?.line })
}

export function refuseByRule(
  call: Pick<Call, 'server' | 'tool' | 'trail'>,
  { agent, level }: Principal,
  { rule, file, line, reason, required, justification, matched }: PolicyDecision,
): Refusal {
  const place: RulePlace = {
    path: rule,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
  }
  if (required !== undefined) return refuse(call, 'IDENTITY_LEVEL_TOO_LOW', { agent, level, required }, place)
  const where = file === undefined ? rule : `${rule} (${file}:${line})`
  const remedy =
    matched[0]?.path === rule
      ? `${where} forbids it: use something else, or ask the user to change that rule.`
      : `Use something else, or ask the user to allow it at ${where}.`
  const hint = justification === undefined ? remedy : `${justification.replace(/[^.!?]$/, '$&.')} ${remedy}`
  const { server, tool } = call
  const details = { agent, server: clip(server), tool: clip(tool), reason, justification, hint }
  return refuse(call, 'DENIED_BY_POLICY', details, place)
}

/** The name comes from the caller and may be very long. */
function clip(name: string): string {
  return name.length > 200 ? `${name.slice(0, 200)}…` : name
}
