/**
 * Proves that a backtracking engine tries a pattern at one place in a bounded number of ways. Two parts of a pattern can
 * share a text in several ways only where what the first may take, the second may take as well; how often, its bounds
 * say. The product of these is the bound, and a pattern without one (a repeat inside a repeat that can trade characters)
 * has none.
 */

/** Characters 0–127, and bit 128 for all others. */
type Chars = bigint

type Node =
  | { readonly kind: 'chars'; readonly chars: Chars }
  | { readonly kind: 'empty' }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly branches: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number }

const allChars: Chars = (1n << 129n) - 1n
const charsOf = (test: (char: string) => boolean): Chars => {
  let chars = 0n
  for (let code = 0; code < 128; code++) if (test(String.fromCharCode(code))) chars |= 1n << BigInt(code)
  return chars
}
const classes: Readonly<Record<string, Chars>> = {
  d: charsOf((char) => /\d/.test(char)),
  w: charsOf((char) => /\w/.test(char)),
  s: charsOf((char) => /\s/.test(char)) | (1n << 128n),
}

/**
 * An upper bound of the ways in which the pattern can be tried from one place; Infinity where there is none. Most
 * patterns are done when they match; a `bounded` one goes on until no letter, digit or `_` follows.
 */
export function waysToTry(source: string, bounded = false): number {
  return ways(parse(source), bounded ? allChars & ~classes.w! : 0n)
}

function parse(source: string): Node {
  let at = 0
  const refuse = (what: string): never => {
    throw new Error(`${what} at ${at} in ${source}`)
  }

  const choice = (): Node => {
    const branches = [sequence()]
    while (source[at] === '|') {
      at++
      branches.push(sequence())
    }
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches }
  }

  const sequence = (): Node => {
    const parts: Node[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated(single()))
    return { kind: 'sequence', parts }
  }

  const repeated = (part: Node): Node => {
    const match = /^(?:\{(\d+)(?:(,)(\d*))?\}|[*+?])\??/.exec(source.slice(at))
    if (match === null) return part
    at += match[0].length
    if (match[1] !== undefined) {
      const least = Number(match[1])
      const most = match[2] === undefined ? least : match[3] === '' ? Infinity : Number(match[3])
      return { kind: 'repeat', part, least, most }
    }
    const sign = match[0][0]
    return { kind: 'repeat', part, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity }
  }

  const single = (): Node => {
    const char = source[at]!
    if (char === '(') return group()
    if (char === '[') return { kind: 'chars', chars: charClass() }
    if (char === '.') {
      at++
      return { kind: 'chars', chars: allChars & ~one('\n') }
    }
    if (char === '\\') return escape()
    if (char === '^' || char === '$') refuse('an anchor')
    at++
    return { kind: 'chars', chars: one(char) }
  }

  const group = (): Node => {
    const opening = /^\((?:\?:|\?<[A-Za-z]+>)?/.exec(source.slice(at))![0]
    if (/^\(\?(?:[=!]|<[=!])/.test(source.slice(at))) refuse('a look-around')
    at += opening.length
    const inside = choice()
    if (source[at] !== ')') refuse('an unclosed group')
    at++
    return inside
  }

  const escape = (): Node => {
    if (source[at + 1] === 'b') {
      at += 2
      return { kind: 'empty' }
    }
    return { kind: 'chars', chars: escaped() }
  }

  const escaped = (): Chars => {
    const char = source[at + 1]!
    const hex = /^\\(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/i.exec(source.slice(at))
    if (hex !== null) {
      at += hex[0].length
      return one(String.fromCharCode(Number.parseInt(hex[1] ?? hex[2]!, 16)))
    }
    if (/[1-9k]/.test(char)) refuse('a back-reference')
    at += 2
    const known = classes[char.toLowerCase()]
    if (known !== undefined) return char === char.toLowerCase() ? known : allChars & ~known
    const control: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' }
    return one(control[char] ?? char)
  }

  const charClass = (): Chars => {
    at++
    const negated = source[at] === '^'
    if (negated) at++
    let chars = 0n
    while (source[at] !== ']') {
      const from = member()
      if (source[at] === '-' && source[at + 1] !== ']') {
        at++
        chars |= range(from, member())
      } else {
        chars |= from
      }
    }
    at++
    return negated ? allChars & ~chars : chars
  }

  const member = (): Chars => {
    if (source[at] === '\\') return escaped()
    return one(source[at++]!)
  }

  const tree = choice()
  if (at < source.length) refuse('an unopened group')
  return tree
}

function one(char: string): Chars {
  return 1n << BigInt(Math.min(char.charCodeAt(0), 128))
}

function range(from: Chars, to: Chars): Chars {
  const [first, last] = [from.toString(2).length - 1, to.toString(2).length - 1]
  return ((1n << BigInt(last + 1)) - 1n) & ~((1n << BigInt(first)) - 1n)
}

/** The characters a text of the node may begin with; all that may follow as well where it may be empty. */
function firstOf(node: Node, follow: Chars): Chars {
  switch (node.kind) {
    case 'chars':
      return node.chars
    case 'empty':
      return follow
    case 'sequence':
      return node.parts.reduceRight((after, part) => firstOf(part, after), follow)
    case 'choice':
      return node.branches.reduce((all, branch) => all | firstOf(branch, follow), 0n)
    case 'repeat':
      return firstOf(node.part, follow) | (node.least === 0 ? follow : 0n)
  }
}

function ways(node: Node, follow: Chars): number {
  switch (node.kind) {
    case 'chars':
    case 'empty':
      return 1
    case 'sequence': {
      let product = 1
      let after = follow
      for (const part of node.parts.toReversed()) {
        product *= ways(part, after)
        after = firstOf(part, after)
      }
      return product
    }
    case 'choice':
      return waysOfChoice(node.branches, follow)
    case 'repeat':
      return waysOfRepeat(node, follow)
  }
}

/** Branches that begin differently exclude each other. */
function waysOfChoice(branches: readonly Node[], follow: Chars): number {
  const firsts = branches.map((branch) => firstOf(branch, follow))
  const apart = firsts.every((first, i) => firsts.every((other, j) => i === j || (first & other) === 0n))
  const counts = branches.map((branch) => ways(branch, follow))
  return apart ? Math.max(...counts) : counts.reduce((sum, count) => sum + count, 0)
}

function waysOfRepeat({ part, least, most }: Node & { kind: 'repeat' }, follow: Chars): number {
  const first = firstOf(part, 0n)
  const inside = ways(part, most > 1 ? first | follow : follow)
  if (inside > 1) return inside ** most
  if (least === most || (first & follow) === 0n) return 1
  return most - least + 1
}
