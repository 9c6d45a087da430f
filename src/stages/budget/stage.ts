import { scopeOf, type Call, type Scope } from '../../core/call.ts'
import { callerKey, checkFor, sizeOf } from '../../core/checks.ts'
import type { BranchBudget, BranchUsage, CountTokens, Refs } from '../../core/ports.ts'
import { refusal, type Refusal, type Result } from '../../core/result.ts'
import type { Stage } from '../../core/stage.ts'
import { addNotes } from '../../core/trail.ts'
import type { Store } from '../../platform/storage/store.ts'
import { createTurns } from '../../platform/workers/turns.ts'
import { branchRoom } from './branch-room.ts'
import { fitFault } from './fit-fault.ts'
import { fitAnswer, LEAST_ANSWER_TOKENS } from './fit-result.ts'
import type { HandleModel } from './model-budget.ts'
import { createSessionUsage } from './session-usage.ts'

export interface BudgetStageOptions {
  readonly store: Store
  readonly refs: Refs
  readonly count: CountTokens
  /** Tokens one answer may have where its tool says nothing else. */
  readonly answerTokens: number
  /** Tokens the rules let this caller have in this session; undefined for any number. */
  readonly sessionLimit?: (call: Call) => number | undefined
  readonly branch?: BranchBudget
  /** For requests to a model. */
  readonly model: HandleModel
}

/** Cutting and storing a larger answer takes milliseconds, about 20 for a megabyte: they wait for a turn. */
const maxSizeAtOnce = 65_536

interface Settled {
  readonly result: Result
  readonly tokens: number
  readonly truncated: boolean
}

/** Refuses when nothing is left to spend; on the way back cuts the answer to what is, and keeps the rest behind a ref. */
export function budgetStage({
  store,
  refs,
  count,
  answerTokens,
  sessionLimit,
  branch,
  model,
}: BudgetStageOptions): Stage {
  const usage = createSessionUsage(store)
  const turns = createTurns()

  const exhausted = (call: Call, scope: Scope, entered: BranchUsage | undefined): Refusal | undefined => {
    const limit = sessionLimit?.(call)
    if (limit !== undefined && limit - usage.used(scope) < LEAST_ANSWER_TOKENS) {
      return refusal('BUDGET_EXHAUSTED', { scope: 'session', limit })
    }
    if (entered === undefined || leftOf(entered) >= LEAST_ANSWER_TOKENS) return undefined
    return refusal('BUDGET_EXHAUSTED', {
      scope: 'branch',
      limit: entered.budget,
      branch: entered.id,
      hint: 'Call `return` now: say what you found and what is pending.',
    })
  }

  return async (asked, next) => {
    if (asked.method === 'model') return model(asked, next)
    if (asked.method !== 'tool') return next(asked)
    if (asked.principal === undefined) return refusal('IDENTITY_REQUIRED')
    const { resolvedTool: tool } = asked
    const isFree = tool?.free?.(asked.arguments) === true
    const scope = scopeOf(asked, asked.principal)
    const entered = branch?.enter(asked)
    if (entered !== undefined && 'kind' in entered) return entered
    const call = entered === undefined ? asked : { ...asked, branch: entered.id }
    if (entered !== undefined) addNotes(call.trail, [`in branch ${entered.id}`])
    const refused = isFree ? undefined : exhausted(call, scope, entered)
    if (refused !== undefined) return refused

    const result = await next(call)
    if (result.kind !== 'answer' && result.kind !== 'fault') return result
    if (sizeOf(result, maxSizeAtOnce) > maxSizeAtOnce) await turns.take(callerKey(checkFor(call, undefined)))

    const limit = sessionLimit?.(call)
    const ordinary = tool?.maxTokens ?? answerTokens
    const settle = (): Settled => {
      // The call may have ended its branch: what it is answered belongs to the one around it.
      const here = entered && branch?.usageOf(entered.id)
      const isNew = here?.id === entered?.id && entered?.isNew === true
      const room = here && branchRoom(here, { result, ordinary, isFree, isNew }, count)
      const used = limit === undefined ? 0 : usage.used(scope)
      const left = Math.min((limit ?? Infinity) - used, here === undefined ? Infinity : leftOf(here))
      const spendable = isFree ? Infinity : left
      // What was still under way when somebody else ended the branch is the branch's all the same.
      const kept = isFree ? here?.id : entered?.id
      const keeper = kept === undefined ? scope : { ...scope, branch: kept }
      const options = {
        limit: Math.max(LEAST_ANSWER_TOKENS, Math.min(spendable, room?.limit ?? ordinary)),
        left: spendable,
        count,
        keep: tool?.keep ?? 'head',
        save: (text: string) => refs.save(keeper, text),
      } as const
      const settled = ((): Settled => {
        if (result.kind === 'fault') {
          const { fault, tokens, truncated } = fitFault(result, options)
          return { result: fault, tokens, truncated }
        }
        const fitted = fitAnswer(result, options)
        const { answer, tokens, truncated } = room?.tell(fitted, spendable) ?? fitted
        return { result: answer, tokens, truncated }
      })()
      const { tokens } = settled
      if (limit !== undefined) usage.set(scope, used + tokens)
      if (here !== undefined && room !== undefined) {
        branch?.charge(call, here.id, { returned: tokens, produced: room.produced(tokens) })
      }
      return settled
    }
    // Alone while it works: what it reads is still true when what it spends is added.
    const settled = limit === undefined && entered === undefined ? settle() : store.transaction(settle)
    call.trail.tokens = settled.tokens
    if (settled.truncated) call.trail.truncated = true
    return settled.result
  }
}

function leftOf({ budget, used }: BranchUsage): number {
  return budget - used
}
