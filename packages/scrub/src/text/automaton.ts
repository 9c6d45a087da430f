/** Finds all keywords in one pass over a text, however many there are (Aho-Corasick, as a full table). */

export interface Hits {
  /** How many of the entries below are filled. */
  readonly count: number
  readonly keyword: Int32Array
  /** Where the hit ends, in order. */
  readonly end: Int32Array
}

export interface Automaton {
  readonly keywords: readonly string[]
  /** Every occurrence of every keyword, letters in either case. The arrays are reused by the next call. */
  scan(text: string): Hits
}

/** Read at once: small enough to stay in the nearest cache beside the table. */
const chunkLength = 16_384

/** Keywords are lower case and ASCII. */
export function buildAutomaton(keywords: readonly string[]): Automaton {
  const { classOf, classes } = classify(keywords)
  const { next, found, longerSuffix, resolve } = buildStates(keywords, classOf, classes)
  let keyword = new Int32Array(1024)
  let end = new Int32Array(1024)

  const bytes = Buffer.alloc(chunkLength)
  let count = 0

  /** Goes on from `state`; the chunk begins at `from` in the text. */
  const scanChunk = (start: number, length: number, from: number): number => {
    let state = start
    for (let at = 0; at < length; at++) {
      const byteClass = classOf[bytes[at]!]!
      let entry = next[state + byteClass]!
      if (entry === 0) entry = resolve(state, byteClass)
      if (entry > 0) {
        state = entry
        continue
      }
      state = -entry
      for (let hit = state / classes; hit !== 0; hit = longerSuffix[hit]!) {
        if (count === end.length) {
          keyword = grow(keyword)
          end = grow(end)
        }
        keyword[count] = found[hit]! - 1
        end[count++] = from + at + 1
      }
    }
    return state
  }

  const scan = (text: string): Hits => {
    count = 0
    let state = classes
    for (let from = 0; from < text.length; from += chunkLength) {
      // One byte per UTF-16 unit, so that offsets stay; what is beyond Latin-1 loses bits and can only add a hit.
      const length = bytes.write(text.slice(from, from + chunkLength), 0, 'latin1')
      state = scanChunk(state, length, from)
    }
    return { count, keyword, end }
  }
  return { keywords, scan }
}

/** Entries of the table that the processor reads at once. */
const lineOfCache = 16

/**
 * Bytes that no keyword holds behave alike, so the table needs only a column for each that one does. The columns of the
 * commonest letters stand first in every row: what a text mostly asks for then fits the nearest cache.
 */
function classify(keywords: readonly string[]): { classOf: Uint8Array; classes: number } {
  const classOf = new Uint8Array(256)
  let classes = 1
  for (const char of new Set('etaoinsrlcdumph' + keywords.join(''))) {
    const code = char.charCodeAt(0)
    if (code > 127) throw new Error('a keyword holds a character beyond ASCII')
    classOf[code] = classes
    if (char >= 'a' && char <= 'z') classOf[code - 32] = classes
    classes++
  }
  return { classOf, classes: Math.ceil(classes / lineOfCache) * lineOfCache }
}

interface States {
  /**
   * A row for each state; a state is known by where its row begins, the first by `classes`. An entry is the state to go
   * to, negative where a keyword ends there: one look at memory per byte. 0 is not known yet.
   */
  readonly next: Int32Array
  /** By number of the state: the keyword that ends there, plus one. */
  readonly found: Uint16Array
  /** By number of the state: the next longest suffix that is itself a keyword, 0 for none. */
  readonly longerSuffix: Uint16Array
  /** Fills in an entry that is not known yet. */
  resolve(state: number, byteClass: number): number
}

/**
 * The tree of the keywords is built at once, the rest of the table when a text asks for it: most of it never is, and
 * filling it all would cost more than everything else at start.
 */
function buildStates(keywords: readonly string[], classOf: Uint8Array, classes: number): States {
  const most = countStates(keywords)
  const next = new Int32Array(most * classes)
  const found = new Uint16Array(most)
  const parent = new Int32Array(most)
  const lastClass = new Uint8Array(most)
  // Level by level, so that the states near the root, where nearly every byte of a text leads, stand close together.
  const reached = keywords.map(() => classes)
  const deepest = keywords.reduce((most, keyword) => Math.max(most, keyword.length), 0)
  let states = 2
  for (let depth = 0; depth < deepest; depth++) {
    for (let index = 0; index < keywords.length; index++) {
      const keyword = keywords[index]!
      if (depth >= keyword.length) continue
      const state = reached[index]!
      const byteClass = classOf[keyword.charCodeAt(depth)]!
      if (next[state + byteClass] === 0) {
        next[state + byteClass] = states * classes
        parent[states] = state
        lastClass[states] = byteClass
        states++
      }
      reached[index] = next[state + byteClass]!
      if (depth === keyword.length - 1) found[reached[index]! / classes] = index + 1
    }
  }

  const root = classes
  const suffix = new Int32Array(states)
  const longerSuffix = new Uint16Array(states)
  const resolve = (state: number, byteClass: number): number => {
    const known = next[state + byteClass]!
    if (known !== 0) return known
    const entry = state === root ? root : resolve(suffix[state / classes]!, byteClass)
    next[state + byteClass] = entry
    return entry
  }
  for (let state = 2; state < states; state++) {
    const above = parent[state]!
    suffix[state] = above === root ? root : Math.abs(resolve(suffix[above / classes]!, lastClass[state]!))
    const shorter = suffix[state]! / classes
    longerSuffix[state] = found[shorter] === 0 ? longerSuffix[shorter]! : shorter
    // A state that ends no keyword itself may still end one of its suffixes.
    if (found[state] === 0 && longerSuffix[state] !== 0) {
      found[state] = found[longerSuffix[state]!]!
      longerSuffix[state] = longerSuffix[longerSuffix[state]!]!
    }
    if (found[state] !== 0) next[above + lastClass[state]!] = -state * classes
  }
  return { next, found, longerSuffix, resolve }
}

/** One for each beginning that a keyword has not in common with its neighbour in order, and the two that are always there. */
function countStates(keywords: readonly string[]): number {
  let count = 2
  let before = ''
  for (const keyword of [...keywords].sort()) {
    let same = 0
    while (same < before.length && before[same] === keyword[same]) same++
    count += keyword.length - same
    before = keyword
  }
  return count
}

function grow(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}
