/** Finds each only once: many agents and rules name the same. */
export function once<Result>(find: (name: string) => Result): (name: string) => Result {
  const found = new Map<string, Result>()
  return (name) => {
    if (!found.has(name)) found.set(name, find(name))
    return found.get(name) as Result
  }
}
