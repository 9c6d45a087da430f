import { OWN_SERVER, type Call, type Claims } from '../core/call.ts'
import { describeError, type ErrorObject } from '../core/errors/errors.ts'
import type { Catalogue } from '../core/tool.ts'
import { newTrail } from '../core/trail.ts'
import { resolveIdentity } from '../stages/identity/resolve-identity.ts'
import { principalsOf } from '../stages/policy/access.ts'
import { evaluate, missingCapability } from '../stages/policy/evaluate.ts'
import { refuseByRule } from '../stages/policy/refusals.ts'
import type { RuleSet } from '../stages/policy/rule-set.ts'

/** What the rules would decide about a future call. */
export type PreviewedDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly error: ErrorObject }

/**
 * Previews calls of our own tools. Undefined for other tools, which depend on the arguments or the client's own
 * rules.
 */
export function createDecisionPreview(
  rules: () => RuleSet,
  find: Catalogue['find'],
): (claims: Claims, tool: string) => PreviewedDecision | undefined {
  return (claims, name) => {
    const tool = find(name)
    if (tool?.server !== OWN_SERVER) return undefined
    const current = rules()
    const identity = resolveIdentity(claims, {}, current)
    if ('code' in identity) return { allowed: false, error: describeError(identity.code, identity.details) }
    const { agent, level } = identity.principal
    const about = { server: OWN_SERVER, tool: name }
    const decision = evaluate(current, { agent, level, ...about, method: 'tool', open: tool.open === true })
    if (decision.effect !== 'allow') {
      const { error } = refuseByRule({ ...about, trail: newTrail() }, identity.principal, decision)
      return { allowed: false, error }
    }
    const missing = missingCapability(current, agent, tool.needs)
    if (missing === undefined) return { allowed: true }
    const { kind: capability, place } = missing
    return {
      allowed: false,
      error: describeError('CAPABILITY_NOT_GRANTED', { agent, capability, rule: place?.path }),
    }
  }
}

/**
 * Which of our tools among these a caller will find in its list. Someone who is not identified yet could be any agent of
 * the rules, as for a list.
 */
export function createToolPreview(
  rules: () => RuleSet,
  find: Catalogue['find'],
): (call: Call, names: readonly string[]) => ReadonlySet<string> {
  return (call, names) => {
    const current = rules()
    const identity = resolveIdentity(call.claims, {}, current)
    const known = 'code' in identity ? call : { ...call, principal: identity.principal }
    const principals = principalsOf(known, current)
    const isListed = (name: string): boolean => {
      const tool = find(name)
      if (tool?.server !== OWN_SERVER || tool.isUseful?.(known) === false) return false
      const question = { server: OWN_SERVER, tool: name, method: 'tool', open: tool.open === true } as const
      return principals.some(
        ({ agent, level }) =>
          evaluate(current, { agent, level, ...question }).effect === 'allow' &&
          missingCapability(current, agent, tool.needs) === undefined,
      )
    }
    return new Set(names.filter(isListed))
  }
}
