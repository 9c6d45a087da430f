/**
 * A subagent that existed before a branch was opened was started for something else. Both are numbered in order of
 * appearance; what another process saw is unknown here, so the subagent then counts as new.
 */
export interface AppearanceOrder {
  /** The number of a caller in a session, assigned at its first call. */
  seen(session: string, caller: string): number
  noteOpened(branch: string): void
  /** The number of a branch that this process opened; 0 for others. */
  opened(branch: string): number
  forgetBranch(branch: string): void
  forget(session: string): void
}

export function createAppearanceOrder(): AppearanceOrder {
  let last = 0
  const firstSeen = new Map<string, Map<string, number>>()
  const openedAt = new Map<string, number>()
  return {
    seen(session, caller) {
      const known = firstSeen.get(session) ?? new Map<string, number>()
      firstSeen.set(session, known)
      const number = known.get(caller) ?? (last += 1)
      known.set(caller, number)
      return number
    },
    noteOpened(branch) {
      openedAt.set(branch, (last += 1))
    },
    opened: (branch) => openedAt.get(branch) ?? 0,
    forgetBranch(branch) {
      openedAt.delete(branch)
    },
    forget(session) {
      firstSeen.delete(session)
    },
  }
}
