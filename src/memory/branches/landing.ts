/** Which of the open branches of a session a call is a part of. `open` is in the order in which they were opened. */

import { isOwn, type Branch, type BranchCaller } from './branch.ts'

export interface Landing {
  readonly branch: Branch
  /** The caller is its worker from now on. */
  readonly joins: boolean
}

/**
 * The one it names, if that is its to be in; else the last one it opened or works in; else, for a subagent, the only one
 * that waits for somebody. `isFor` leaves out those that cannot be meant.
 */
export function landingOf(
  open: readonly Branch[],
  caller: BranchCaller,
  asked: string | undefined,
  isFor: (branch: Branch) => boolean = () => true,
): Landing | 'not-found' | undefined {
  if (open.length === 0) return asked === undefined ? undefined : 'not-found'
  const { key, isSubagent } = caller
  if (asked !== undefined) {
    const named = open.find(({ id }) => id === asked)
    return named !== undefined && mayEnter(named, caller)
      ? { branch: named, joins: named.opener !== key && named.worker !== key }
      : 'not-found'
  }
  const top = open.findLast((branch) => isIn(branch, key))
  if (top !== undefined) return { branch: top, joins: false }
  const waiting = isSubagent ? open.filter((branch) => waitsFor(branch, key)) : []
  return waiting.length === 1 && isFor(waiting[0]!) ? { branch: waiting[0]!, joins: true } : undefined
}

/** A subagent that was given the id takes over from the opener, who may have done something in between. */
function mayEnter(branch: Branch, { key, isSubagent }: BranchCaller): boolean {
  return branch.opener === key || (branch.worker ?? key) === key || (isSubagent && isOwn(branch))
}

/** What `return` ends: the last one the caller opened, also where it gave that to a subagent, or works in. */
export function lastOpenBranch(open: readonly Branch[], { key }: BranchCaller): Branch | undefined {
  return open.findLast(({ opener, worker }) => opener === key || worker === key)
}

/** Who opened it is in it for as long as nobody else is. */
function isIn({ opener, worker }: Branch, key: string): boolean {
  return worker === key || (opener === key && worker === undefined)
}

function waitsFor({ opener, worker }: Branch, key: string): boolean {
  return worker === undefined && opener !== key
}

/** Everything open inside a branch, the innermost first. */
export function insideOf(open: readonly Branch[], outer: string): Branch[] {
  const children = open.filter(({ parent }) => parent === outer)
  return children.flatMap((child) => insideOf(open, child.id).concat(child))
}

/** Where a branch is in the tree. */
export interface Moved {
  readonly id: string
  readonly parent: string | undefined
  readonly depth: number
}

/**
 * What else changes when somebody begins to work in a branch. An opener who opens several in a row, for several
 * subagents, has opened each inside the one before, where nobody works. When a subagent takes one of them it turns out
 * that they stand side by side, and the return of one must not close the others.
 */
export function moveApart(open: readonly Branch[], joined: Branch): Moved[] {
  const byId = new Map(open.map((branch) => [branch.id, branch]))
  let around = byId.get(joined.parent ?? '')
  while (around !== undefined && around.worker === undefined) around = byId.get(around.parent ?? '')
  const parents = new Map(
    open.map(({ id, parent }) => [id, id === joined.id || parent === joined.id ? around?.id : parent]),
  )
  const depthOf = (id: string): number => {
    const parent = parents.get(id)
    return parent === undefined ? 1 : 1 + depthOf(parent)
  }
  return open
    .map(({ id }) => ({ id, parent: parents.get(id), depth: depthOf(id) }))
    .filter(({ id, parent, depth }) => {
      const before = byId.get(id)
      return before?.parent !== parent || before?.depth !== depth
    })
}
