/** Finds any number of keywords in one pass over a text (Aho-Corasick with a full transition table). */

export interface Hits {
  /** Number of valid entries in the arrays below. */
  readonly count: number
  readonly keyword: Int32Array
  /** End offset of each hit, in ascending order. */
  readonly end: Int32Array
}

export interface Automaton {
  readonly keywords: readonly string[]
  /** Every occurrence of every keyword, case-insensitively. The arrays are reused by the next call. */
  scan(text: string): Hits
}

/** Small enough to stay in the L1 cache together with the table. */
const chunkLength = 16_384

/** Keywords must be lower-case ASCII. */
export function buildAutomaton(keywords: readonly string[]): Automaton {
  const { classOf, classes } = classify(keywords)
  const { next, endingKeyword, keywordSuffix, resolve } = buildStates(keywords, classOf, classes)
  let keyword = new Int32Array(1024)
  let end = new Int32Array(1024)

  const bytes = Buffer.alloc(chunkLength)
  let count = 0

  /** Continues from state `start`; the chunk starts at `from` in the text. */
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
      for (let hit = state / classes; hit !== 0; hit = keywordSuffix[hit]!) {
        if (count === end.length) {
          keyword = grow(keyword)
          end = grow(end)
        }
        keyword[count] = endingKeyword[hit]! - 1
        end[count++] = from + at + 1
      }
    }
    return state
  }

  const scan = (text: string): Hits => {
    count = 0
    let state = classes
    for (let from = 0; from < text.length; from += chunkLength) {
      // One byte per UTF-16 unit preserves offsets. Characters beyond Latin-1 are truncated, which can only add false hits.
      const length = bytes.write(text.slice(from, from + chunkLength), 0, 'latin1')
      state = scanChunk(state, length, from)
    }
    return { count, keyword, end }
  }
  return { keywords, scan }
}

/** Table entries per cache line. */
const entriesPerCacheLine = 16

/**
 * Bytes that occur in no keyword share one column of the table. The columns of the most common letters come first in
 * every row, so that the part of the table used most fits the L1 cache.
 */
function classify(keywords: readonly string[]): { classOf: Uint8Array; classes: number } {
  const classOf = new Uint8Array(256)
  let classes = 1
  for (const char of new Set('etaoinsrlcdumph' + keywords.join(''))) {
    const code = char.charCodeAt(0)
    if (code > 127) throw new Error('a keyword contains a non-ASCII character')
    classOf[code] = classes
    if (char >= 'a' && char <= 'z') classOf[code - 32] = classes
    classes++
  }
  return { classOf, classes: Math.ceil(classes / entriesPerCacheLine) * entriesPerCacheLine }
}

interface States {
  /**
   * One row per state. A state is identified by the offset of its row; the root is `classes`. An entry is the next state,
   * negated if a keyword ends there, so that each byte costs one memory access. 0 means not computed yet.
   */
  readonly next: Int32Array
  /** By state number: the index of the keyword that ends there, plus one. */
  readonly endingKeyword: Uint16Array
  /** By state number: the next-longest suffix that is itself a keyword, or 0. */
  readonly keywordSuffix: Uint16Array
  /** Computes an entry that is still 0. */
  resolve(state: number, byteClass: number): number
}

/**
 * The trie is built eagerly, the rest of the table on demand: most entries are never used, and computing all of them
 * would dominate the startup time.
 */
function buildStates(keywords: readonly string[], classOf: Uint8Array, classes: number): States {
  const maxStates = countStates(keywords)
  const next = new Int32Array(maxStates * classes)
  const endingKeyword = new Uint16Array(maxStates)
  const parent = new Int32Array(maxStates)
  const lastClass = new Uint8Array(maxStates)
  // Breadth-first, so that the states near the root, which nearly every byte leads to, are adjacent in memory.
  const reached = keywords.map(() => classes)
  const maxDepth = keywords.reduce((max, keyword) => Math.max(max, keyword.length), 0)
  let states = 2
  for (let depth = 0; depth < maxDepth; depth++) {
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
      if (depth === keyword.length - 1) endingKeyword[reached[index]! / classes] = index + 1
    }
  }

  const root = classes
  const suffix = new Int32Array(states)
  const keywordSuffix = new Uint16Array(states)
  const resolve = (state: number, byteClass: number): number => {
    const known = next[state + byteClass]!
    if (known !== 0) return known
    const entry = state === root ? root : resolve(suffix[state / classes]!, byteClass)
    next[state + byteClass] = entry
    return entry
  }
  for (let state = 2; state < states; state++) {
    const parentState = parent[state]!
    suffix[state] =
      parentState === root ? root : Math.abs(resolve(suffix[parentState / classes]!, lastClass[state]!))
    const suffixState = suffix[state]! / classes
    keywordSuffix[state] = endingKeyword[suffixState] === 0 ? keywordSuffix[suffixState]! : suffixState
    // Even if no keyword ends in this state, one may end in a suffix of it.
    if (endingKeyword[state] === 0 && keywordSuffix[state] !== 0) {
      endingKeyword[state] = endingKeyword[keywordSuffix[state]!]!
      keywordSuffix[state] = keywordSuffix[keywordSuffix[state]!]!
    }
    if (endingKeyword[state] !== 0) next[parentState + lastClass[state]!] = -state * classes
  }
  return { next, endingKeyword, keywordSuffix, resolve }
}

/** One state per prefix that a keyword does not share with its sorted predecessor, plus the root and the unused state 0. */
function countStates(keywords: readonly string[]): number {
  let count = 2
  let previous = ''
  for (const keyword of [...keywords].sort()) {
    let sharedLength = 0
    while (sharedLength < previous.length && previous[sharedLength] === keyword[sharedLength]) sharedLength++
    count += keyword.length - sharedLength
    previous = keyword
  }
  return count
}

function grow(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}
