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
import { fitAnswer, MIN_ANSWER_TOKENS } from './fit-result.ts'
import type { HandleModel } from './model-budget.ts'

export interface BudgetStageOptions {
  readonly store: Store
  readonly refs: Refs
  readonly count: CountTokens
  /** Max tokens of an answer unless its tool defines another limit. */
  readonly answerTokens: number
  /** Tokens the rules allow this caller in this session; undefined if unlimited. */
  readonly sessionLimit?: (call: Call) => number | undefined
  readonly branch?: BranchBudget
  /** Handles requests to a model. */
  readonly model: HandleModel
}

/** Shrinking and storing a larger answer takes milliseconds, about 20 per megabyte, so it waits for its turn. */
const maxSizeAtOnce = 65_536

interface Settled {
  readonly result: Result
  readonly tokens: number
  readonly truncated: boolean
}

/** Refuses calls when the budget is used up; shrinks answers to what is left, and stores the rest behind a ref. */
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
    if (limit !== undefined && limit - usage.used(scope) < MIN_ANSWER_TOKENS) {
      return refusal('BUDGET_EXHAUSTED', { scope: 'session', limit })
    }
    if (entered === undefined || leftOf(entered) >= MIN_ANSWER_TOKENS) return undefined
    return refusal('BUDGET_EXHAUSTED', {
      scope: 'branch',
      limit: entered.budget,
      branch: entered.id,
      hint: 'Call `return` now: say what you found and what is pending.',
    })
  }

  return async (request, next) => {
    if (request.method === 'model') return model(request, next)
    if (request.method !== 'tool') return next(request)
    if (request.principal === undefined) return refusal('IDENTITY_REQUIRED')
    const { resolvedTool: tool } = request
    const isFree = tool?.free?.(request.arguments) === true
    const scope = scopeOf(request, request.principal)
    const entered = branch?.enter(request)
    if (entered !== undefined && 'kind' in entered) return entered
    const call = entered === undefined ? request : { ...request, branch: entered.id }
    if (entered !== undefined) addNotes(call.trail, [`in branch ${entered.id}`])
    const refused = isFree ? undefined : exhausted(call, scope, entered)
    if (refused !== undefined) return refused

    const result = await next(call)
    if (result.kind !== 'answer' && result.kind !== 'fault') return result
    if (sizeOf(result, maxSizeAtOnce) > maxSizeAtOnce) await turns.take(callerKey(checkFor(call, undefined)))

    const limit = sessionLimit?.(call)
    const ordinary = tool?.maxTokens ?? answerTokens
    const form = { count, textOnly: call.textOnly === true, renderText: tool?.renderText }
    const settle = (): Settled => {
      // The call may have ended its branch: its answer then belongs to the enclosing one.
      const currentBranch = entered && branch?.usageOf(entered.id)
      const isNew = currentBranch?.id === entered?.id && entered?.isNew === true
      const room = currentBranch && branchRoom(currentBranch, { result, ordinary, isFree, isNew }, form)
      const used = limit === undefined ? 0 : usage.used(scope)
      const left = Math.min(
        (limit ?? Infinity) - used,
        currentBranch === undefined ? Infinity : leftOf(currentBranch),
      )
      const spendable = isFree ? Infinity : left
      // The answer of a call still running when its branch was ended by someone else belongs to that branch.
      const refBranch = isFree ? currentBranch?.id : entered?.id
      const refScope = refBranch === undefined ? scope : { ...scope, branch: refBranch }
      const options = {
        limit: Math.max(MIN_ANSWER_TOKENS, Math.min(spendable, room?.limit ?? ordinary)),
        left: spendable,
        ...form,
        keep: tool?.keep ?? 'head',
        save: (text: string) => refs.save(refScope, text),
      } as const
      const settled = ((): Settled => {
        if (result.kind === 'fault') {
          const { fault, tokens, truncated } = fitFault(result, options)
          return { result: fault, tokens, truncated }
        }
        const fitted = fitAnswer(result, options)
        const { answer, tokens, truncated } = room?.addBranchNotes(fitted, spendable) ?? fitted
        return { result: answer, tokens, truncated }
      })()
      const { tokens } = settled
      if (limit !== undefined) usage.set(scope, used + tokens)
      if (currentBranch !== undefined && room !== undefined) {
        branch?.charge(call, currentBranch.id, { returned: tokens, produced: room.produced(tokens) })
      }
      return settled
    }
    // In a transaction, so that the usage it read is still current when it is updated.
    const settled = limit === undefined && entered === undefined ? settle() : store.transaction(settle)
    call.trail.tokens = settled.tokens
    if (settled.truncated) call.trail.truncated = true
    return settled.result
  }
}

function leftOf({ budget, used }: BranchUsage): number {
  return budget - used
}

/** Tokens returned to each agent per session, shared by all processes. */
interface SessionUsage {
  used(scope: Scope): number
  /** Must run in the transaction that read the usage, so that the sum is correct. */
  set(scope: Scope, tokens: number): void
}

function createSessionUsage(store: Store): SessionUsage {
  return {
    used: (scope) => Number(store.rows('usage', scope).first()?.tokens ?? 0),
    set: (scope, tokens) => store.rows('usage', scope).put({ tokens }),
  }
}
