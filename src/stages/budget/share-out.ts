/** Max pieces shortened in one answer: more refs would be impractical for a reader. */
const maxCuts = 8

/**
 * How much each of several sizes may keep so that they all fit into `available`: small ones stay complete, the
 * largest are cut to the same size. Undefined if too many would have to be cut. Pure.
 */
export function shareOut(
  sizes: readonly number[],
  { available, perCut }: { available: number; perCut: number },
): number | undefined {
  const sorted = [...sizes].sort((a, b) => b - a)
  for (let cut = 1; cut <= Math.min(maxCuts, sorted.length); cut += 1) {
    const whole = sorted.slice(cut).reduce((sum, size) => sum + size, 0)
    const room = Math.floor((available - whole) / cut - perCut)
    if (room >= (sorted[cut] ?? 0)) return room
  }
  return undefined
}
