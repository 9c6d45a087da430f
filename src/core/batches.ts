/** Splits a list into batches of at most `size` items. */
export function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
