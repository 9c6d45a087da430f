import { scopeOf, type Call, type Scope } from '../../core/call.ts'
import type { BranchBudget, CountTokens, Refs } from '../../core/ports.ts'
import { refusal, type Refusal, type Result } from '../../core/result.ts'
import type { Stage } from '../../core/stage.ts'
import type { Catalogue } from '../../core/tool.ts'
import type { Store } from '../../platform/storage/store.ts'
import { fitFault } from './fit-fault.ts'
import { fitAnswer, LEAST_ANSWER_TOKENS } from './fit-result.ts'
import { createSessionUsage } from './session-usage.ts'

export interface BudgetStageOptions {
  readonly store: Store
  readonly refs: Refs
  readonly count: CountTokens
  /** Tokens one answer may have where its tool says nothing else. */
  readonly answerTokens: number
  /** What the catalogue knows by this name. */
  readonly find: Catalogue['find']
  /** Tokens the rules let this caller have in this session; undefined for any number. */
  readonly sessionLimit?: (call: Call) => number | undefined
  readonly branch?: BranchBudget
}

/** Refuses when nothing is left to spend; on the way back cuts the answer to what is, and keeps the rest behind a ref. */
export function budgetStage({
  store,
  refs,
  count,
  answerTokens,
  find,
  sessionLimit,
  branch,
}: BudgetStageOptions): Stage {
  const usage = createSessionUsage(store)

  const exhausted = (call: Call, scope: Scope): Refusal | undefined => {
    const limit = sessionLimit?.(call)
    if (limit !== undefined && limit - usage.used(scope) < LEAST_ANSWER_TOKENS) {
      return refusal('BUDGET_EXHAUSTED', { scope: 'session', limit })
    }
    const left = branch?.remaining(call)
    if (left === undefined || left >= LEAST_ANSWER_TOKENS) return undefined
    return refusal('BUDGET_EXHAUSTED', {
      scope: 'branch',
      limit: branch?.limit(call),
      hint: 'Return from the branch with what you have.',
    })
  }

  return async (call, next) => {
    if (call.method !== 'tool') return next(call)
    if (call.principal === undefined) return refusal('IDENTITY_REQUIRED')
    const scope = scopeOf(call, call.principal)
    const tool = find(call.tool, call.server)
    const isFree = tool?.free === true
    const refused = isFree ? undefined : exhausted(call, scope)
    if (refused !== undefined) return refused

    const result = await next(call)
    if (result.kind !== 'answer' && result.kind !== 'fault') return result

    const fitTo = (left: number): { readonly result: Result; tokens: number; truncated: boolean } => {
      const spendable = isFree ? Infinity : Math.min(left, branch?.remaining(call) ?? Infinity)
      const options = {
        limit: Math.max(LEAST_ANSWER_TOKENS, Math.min(spendable, tool?.maxTokens ?? answerTokens)),
        left: spendable,
        count,
        keep: tool?.keep ?? 'head',
        save: (text: string) => refs.save(scope, text),
      } as const
      if (result.kind === 'fault') {
        const { fault, tokens, truncated } = fitFault(result, options)
        return { result: fault, tokens, truncated }
      }
      const { answer, tokens, truncated } = fitAnswer(result, options)
      return { result: answer, tokens, truncated }
    }
    const limit = sessionLimit?.(call)
    const fitted = limit === undefined ? fitTo(Infinity) : usage.charge(scope, (used) => fitTo(limit - used))
    branch?.charge(call, fitted.tokens)
    call.trail.tokens = fitted.tokens
    if (fitted.truncated) call.trail.truncated = true
    return fitted.result
  }
}
