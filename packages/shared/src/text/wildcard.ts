/**
 * Matching with wildcards, shared by every pattern syntax; each of them only says which symbol matches any run of items
 * and what the other symbols match.
 */

/**
 * Only the last run is ever extended: the earlier ones matched as few items as possible, so extending them cannot help.
 * Takes at most the product of both lengths, whatever the pattern.
 */
export function matchesWildcards<Item, Symbol>(
  pattern: ArrayLike<Symbol>,
  items: ArrayLike<Item>,
  isAnyRun: (symbol: Symbol) => boolean,
  matchesOne: (symbol: Symbol, item: Item) => boolean,
): boolean {
  let next = 0
  let afterRun = -1
  let runEnd = 0
  for (let at = 0; at < items.length;) {
    if (next < pattern.length && isAnyRun(pattern[next]!)) {
      afterRun = ++next
      runEnd = at
    } else if (next < pattern.length && matchesOne(pattern[next]!, items[at]!)) {
      next++
      at++
    } else if (afterRun !== -1) {
      next = afterRun
      at = ++runEnd
    } else return false
  }
  while (next < pattern.length && isAnyRun(pattern[next]!)) next++
  return next === pattern.length
}

/**
 * A case-sensitive pattern in which `*` matches any text, including none, and everything else itself. Long commands are
 * matched against such patterns, and searching for the literal parts is many times faster than comparing characters.
 */
export function compileStars(pattern: string): (text: string) => boolean {
  const [head = '', ...parts] = pattern.split('*')
  const tail = parts.pop()
  if (tail === undefined) return (text) => text === pattern
  return (text) => {
    if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail))
      return false
    let at = head.length
    for (const part of parts) {
      const found = text.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return at <= text.length - tail.length
  }
}

export function matchesStars(pattern: string, text: string): boolean {
  return compileStars(pattern)(text)
}
