/**
 * Finds phrases by their words, with gaps between them. Each position is tried once per phrase that can begin there, and
 * phrases have a max length, so the time is linear in the text.
 */

/** Words with the same meaning, by the name that phrases use. */
export type Concepts = Readonly<Record<string, string | RegExp>>

export interface Phrase {
  readonly rule: string
  readonly why: string
  /**
   * For example `NOT 2 TELL 4 the? USER`. Capitals name a concept, a number is the max number of other words of the same
   * sentence at that point, `a|b` is a choice, and `?` marks an optional word.
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

/** The token for the end of a sentence; phrases do not cross it. */
const sentenceEnd = '.'

/** Words, Han characters and sentence ends of a text in plain letters. */
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

/** Without surrounding punctuation. By index, to stay linear for very long words. */
function trimmed(word: string): string {
  let start = 0
  let end = word.length
  while (start < end && `'":-`.includes(word.charAt(start))) start++
  while (end > start && `'":-.`.includes(word.charAt(end - 1))) end--
  return word.slice(start, end)
}

interface Element {
  readonly kind: 'words' | 'test'
  /** The words that follow, by the first word. */
  readonly rests: ReadonlyMap<string, readonly (readonly string[])[]>
  readonly pattern?: RegExp
  /** Max number of other words before it. */
  readonly gap: number
  readonly isOptional: boolean
}

interface Sequence {
  readonly phrase: Phrase
  readonly elements: readonly Element[]
}

/** Returns the first match of each rule. */
export type PhraseMatcher = (text: string) => readonly PhraseMatch[]

export function createMatcher(concepts: Concepts, phrases: readonly Phrase[]): PhraseMatcher {
  const byFirstWord = new Map<string, Sequence[]>()
  for (const phrase of phrases) {
    for (const text of phrase.sequences) {
      const elements = compile(text, concepts)
      const [first] = elements
      if (first === undefined || first.kind === 'test' || first.isOptional || first.gap > 0) {
        throw new Error(`a phrase must begin with a word: ${text}`)
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

/** The end of the match; undefined if missing. */
function matchAt(tokens: readonly Token[], at: number, elements: readonly Element[]): number | undefined {
  let places = [at]
  for (const element of elements) {
    const next = placesAfter(tokens, places, element)
    if (next.length === 0) return undefined
    places = next
  }
  return places[0]
}

/** Sorted positions after the element, starting from any of the sorted `places`. */
function placesAfter(tokens: readonly Token[], places: readonly number[], element: Element): number[] {
  const { gap, isOptional, pattern, rests } = element
  const next = isOptional ? [...places] : []
  let tried = -1
  for (const place of places) {
    // Positions that an earlier place covered are not tried again.
    for (let here = Math.max(place, tried + 1); here <= place + gap && here < tokens.length; here++) {
      const word = tokens[here]?.word ?? sentenceEnd
      if (word === sentenceEnd) break
      tried = here
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
