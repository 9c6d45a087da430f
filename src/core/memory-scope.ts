/** Which memories: those of this project, this user's in every project, or all. */
export const memoryScopes = ['project', 'user', 'all'] as const
export type MemoryScope = (typeof memoryScopes)[number]

/** The scopes both allow; `all` includes every scope. */
export function commonScopes(one: readonly MemoryScope[], other: readonly MemoryScope[]): MemoryScope[] {
  return memoryScopes.filter((scope) => reaches(one, scope) && reaches(other, scope))
}

export function reaches(granted: readonly MemoryScope[], scope: MemoryScope): boolean {
  return granted.includes(scope) || granted.includes('all')
}
