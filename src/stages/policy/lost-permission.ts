import type { Call } from '../../core/call.ts'
import { formatCapability } from '../../core/capability.ts'
import { lostCapabilities } from './capability-grants.ts'
import { evaluate, missingCapability } from './evaluate.ts'
import type { RuleSet } from './rule-set.ts'
import { termsOf } from './terms.ts'

/**
 * Why a call that still runs could not run like this under the current rules: its tool is no longer allowed, or a grant
 * that it runs with was taken away. Undefined if it could.
 */
export function lostPermission(rules: RuleSet, call: Call): string | undefined {
  const { principal, method, tool, resolvedTool, grants } = call
  const prefix = 'The rules changed while the command ran'
  if (principal === undefined) return `${prefix}, and its agent is not known.`
  const { agent, level } = principal
  const server = resolvedTool?.server ?? call.server
  const decision = evaluate(rules, { agent, level, server, tool, method, open: resolvedTool?.open === true })
  const terms = termsOf(principal, method, rules)
  if (decision.effect !== 'allow' || terms === undefined)
    return `${prefix}: ${decision.reason} [${decision.rule}].`
  const missing = missingCapability(rules, agent, resolvedTool?.needs ?? [])
  const lost =
    missing === undefined ? lostCapabilities(grants, terms.grants).map(formatCapability) : [missing.kind]
  return lost.length === 0 ? undefined : `${prefix}: ${lost.join(', ')} is no longer granted as before.`
}
