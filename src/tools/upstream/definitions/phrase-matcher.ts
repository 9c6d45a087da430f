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
    if (elided !== '') tokens.push({ word: elided, start, end: start + elided.length })
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
  let places = new Set([at])
  for (const element of elements) {
    const next = new Set<number>(element.isOptional ? places : [])
    for (const here of within(tokens, places, element.gap)) {
      for (const end of endsOf(tokens, here, element)) next.add(end)
    }
    if (next.size === 0) return undefined
    places = next
  }
  return Math.min(...places)
}

/** Each place once that can be reached from one of these without leaving the sentence. */
function within(tokens: readonly Token[], places: Iterable<number>, gap: number): Set<number> {
  const reached = new Set<number>()
  for (const place of places) {
    for (let here = place; here <= place + gap && here < tokens.length; here++) {
      if (tokens[here]?.word === sentenceEnd) break
      reached.add(here)
    }
  }
  return reached
}

function endsOf(tokens: readonly Token[], at: number, { rests, pattern }: Element): number[] {
  const word = tokens[at]?.word ?? ''
  if (pattern !== undefined) return pattern.test(word) ? [at + 1] : []
  return (rests.get(word) ?? []).flatMap((rest) =>
    rest.every((one, offset) => tokens[at + 1 + offset]?.word === one) ? [at + 1 + rest.length] : [],
  )
}
