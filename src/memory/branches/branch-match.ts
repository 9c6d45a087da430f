/** Which open branch of a session a call is part of. `open` is in the order of opening. */

import { isOwn, type Branch, type BranchCaller } from './branch.ts'

export interface BranchMatch {
  readonly branch: Branch
  /** The caller becomes its worker. */
  readonly joins: boolean
}

/**
 * The branch the call names, if the caller may enter it; else the last one it opened or works in; else, for a
 * subagent, the only one waiting for a worker. `isFor` excludes branches that cannot be meant.
 */
export function matchBranch(
  open: readonly Branch[],
  caller: BranchCaller,
  requestedId: string | undefined,
  isFor: (branch: Branch) => boolean = () => true,
): BranchMatch | 'not-found' | undefined {
  if (open.length === 0) return requestedId === undefined ? undefined : 'not-found'
  const { key, isSubagent } = caller
  if (requestedId !== undefined) {
    const named = open.find(({ id }) => id === requestedId)
    return named !== undefined && mayEnter(named, caller)
      ? { branch: named, joins: named.opener !== key && named.worker !== key }
      : 'not-found'
  }
  const top = open.findLast((branch) => isIn(branch, key))
  if (top !== undefined) return { branch: top, joins: false }
  const waiting = isSubagent ? open.filter((branch) => waitsFor(branch, key)) : []
  return waiting.length === 1 && isFor(waiting[0]!) ? { branch: waiting[0]!, joins: true } : undefined
}

/** A subagent that was given the id takes over from the opener, who may have worked in it before. */
function mayEnter(branch: Branch, { key, isSubagent }: BranchCaller): boolean {
  return branch.opener === key || (branch.worker ?? key) === key || (isSubagent && isOwn(branch))
}

/** The branch that `return` ends: the last one the caller opened (even if a subagent works in it) or works in. */
export function lastOpenBranch(open: readonly Branch[], { key }: BranchCaller): Branch | undefined {
  return open.findLast(({ opener, worker }) => opener === key || worker === key)
}

/** The opener is in the branch as long as no one else works in it. */
function isIn({ opener, worker }: Branch, key: string): boolean {
  return worker === key || (opener === key && worker === undefined)
}

function waitsFor({ opener, worker }: Branch, key: string): boolean {
  return worker === undefined && opener !== key
}

/** All open branches nested in a branch, innermost first. */
export function descendantsOf(open: readonly Branch[], outer: string): Branch[] {
  const children = open.filter(({ parent }) => parent === outer)
  return children.flatMap((child) => descendantsOf(open, child.id).concat(child))
}

/** A branch's new position in the tree. */
export interface MovedBranch {
  readonly id: string
  readonly parent: string | undefined
  readonly depth: number
}

/**
 * Other branches that move when someone starts to work in a branch. An opener that opens several in a row, for
 * several subagents, has nested each in the previous one, where no one works. When a subagent joins one of them, they
 * turn out to be siblings, and one returning must not close the others.
 */
export function separateSiblings(open: readonly Branch[], joined: Branch): MovedBranch[] {
  const byId = new Map(open.map((branch) => [branch.id, branch]))
  let enclosing = byId.get(joined.parent ?? '')
  while (enclosing !== undefined && enclosing.worker === undefined)
    enclosing = byId.get(enclosing.parent ?? '')
  const parents = new Map(
    open.map(({ id, parent }) => [id, id === joined.id || parent === joined.id ? enclosing?.id : parent]),
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
