/** Context folding: branches are rows, so a client that comes back after a crash is in them still. */

import type { Call } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { BranchBudget, BranchUsage, Clock } from '../../core/ports.ts'
import { refusal } from '../../core/result.ts'
import type { Store } from '../../platform/storage/store.ts'
import { throwIssues } from '../bank/memory-fields.ts'
import type { Keeping } from '../memory-access.ts'
import {
  branchCaller,
  isOwn,
  keptOut,
  toBranch,
  toBranchRecord,
  type Branch,
  type BranchRecord,
} from './branch.ts'
import { insideOf, landingOf, lastOpenBranch, moveApart } from './landing.ts'

/** No branch is given more, whatever it asks for; with less it could not even say what it found. */
const maxBranchTokens = 32_768
const minBranchTokens = 256

export interface BranchLimits {
  /** Tokens of one that asks for no other number. */
  readonly budget: number
  readonly depth: number
  /** In one session. */
  readonly open: number
  readonly minutes: number
}

export interface BranchesOptions {
  readonly store: Store
  readonly tenant: string
  readonly project: string
  readonly clock: Clock
  /** Something nobody can guess. */
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
  /** Of it and of those that were still open inside it. */
  readonly keptOut: number
  readonly closedInside: number
}

export interface Branches extends BranchBudget {
  /** Throws BRANCH_LIMIT. */
  open(call: Call, wanted: NewBranch, keeping: Keeping): Branch
  /** Ends the branch that the call names, or else the caller's last. Throws BRANCH_NOT_FOUND. */
  end(call: Call, message: string, keeping: Keeping): EndedBranch
  /** Of one session, in the order in which they were opened. */
  openIn(session: string): readonly Branch[]
  /** With its texts as they are kept. */
  find(id: string): BranchRecord | undefined
  /** The newest first. */
  list(limit: number): readonly BranchRecord[]
  endSession(session: string): void
  /** Forgets those that were opened before that time (epoch milliseconds). */
  prune(before: number): number
}

export function createBranches(options: BranchesOptions): Branches {
  const { store, tenant, project, clock, newId, limits } = options
  const rows = store.rows('branches', { tenant, project })

  // A subagent that was there before a branch was opened was started for something else. Both are counted as they come;
  // what another process saw is not known here, and then the subagent counts as new.
  let order = 0
  const firstSeen = new Map<string, Map<string, number>>()
  const openedAt = new Map<string, number>()

  const close = ({ id }: Branch, state: 'timeout' | 'closed', at: number): void => {
    rows.update({ state, ended_at: at }, { id, ended_at: null })
    openedAt.delete(id)
  }

  /** Those whose time is up end when they are looked at. */
  const openIn = (session: string): Branch[] => {
    const found = rows.all({ session, ended_at: null }, { orderBy: 'seq' })
    if (found.length === 0) return []
    const now = clock()
    return found.map(toBranch).filter((branch) => {
      if (branch.ends > now) return true
      close(branch, 'timeout', branch.ends)
      return false
    })
  }

  const read = (id: string): Branch | undefined => {
    const row = rows.first({ id })
    return row && toBranch(row)
  }

  const closeLapsed = (): void => {
    const lapsed = rows.all({ ended_at: null, ends_at: { atMost: clock() } }).map(toBranch)
    for (const branch of lapsed) close(branch, 'timeout', branch.ends)
  }

  const seen = (session: string, key: string): number => {
    const known = firstSeen.get(session) ?? new Map<string, number>()
    firstSeen.set(session, known)
    const at = known.get(key) ?? (order += 1)
    known.set(key, at)
    return at
  }

  const enter = (call: Call, isAlone = false): ReturnType<Branches['enter']> => {
    const { session, claims } = call
    const caller = branchCaller(call)
    const since = caller.isSubagent ? seen(session, caller.key) : 0
    const isFor = ({ id }: Branch): boolean => since > (openedAt.get(id) ?? 0)
    const open = openIn(session)
    const landing = landingOf(open, caller, claims.branch, isFor)
    if (landing === 'not-found') return refusal('BRANCH_NOT_FOUND')
    if (landing === undefined || !landing.joins) return landing && standingOf(landing.branch)
    // Only who joins has to look again while nobody else does: somebody may have been faster.
    if (!isAlone) return store.transaction(() => enter(call, true))
    const { branch } = landing
    // What the opener was answered in it so far is in its context, and stays there.
    const produced = Math.max(0, branch.produced - branch.used)
    rows.update({ worker: caller.key, produced }, { id: branch.id })
    for (const { id, parent = null, depth } of moveApart(open, branch)) rows.update({ parent, depth }, { id })
    return { ...standingOf({ ...branch, worker: caller.key }), isNew: true }
  }

  const usageOf = (id: string): BranchUsage | undefined => {
    const branch = read(id)
    if (branch === undefined) return undefined
    if (branch.ended === undefined) return standingOf(branch)
    return branch.parent === undefined ? undefined : usageOf(branch.parent)
  }

  const charge: Branches['charge'] = (call, id, { returned, produced }) => {
    const { key } = branchCaller(call)
    const works =
      // To open one inside is not yet to work here.
      rows.first({ parent: id, opener: key, ended_at: null }) === undefined
    let branch = read(id)
    while (branch !== undefined) {
      const isOpener = branch.opener === key
      // What its opener looks up in a branch that somebody else works in would have been answered to it in any case.
      const counts = !isOpener || isOwn(branch)
      const begins = works && isOpener && branch.worker === undefined
      rows.update(
        {
          used: branch.used + returned,
          produced: branch.produced + (counts ? produced : 0),
          ...(begins && { worker: key }),
        },
        { id: branch.id },
      )
      // Whoever opens one inside to work in it there reads on in the same context.
      branch = isOwn(branch) && branch.parent !== undefined ? read(branch.parent) : undefined
    }
  }

  return {
    enter,
    usageOf,
    charge,
    open(call, { description, prompt, budget, timeout }, { archive }) {
      const kept = { description: archive(description), prompt: archive(prompt) }
      return store.transaction(() => {
        const open = openIn(call.session)
        const parent = call.branch === undefined ? undefined : open.find(({ id }) => id === call.branch)
        if (call.branch !== undefined && parent === undefined) throw new ContextdError('BRANCH_NOT_FOUND')
        const terms = termsOf({ budget, timeout }, { open: open.length, parent, limits, now: clock() })
        const id = `br_${newId()}`
        store.rows('branches', { tenant, project, session: call.session }).insert({
          ...kept,
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
        openedAt.set(id, (order += 1))
        return read(id)!
      })
    },
    end(call, message, { archive }) {
      const kept = archive(message)
      return store.transaction(() => {
        const open = openIn(call.session)
        const isNamed = call.claims.branch !== undefined
        const branch = isNamed
          ? open.find(({ id }) => id === call.branch)
          : lastOpenBranch(open, branchCaller(call))
        if (branch === undefined) throw new ContextdError('BRANCH_NOT_FOUND')
        const now = clock()
        const inside = insideOf(open, branch.id)
        for (const child of inside) close(child, 'closed', now)
        rows.update({ state: 'returned', message: kept, ended_at: now }, { id: branch.id })
        openedAt.delete(branch.id)
        return {
          branch: read(branch.id)!,
          // Those that are worked in by their opener count in the one around them already.
          keptOut: inside
            .filter((child) => !isOwn(child))
            .reduce((sum, child) => sum + keptOut(child), keptOut(branch)),
          closedInside: inside.length,
        }
      })
    },
    openIn,
    find(id) {
      closeLapsed()
      const branch = read(id)
      return branch && toBranchRecord(branch)
    },
    list(limit) {
      closeLapsed()
      return rows
        .all({}, { orderBy: 'seq', descending: true, limit })
        .map((row) => toBranchRecord(toBranch(row)))
    },
    endSession(session) {
      for (const branch of openIn(session)) close(branch, 'closed', clock())
      firstSeen.delete(session)
    },
    prune: (before) => rows.remove({ created_at: { atMost: before - 1 } }),
  }
}

function standingOf(branch: Branch): BranchUsage {
  const { id, budget, used } = branch
  return { id, budget, used, isOwn: isOwn(branch) }
}

interface Situation {
  /** How many there are already. */
  readonly open: number
  readonly parent: Branch | undefined
  readonly limits: BranchLimits
  readonly now: number
}

/** How deep, how much and how long a new one is. Throws BRANCH_LIMIT with the limit that is in its way. */
function termsOf(
  { budget: asked, timeout }: Pick<NewBranch, 'budget' | 'timeout'>,
  { open, parent, limits, now }: Situation,
): { depth: number; budget: number; ends_at: number } {
  const unless = (ok: boolean, limit: string): void => {
    if (!ok) throw new ContextdError('BRANCH_LIMIT', { limit })
  }
  unless(open < limits.open, `${open} are open in this session`)
  const depth = (parent?.depth ?? 0) + 1
  unless(depth <= limits.depth, `they go ${limits.depth} deep`)

  const left = parent === undefined ? maxBranchTokens : Math.max(0, parent.budget - parent.used)
  const budget = asked ?? Math.min(limits.budget, left)
  unless(left >= minBranchTokens, `the branch around it has ${left} tokens left`)
  within('budget', budget, minBranchTokens, left)

  const longest = limits.minutes * 60
  const seconds = timeout ?? longest
  within('timeout', seconds, 1, longest)
  return { depth, budget, ends_at: Math.min(now + seconds * 1000, parent?.ends ?? Infinity) }
}

function within(field: string, value: number, least: number, most: number): void {
  if (value < least || value > most) throwIssues([{ field, expected: `${least} to ${most}` }])
}
