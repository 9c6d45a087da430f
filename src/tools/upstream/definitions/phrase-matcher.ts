/**
 * Finds phrases in a text by their words, with gaps between them. Every place is tried once for each phrase that can begin
 * there, and a phrase has a greatest length: no text makes this slow.
 */

/** Words with the same meaning, by the name under which phrases speak of them. */
export type Concepts = Readonly<Record<string, string | RegExp>>

export interface Phrase {
  readonly rule: string
  readonly why: string
  /**
   * Each one a sequence: `NOT 2 TELL 4 the? USER`. Capitals name a concept, a number says how many other words of the same
   * sentence may stand there, `a|b` is a choice, `?` leaves it open.
   */
  readonly sequences: readonly string[]
}

export interface Token {
  readonly word: string
  /** UTF-16 offsets in the text. */
  readonly start: number
  readonly end: number
}

export interface PhraseMatch {
  readonly phrase: Phrase
  readonly start: number
  readonly end: number
}

/** Where a sentence ends; no phrase goes beyond. */
const sentenceEnd = '.'

/** Words, signs of a language that writes no blanks, and ends of sentences. For text in plain letters. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (const match of text.matchAll(/\p{Script=Han}|[;!?。]|[^\s\p{Script=Han},;!?。"()[\]{}<>“”„«»*]+/gu)) {
    const raw = match[0]
    const start = match.index
    const end = start + raw.length
    if (/^[;!?。]$/u.test(raw)) {
      tokens.push({ word: sentenceEnd, start, end })
      continue
    }
    const elided = /^(?:[cdjlmnst]|qu)'(?=.)/.exec(raw)?.[0] ?? ''
    if (elided !== '') tokens.push({ word: elided.slice(0, -1), start, end: start + elided.length })
    const word = trimmed(raw.slice(elided.length))
    const from = start + raw.indexOf(word, elided.length)
    if (word !== '') tokens.push({ word, start: from, end: from + word.length })
    if (raw.endsWith('.')) tokens.push({ word: sentenceEnd, start: end, end })
  }
  return tokens
}

/** Without marks around it. By index: a word may be very long. */
function trimmed(word: string): string {
  let start = 0
  let end = word.length
  while (start < end && `'":-`.includes(word.charAt(start))) start++
  while (end > start && `'":-.`.includes(word.charAt(end - 1))) end--
  return word.slice(start, end)
}

interface Element {
  readonly kind: 'words' | 'test'
  /** By the first word: the words after it. */
  readonly rests: ReadonlyMap<string, readonly (readonly string[])[]>
  readonly pattern?: RegExp
  /** How many words may stand before it. */
  readonly gap: number
  readonly isOptional: boolean
}

interface Sequence {
  readonly phrase: Phrase
  readonly elements: readonly Element[]
}

/** Answers for each rule its first match. */
export type PhraseMatcher = (text: string) => readonly PhraseMatch[]

export function createMatcher(concepts: Concepts, phrases: readonly Phrase[]): PhraseMatcher {
  const byFirstWord = new Map<string, Sequence[]>()
  for (const phrase of phrases) {
    for (const text of phrase.sequences) {
      const elements = compile(text, concepts)
      const [first] = elements
      if (first === undefined || first.kind === 'test' || first.isOptional || first.gap > 0) {
        throw new Error(`a phrase begins with a word: ${text}`)
      }
      for (const word of first.rests.keys()) {
        byFirstWord.set(word, [...(byFirstWord.get(word) ?? []), { phrase, elements }])
      }
    }
  }
  return (text) => {
    const tokens = tokensOf(text)
    const found = new Map<string, PhraseMatch>()
    for (const [at, { word, start }] of tokens.entries()) {
      for (const { phrase, elements } of byFirstWord.get(word) ?? []) {
        if (found.has(phrase.rule)) continue
        const end = matchAt(tokens, at, elements)
        if (end !== undefined) found.set(phrase.rule, { phrase, start, end: tokens[end - 1]?.end ?? start })
      }
    }
    return [...found.values()]
  }
}

function compile(text: string, concepts: Concepts): Element[] {
  const elements: Element[] = []
  let gap = 0
  for (const part of text.split(' ')) {
    if (/^\d+$/.test(part)) {
      gap = Number(part)
      continue
    }
    const isOptional = part.endsWith('?')
    const name = isOptional ? part.slice(0, -1) : part
    const meaning = /^[A-Z]/.test(name) ? concepts[name] : name
    if (meaning === undefined) throw new Error(`no concept ${name}`)
    const common = { gap, isOptional }
    elements.push(
      typeof meaning === 'string'
        ? { kind: 'words', rests: restsOf(meaning), ...common }
        : { kind: 'test', rests: new Map(), pattern: meaning, ...common },
    )
    gap = 0
  }
  return elements
}

function restsOf(alternatives: string): Map<string, string[][]> {
  const rests = new Map<string, string[][]>()
  for (const alternative of alternatives.split('|')) {
    const [first = '', ...rest] = tokensOf(alternative).map(({ word }) => word)
    rests.set(first, [...(rests.get(first) ?? []), rest])
  }
  return rests
}

/** Where the match ends; undefined where there is none. */
function matchAt(tokens: readonly Token[], at: number, elements: readonly Element[]): number | undefined {
  let places = [at]
  for (const element of elements) {
    const next = placesAfter(tokens, places, element)
    if (next.length === 0) return undefined
    places = next
  }
  return places[0]
}

/** Where the words of the element can end, in order, from any of these places, which are in order too. */
function placesAfter(tokens: readonly Token[], places: readonly number[], element: Element): number[] {
  const { gap, isOptional, pattern, rests } = element
  const next = isOptional ? [...places] : []
  let looked = -1
  for (const place of places) {
    // What one place has looked at, the next need not.
    for (let here = Math.max(place, looked + 1); here <= place + gap && here < tokens.length; here++) {
      const word = tokens[here]?.word ?? sentenceEnd
      if (word === sentenceEnd) break
      looked = here
      if (pattern !== undefined) {
        if (pattern.test(word)) next.push(here + 1)
        continue
      }
      for (const rest of rests.get(word) ?? []) {
        if (rest.every((one, offset) => tokens[here + 1 + offset]?.word === one))
          next.push(here + 1 + rest.length)
      }
    }
  }
  return next.length < 2 ? next : [...new Set(next)].sort((left, right) => left - right)
}
