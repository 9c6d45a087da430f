/** Whether two patterns for paths can mean the same path. Pure. */

import { ONE, STAR, UNKNOWN } from './shell-words.ts'

/** A path with wildcards in it, as `readShell` writes them. */
export type ShellPathPattern = string

export function isPlain(pattern: ShellPathPattern): boolean {
  return !pattern.includes(UNKNOWN) && !pattern.includes(STAR) && !pattern.includes(ONE)
}

/** Starts with an unknown part, so it may be anywhere. */
export function startsUnknown(pattern: ShellPathPattern): boolean {
  return pattern.startsWith(UNKNOWN)
}

/** From the way people write them: `*` within a name, `**` across folders. */
export function toPattern(text: string): ShellPathPattern {
  return text.replaceAll('**', UNKNOWN).replaceAll('*', STAR)
}

/** Whether some path fits both. Case does not count: on some machines it does not for files. */
export function mayMeet(one: ShellPathPattern, other: ShellPathPattern): boolean {
  const same = splitAtWildcard(one.toLowerCase(), other.toLowerCase())
  if (same === undefined) return false
  const [a, b] = same
  const width = b.length + 1
  const seen = new Uint8Array((a.length + 1) * width)
  const todo = [0]
  const visit = (i: number, j: number): void => {
    const place = i * width + j
    if (seen[place] === 1) return
    seen[place] = 1
    todo.push(place)
  }
  for (let place = todo.pop(); place !== undefined; place = todo.pop()) {
    const i = Math.floor(place / width)
    const j = place % width
    if (i === a.length && j === b.length) return true
    const left = a[i]
    const right = b[j]
    // A pattern for many characters may stand for none, or take one of the other side and go on.
    if (isMany(left)) {
      visit(i + 1, j)
      if (right !== undefined && takes(left, right)) visit(i, j + 1)
    }
    if (isMany(right)) {
      visit(i, j + 1)
      if (left !== undefined && takes(right, left)) visit(i + 1, j)
    }
    if (left !== undefined && right !== undefined && isSame(left, right)) visit(i + 1, j + 1)
  }
  return false
}

/** What follows the part in which both say the same; undefined where they then say different things. */
function splitAtWildcard(a: string, b: string): [string, string] | undefined {
  let at = 0
  while (at < a.length && a[at] === b[at] && isPlain(a[at]!)) at += 1
  const isSettled = at < a.length && at < b.length && isPlain(a[at]!) && isPlain(b[at]!)
  return isSettled ? undefined : [a.slice(at), b.slice(at)]
}

function isMany(token: string | undefined): token is string {
  return token === UNKNOWN || token === STAR
}

function takes(many: string, token: string): boolean {
  return many === UNKNOWN || token !== '/'
}

function isSame(left: string, right: string): boolean {
  if (left === right) return true
  if (left === ONE) return right !== '/'
  return right === ONE && left !== '/'
}

/** An absolute pattern without `.`, `..` and doubled slashes; one that begins with the unknown stays as it is. */
export function absolutePattern(pattern: ShellPathPattern, base: ShellPathPattern): ShellPathPattern {
  const whole = pattern.startsWith('/') || pattern.startsWith(UNKNOWN) ? pattern : `${base}/${pattern}`
  const kept: string[] = []
  for (const segment of whole.split('/')) {
    // What is unknown may be nothing, or lead up as far as it likes.
    if (segment === '..' && kept.at(-1)?.includes(UNKNOWN)) continue
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return `${whole.startsWith(UNKNOWN) ? '' : '/'}${kept.join('/')}`
}
