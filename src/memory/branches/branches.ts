/** Context folding: branches are stored, so a client that reconnects after a crash is still in them. */

import type { Call } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { BranchBudget, BranchUsage, Clock } from '../../core/ports.ts'
import { refusal } from '../../core/result.ts'
import type { Store } from '../../platform/storage/store.ts'
import { throwIssues } from '../bank/memory-fields.ts'
import type { Archiver } from '../memory-access.ts'
import { branchCaller, isOwn, keptOut, toBranchRecord, type Branch, type BranchRecord } from './branch.ts'
import { createAppearanceOrder, type AppearanceOrder } from './appearance-order.ts'
import { descendantsOf, matchBranch, lastOpenBranch, separateSiblings } from './branch-match.ts'
import { createBranchRows, type BranchRows } from './branch-rows.ts'
import { counted } from '@contextd/shared/text/counted'

/** Upper and lower bound of a branch's budget, whatever it requests; with less it could not even report its result. */
const maxBranchTokens = 32_768
const minBranchTokens = 256

export interface BranchLimits {
  /** Default token budget. */
  readonly budget: number
  readonly depth: number
  /** Per session. */
  readonly open: number
  readonly minutes: number
}

export interface BranchesOptions {
  readonly store: Store
  readonly tenant: string
  readonly project: string
  readonly clock: Clock
  /** Must return unguessable ids. */
  readonly newId: () => string
  readonly limits: BranchLimits
}

export interface NewBranch {
  readonly description: string
  readonly prompt: string
  readonly budget?: number | undefined
  /** Seconds. */
  readonly timeout?: number | undefined
}

export interface EndedBranch {
  readonly branch: Branch
  /** Including branches that were still open inside it. */
  readonly keptOut: number
  readonly closedInside: number
}

export interface Branches extends BranchBudget {
  /** Throws BRANCH_LIMIT. */
  open(call: Call, wanted: NewBranch, archiver: Archiver): Branch
  /** Ends the branch that the call names, or the caller's latest. Throws BRANCH_NOT_FOUND. */
  end(call: Call, message: string, archiver: Archiver): EndedBranch
  /** Open branches of a session in the order of opening. */
  openIn(session: string): readonly Branch[]
  /** With its texts as archived. */
  find(id: string): BranchRecord | undefined
  /** Newest first. */
  list(limit: number): readonly BranchRecord[]
  endSession(session: string): void
  /** Deletes branches opened before that time (epoch milliseconds). */
  prune(before: number): number
}

export function createBranches(options: BranchesOptions): Branches {
  const order = createAppearanceOrder()
  const rows = createBranchRows(options, order.forgetBranch)
  return {
    ...branchUsing(options, rows, order),
    ...branchOpening(options, rows, order),
    openIn: rows.openIn,
    find(id) {
      rows.closeExpired()
      const branch = rows.read(id)
      return branch && toBranchRecord(branch)
    },
    list(limit) {
      rows.closeExpired()
      return rows.newest(limit).map(toBranchRecord)
    },
    endSession(session) {
      for (const branch of rows.openIn(session)) rows.close(branch, 'closed', options.clock())
      order.forget(session)
    },
    prune: rows.prune,
  }
}

/** Which branch a call belongs to, and what it spends there. */
function branchUsing(
  { store }: BranchesOptions,
  rows: BranchRows,
  order: AppearanceOrder,
): Pick<Branches, 'enter' | 'usageOf' | 'charge'> {
  const enter = (call: Call, isExclusive = false): ReturnType<Branches['enter']> => {
    const { session, claims } = call
    const caller = branchCaller(call)
    const since = caller.isSubagent ? order.seen(session, caller.key) : 0
    const isFor = ({ id }: Branch): boolean => since > order.opened(id)
    const open = rows.openIn(session)
    const match = matchBranch(open, caller, claims.branch, isFor)
    if (match === 'not-found') return refusal('BRANCH_NOT_FOUND')
    if (match === undefined || !match.joins) return match && toUsage(match.branch)
    // Joining must check again inside a transaction, because another caller may have been faster.
    if (!isExclusive) return store.transaction(() => enter(call, true))
    const { branch } = match
    // What the opener received in it so far is already in its own context.
    const produced = Math.max(0, branch.produced - branch.used)
    rows.update(branch.id, { worker: caller.key, produced })
    for (const { id, parent = null, depth } of separateSiblings(open, branch))
      rows.update(id, { parent, depth })
    return { ...toUsage({ ...branch, worker: caller.key }), isNew: true }
  }

  const usageOf = (id: string): BranchUsage | undefined => {
    const branch = rows.read(id)
    if (branch === undefined) return undefined
    if (branch.ended === undefined) return toUsage(branch)
    return branch.parent === undefined ? undefined : usageOf(branch.parent)
  }

  const charge: Branches['charge'] = (call, id, { returned, produced }) => {
    const { key } = branchCaller(call)
    const isWorking =
      // Opening a nested branch does not yet count as working here.
      !rows.hasOpenChild(id, key)
    let branch = rows.read(id)
    while (branch !== undefined) {
      const isOpener = branch.opener === key
      // If someone else works in the branch, its opener would have received its own answers in any case.
      const isCounted = !isOpener || isOwn(branch)
      const startsWorking = isWorking && isOpener && branch.worker === undefined
      rows.update(branch.id, {
        used: branch.used + returned,
        produced: branch.produced + (isCounted ? produced : 0),
        ...(startsWorking && { worker: key }),
      })
      // An opener that works in its own nested branch continues in the same context.
      branch = isOwn(branch) && branch.parent !== undefined ? rows.read(branch.parent) : undefined
    }
  }
  return { enter, usageOf, charge }
}

function branchOpening(
  { store, clock, newId, limits }: BranchesOptions,
  rows: BranchRows,
  order: AppearanceOrder,
): Pick<Branches, 'open' | 'end'> {
  return {
    open(call, { description, prompt, budget, timeout }, { archive }) {
      const archived = { description: archive(description), prompt: archive(prompt) }
      return store.transaction(() => {
        const open = rows.openIn(call.session)
        const parent = call.branch === undefined ? undefined : open.find(({ id }) => id === call.branch)
        if (call.branch !== undefined && parent === undefined) throw new ContextdError('BRANCH_NOT_FOUND')
        const terms = termsOf({ budget, timeout }, { open: open.length, parent, limits, now: clock() })
        const id = `br_${newId()}`
        rows.insert(call.session, {
          ...archived,
          ...terms,
          agent: call.principal?.agent ?? '',
          id,
          parent: parent?.id ?? null,
          opener: branchCaller(call).key,
          worker: null,
          used: 0,
          produced: 0,
          state: 'open',
          message: '',
          created_at: clock(),
          ended_at: null,
        })
        order.noteOpened(id)
        return rows.read(id)!
      })
    },

    end(call, message, { archive }) {
      const archived = archive(message)
      return store.transaction(() => {
        const open = rows.openIn(call.session)
        const isNamed = call.claims.branch !== undefined
        const branch = isNamed
          ? open.find(({ id }) => id === call.branch)
          : lastOpenBranch(open, branchCaller(call))
        if (branch === undefined) throw new ContextdError('BRANCH_NOT_FOUND')
        const now = clock()
        const descendants = descendantsOf(open, branch.id)
        for (const child of descendants) rows.close(child, 'closed', now)
        rows.update(branch.id, { state: 'returned', message: archived, ended_at: now })
        order.forgetBranch(branch.id)
        return {
          branch: rows.read(branch.id)!,
          // Branches in which their opener works are already included in the enclosing one.
          keptOut: descendants
            .filter((child) => !isOwn(child))
            .reduce((sum, child) => sum + keptOut(child), keptOut(branch)),
          closedInside: descendants.length,
        }
      })
    },
  }
}

function toUsage(branch: Branch): BranchUsage {
  const { id, budget, used } = branch
  return { id, budget, used, isOwn: isOwn(branch) }
}

interface BranchContext {
  /** The number of open branches. */
  readonly open: number
  readonly parent: Branch | undefined
  readonly limits: BranchLimits
  readonly now: number
}

/** Depth, budget and end time of a new branch. Throws BRANCH_LIMIT with the limit that was reached. */
function termsOf(
  { budget: requested, timeout }: Pick<NewBranch, 'budget' | 'timeout'>,
  { open, parent, limits, now }: BranchContext,
): { depth: number; budget: number; ends_at: number } {
  const unless = (ok: boolean, limit: string): void => {
    if (!ok) throw new ContextdError('BRANCH_LIMIT', { limit })
  }
  unless(
    open < limits.open,
    open === 1 ? '1 branch is open in this session' : `${open} branches are open in this session`,
  )
  const depth = (parent?.depth ?? 0) + 1
  unless(depth <= limits.depth, `the maximum depth is ${limits.depth}`)

  const left = parent === undefined ? maxBranchTokens : Math.max(0, parent.budget - parent.used)
  const budget = requested ?? Math.min(limits.budget, left)
  unless(left >= minBranchTokens, `the enclosing branch has ${counted(left, 'token')} left`)
  checkRange('budget', budget, minBranchTokens, left)

  const maxSeconds = limits.minutes * 60
  const seconds = timeout ?? maxSeconds
  checkRange('timeout', seconds, 1, maxSeconds)
  return { depth, budget, ends_at: Math.min(now + seconds * 1000, parent?.ends ?? Infinity) }
}

function checkRange(field: string, value: number, min: number, max: number): void {
  if (value < min || value > max) throwIssues([{ field, expected: `${min} to ${max}` }])
}
