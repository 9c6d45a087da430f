/** A subtask whose answers stay out of the context it was opened from, and who works in it. */

import { callerName, type Call } from '../../core/call.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'

/** `closed`: its session ended, or an enclosing branch returned. */
export type BranchState = 'open' | 'returned' | 'timeout' | 'closed'

export interface Branch {
  readonly id: string
  readonly session: string
  readonly parent?: string
  /** 1 for a top-level branch. */
  readonly depth: number
  /** Both in the form of `callerKey`. Until there is a worker, the branch waits for one. */
  readonly opener: string
  readonly worker?: string
  readonly description: string
  readonly prompt: string
  readonly budget: number
  /** Tokens of the answers returned in it. */
  readonly used: number
  /** Tokens the same answers would have had without a branch. */
  readonly produced: number
  readonly state: BranchState
  /** The message it returned. */
  readonly message: string
  /** Epoch milliseconds. */
  readonly created: number
  readonly ends: number
  readonly ended?: number
}

export function toBranch(row: SqlRow): Branch {
  return {
    id: String(row.id),
    session: String(row.session),
    ...(row.parent !== null && { parent: String(row.parent) }),
    depth: Number(row.depth),
    opener: String(row.opener),
    ...(row.worker !== null && { worker: String(row.worker) }),
    description: String(row.description),
    prompt: String(row.prompt),
    budget: Number(row.budget),
    used: Number(row.used),
    produced: Number(row.produced),
    state: row.state as BranchState,
    message: String(row.message),
    created: Number(row.created_at),
    ends: Number(row.ends_at),
    ...(row.ended_at !== null && { ended: Number(row.ended_at) }),
  }
}

/** Whether its opener works in it, or would because no one else has joined. */
export function isOwn({ opener, worker }: Branch): boolean {
  return (worker ?? opener) === opener
}

/** Tokens of its answers that it kept out of the context it was opened from. */
export function keptOut(branch: Branch): number {
  return Math.max(0, branch.produced - (isOwn(branch) ? branch.used : 0))
}

/** A running agent of a session. */
export interface BranchCaller {
  readonly key: string
  /** The client itself reports that it is not the main thread. */
  readonly isSubagent: boolean
}

export function branchCaller(call: Pick<Call, 'claims' | 'principal'>): BranchCaller {
  const instance = call.claims.attested?.instance
  const name = callerName(call)
  // Names and instances are chosen by others: only a list of the two is unambiguous.
  return {
    key: JSON.stringify(instance === undefined ? [name] : [name, instance]),
    isSubagent: instance !== undefined,
  }
}

/** A branch as shown to users. */
export interface BranchRecord extends Branch {
  readonly openedBy: string
  /** Absent while it waits. */
  readonly workedBy?: string
  readonly keptOut: number
}

export function toBranchRecord(branch: Branch): BranchRecord {
  const { opener, worker } = branch
  return {
    ...branch,
    openedBy: callerText(opener),
    ...(worker !== undefined && { workedBy: callerText(worker) }),
    keptOut: keptOut(branch),
  }
}

function callerText(key: string): string {
  return (JSON.parse(key) as string[]).join(' ')
}
