/** Finds each only once: many agents and rules name the same. */
export function once<Result>(find: (name: string) => Result): (name: string) => Result {
  return remembering(new Map<string, Result>(), find)
}

/** For each setup, or what else is read once and asked about by many rules. */
export function oncePer<Key extends object, Result>(find: (key: Key) => Result): (key: Key) => Result {
  return remembering(new WeakMap<Key, Result>(), find)
}

interface Memory<Key, Result> {
  has(key: Key): boolean
  get(key: Key): Result | undefined
  set(key: Key, result: Result): unknown
}

function remembering<Key, Result>(
  found: Memory<Key, Result>,
  find: (key: Key) => Result,
): (key: Key) => Result {
  return (key) => {
    if (!found.has(key)) found.set(key, find(key))
    return found.get(key) as Result
  }
}
