/** Caches results by name. */
export function once<Result>(compute: (name: string) => Result): (name: string) => Result {
  return cached(new Map<string, Result>(), compute)
}

/** Caches results per object, such as a setup that many rules query. */
export function oncePer<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  return cached(new WeakMap<Key, Result>(), compute)
}

interface Cache<Key, Result> {
  has(key: Key): boolean
  get(key: Key): Result | undefined
  set(key: Key, result: Result): unknown
}

function cached<Key, Result>(cache: Cache<Key, Result>, compute: (key: Key) => Result): (key: Key) => Result {
  return (key) => {
    if (!cache.has(key)) cache.set(key, compute(key))
    return cache.get(key) as Result
  }
}
