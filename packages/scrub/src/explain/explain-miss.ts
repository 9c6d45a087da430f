/** Why a rule reported nothing at its keyword: repeats the checks of the engine one by one. */

import { classifyName } from '../assignments/name.ts'
import { readName, readValue } from '../assignments/read.ts'
import { isPlaceholder, isPublicValue } from '../assignments/value.ts'
import { startsAtBoundary, endsAtBoundary } from '../text/boundaries.ts'
import { looksRandom, looksWritten, shannonEntropy } from '../text/randomness.ts'
import type { SecretRule } from '../rules/rule.ts'
import { counted } from '@contextd/shared/text/counted'

export type MissReason =
  | 'form'
  | 'boundary'
  | 'entropy'
  | 'placeholder'
  | 'words'
  | 'public'
  | 'no-assignment'
  | 'name'
  | 'short'
  | 'code'
  | 'unrelated'
  | 'no-login'
  | 'no-key'
  | 'no-data'
  | 'allowed'
  | 'pattern'

export interface Miss {
  readonly reason: MissReason
  /** The reason in words, without the text itself. */
  readonly detail: string
  /** The text that was checked; missing if nothing had the right format. */
  readonly start?: number
  readonly end?: number
}

export interface KeywordHit {
  /** Lower case, as in the rules. */
  readonly keyword: string
  readonly start: number
  readonly end: number
}

/** Maximum distance between a keyword and its value. */
const maxDistance = 96
const maxShapeLength = 2048

/** Undefined if the keyword is only a part of a longer word. */
export function missOfRule(text: string, rule: SecretRule, hit: KeywordHit): Miss | undefined {
  const { recognition } = rule
  if (recognition.by === 'prefix') {
    const match = matchAt(text, recognition.pattern, hit.start)
    if (match !== undefined) return rejectedMatch(text, match, rule)
    return startsAtBoundary(text, hit.start) ? wrongFormat(text, rule, hit) : undefined
  }
  const from = recognition.by === 'shape' ? hit.start - recognition.before : hit.end
  const to = recognition.by === 'shape' ? hit.end + maxShapeLength : hit.end + maxDistance + maxShapeLength
  const match = search(text, recognition.pattern, Math.max(0, from), to)
  if (match === undefined || (recognition.by === 'name' && match.start > hit.end + maxDistance)) {
    return wrongFormat(text, rule, hit)
  }
  return rejectedMatch(text, match, rule)
}

interface MatchSpan {
  readonly start: number
  readonly end: number
}

function matchAt(text: string, pattern: string, at: number): MatchSpan | undefined {
  const regex = new RegExp(pattern, 'y')
  regex.lastIndex = at
  return regex.test(text) ? { start: at, end: regex.lastIndex } : undefined
}

function search(text: string, pattern: string, from: number, to: number): MatchSpan | undefined {
  const match = new RegExp(pattern, 'd').exec(text.slice(from, to))
  if (match === null) return undefined
  const [start, end] = match.indices?.groups?.secret ?? [match.index, match.index + match[0].length]
  return { start: from + start, end: from + end }
}

/** Some patterns are long; the first part is enough. */
const maxPatternLength = 100

function wrongFormat(
  text: string,
  { recognition: { by, pattern } }: SecretRule,
  { start }: KeywordHit,
): Miss {
  const form = pattern.length > maxPatternLength ? `${pattern.slice(0, maxPatternLength)}…` : pattern
  if (by !== 'prefix') return { reason: 'form', detail: `nothing near the keyword has the format ${form}` }
  const run = /^[^\s"'`,;<>(){}[\]\\]*/.exec(text.slice(start, start + maxShapeLength))?.[0].length ?? 0
  return {
    reason: 'form',
    detail: `the text there (${counted(run, 'character')}) does not have the format ${form}: wrong length or characters`,
    start,
    end: start + run,
  }
}

/** Explains a match of the pattern that was not reported. */
function rejectedMatch(text: string, span: MatchSpan, rule: SecretRule): Miss {
  const value = text.slice(span.start, span.end)
  return { ...reasonAgainst(text, value, span, rule), ...span }
}

function reasonAgainst(text: string, value: string, { start, end }: MatchSpan, rule: SecretRule): Miss {
  const entropy = shannonEntropy(value)
  const minEntropy = Math.max(rule.entropy ?? 0, 1.5)
  if (isPlaceholder(value)) return placeholder
  if (rule.recognition.by === 'name') {
    if (isPublicValue(value)) return publicValue
    if (looksWritten(value)) return words
  }
  if (entropy < minEntropy) {
    const detail = `its entropy is ${entropy.toFixed(2)} bits per character, but at least ${minEntropy} are required`
    return { reason: 'entropy', detail }
  }
  if (rule.random === true && !looksRandom(value)) return words
  if (!endsAtBoundary(text, end)) {
    return {
      reason: 'boundary',
      detail: 'it is part of something longer: the text continues directly after it',
    }
  }
  if (!startsAtBoundary(text, start)) {
    return { reason: 'boundary', detail: 'a letter, digit or underscore directly precedes it' }
  }
  return {
    reason: 'unrelated',
    detail: 'nothing connects it to the keyword: no assignment, no word for a secret, or a word for a hash',
  }
}

const placeholder: Miss = { reason: 'placeholder', detail: 'it is a placeholder, as in documentation' }
const publicValue: Miss = {
  reason: 'public',
  detail: 'it is a hash, version, date, address, path or public key, which grants no access',
}
const words: Miss = { reason: 'words', detail: 'it looks like written text, not random' }

/** For names such as `password` and `api_key`. */
export function missOfAssignment(text: string, { start, end }: KeywordHit): Miss {
  const name = readName(text, start, end)
  if (name === undefined) return { reason: 'no-assignment', detail: 'nothing is assigned to that name' }
  const nameClass = classifyName(text.slice(name.nameStart, name.nameEnd))
  if (nameClass === 'none') {
    return { reason: 'name', detail: 'a name like this refers to secrets but does not contain one' }
  }
  const { valueStart, valueEnd } = readValue(text, name)
  const value = text.slice(valueStart, valueEnd)
  const span = { start: valueStart, end: valueEnd }
  if (isPlaceholder(value)) return { ...placeholder, ...span }
  const minLength = nameClass === 'password' ? 4 : 10
  if (value.length < minLength) {
    const detail = `the value has ${counted(value.length, 'character')}, but a name like this needs at least ${minLength}`
    return { reason: 'short', detail, ...span }
  }
  if (isPublicValue(value)) return { ...publicValue, ...span }
  if (nameClass === 'secret' && !looksRandom(value)) return { ...words, ...span }
  return {
    reason: 'code',
    detail: 'the value is code, a reference, a name or a sentence, not a literal',
    ...span,
  }
}

export function missOfUrl(text: string, { end }: KeywordHit): Miss | undefined {
  const login = /^[^\s"'<>`\\/?]{0,1024}@/.exec(text.slice(end, end + 1026))?.[0]
  // Most URLs contain no credentials.
  if (login === undefined) return undefined
  const detail = 'the URL contains no password, or one that is short, a placeholder or a variable'
  return { reason: 'no-login', detail, start: end, end: end + login.length - 1 }
}

export const missOfKeyBlock: Miss = {
  reason: 'no-key',
  detail: 'no private key data follows this marker',
}

export const missOfKubernetes: Miss = {
  reason: 'no-data',
  detail: 'this object contains no data',
}
