/** Limits an agent's model usage: requests are refused when it is exhausted, and usage is counted from responses. */

import { callerName, exchangeOf, type Call, type Scope } from '../../core/call.ts'
import { refusal, type Refusal, type Result } from '../../core/result.ts'
import type { Next } from '../../core/stage.ts'
import type { ModelUsageBook } from './model-usage.ts'

/** A limit with its position in the rules. */
export interface PlacedLimit {
  readonly limit: number
  readonly rule?: string
  readonly file?: string
  readonly line?: number
}

export interface ModelLimits {
  readonly perSession?: PlacedLimit
  readonly perDay?: PlacedLimit
}

export interface ModelBudgetOptions {
  readonly usage: ModelUsageBook
  readonly limitsOf: (call: Call) => ModelLimits
}

export type HandleModel = (call: Call, next: Next) => Promise<Result>

export function createModelBudget({ usage, limitsOf }: ModelBudgetOptions): HandleModel {
  const exhausted = (call: Call, scope: Scope): Refusal | undefined => {
    const { perSession, perDay } = limitsOf(call)
    if (perSession !== undefined && usage.inSession(scope) >= perSession.limit) {
      return refused(call, scope, 'session', perSession)
    }
    if (perDay !== undefined && usage.today(scope) >= perDay.limit) return refused(call, scope, 'day', perDay)
    return undefined
  }
  return async (call, next) => {
    const scope = scopeFor(call)
    const { provider, report, isCharged } = exchangeOf(call)
    const exhaustedRefusal = isCharged ? exhausted(call, scope) : undefined
    if (exhaustedRefusal !== undefined) return exhaustedRefusal
    try {
      return await next(call)
    } finally {
      // Also for incomplete and cancelled responses, which the provider charges too.
      usage.add(scope, provider, report())
    }
  }
}

function refused(
  { trail }: Call,
  { agent }: Scope,
  scope: 'session' | 'day',
  { limit, ...place }: PlacedLimit,
): Refusal {
  trail.decision = 'deny'
  if (place.rule !== undefined) trail.rule = place.rule
  const who = agent === '' ? 'Requests of unknown agents' : `Agent ${agent}`
  return refusal('MODEL_BUDGET_EXHAUSTED', { who, agent, limit, scope, ...place })
}

/** The agent in the rules, or else the name the caller claims. */
function scopeFor(call: Call): Scope {
  const { tenant, project, session, principal } = call
  return { tenant, project, session, agent: principal?.agent ?? callerName(call) }
}
