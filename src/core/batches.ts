/** A list in pieces of at most so many, for whoever must not take too much at once. */
export function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
