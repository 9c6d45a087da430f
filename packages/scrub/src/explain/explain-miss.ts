/** Why a rule did not take what its keyword pointed to: the engine's own judgements, asked again one by one. */

import { classifyName } from '../assignments/name.ts'
import { readName, readValue } from '../assignments/read.ts'
import { isPlaceholder, isPublicValue } from '../assignments/value.ts'
import { startsAtBoundary, endsAtBoundary } from '../text/boundaries.ts'
import { looksRandom, looksWritten, shannonEntropy } from '../text/randomness.ts'
import type { SecretRule } from '../rules/rule.ts'

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
  /** The same in words, without the text itself. */
  readonly detail: string
  /** What was looked at; missing where there was nothing of the right form. */
  readonly start?: number
  readonly end?: number
}

export interface KeywordHit {
  /** Lower case, as the rules have it. */
  readonly keyword: string
  readonly start: number
  readonly end: number
}

/** How far from its keyword a value is looked for. */
const reach = 96
const shapeReach = 2048

/** Undefined where the keyword only happens to be in the middle of something else. */
export function missOfRule(text: string, rule: SecretRule, hit: KeywordHit): Miss | undefined {
  const { recognition } = rule
  if (recognition.by === 'prefix') {
    const match = matchAt(text, recognition.pattern, hit.start)
    if (match !== undefined) return judged(text, match, rule)
    return startsAtBoundary(text, hit.start) ? noForm(text, rule, hit) : undefined
  }
  const from = recognition.by === 'shape' ? hit.start - recognition.before : hit.end
  const to = recognition.by === 'shape' ? hit.end + shapeReach : hit.end + reach + shapeReach
  const match = search(text, recognition.pattern, Math.max(0, from), to)
  if (match === undefined || (recognition.by === 'name' && match.start > hit.end + reach)) {
    return noForm(text, rule, hit)
  }
  return judged(text, match, rule)
}

interface Stretch {
  readonly start: number
  readonly end: number
}

function matchAt(text: string, pattern: string, at: number): Stretch | undefined {
  const regex = new RegExp(pattern, 'y')
  regex.lastIndex = at
  return regex.test(text) ? { start: at, end: regex.lastIndex } : undefined
}

function search(text: string, pattern: string, from: number, to: number): Stretch | undefined {
  const match = new RegExp(pattern, 'd').exec(text.slice(from, to))
  if (match === null) return undefined
  const [start, end] = match.indices?.groups?.secret ?? [match.index, match.index + match[0].length]
  return { start: from + start, end: from + end }
}

/** Patterns of some rules are long, and their beginning says enough. */
const maxPatternLength = 100

function noForm(text: string, { recognition: { by, pattern } }: SecretRule, { start }: KeywordHit): Miss {
  const form = pattern.length > maxPatternLength ? `${pattern.slice(0, maxPatternLength)}…` : pattern
  if (by !== 'prefix') return { reason: 'form', detail: `nothing near the keyword has the form ${form}` }
  const run = /^[^\s"'`,;<>(){}[\]\\]*/.exec(text.slice(start, start + shapeReach))?.[0].length ?? 0
  return {
    reason: 'form',
    detail: `the ${run} characters from there do not have the form ${form}: wrong length or characters`,
    start,
    end: start + run,
  }
}

/** A stretch of the right form that was not taken all the same. */
function judged(text: string, stretch: Stretch, rule: SecretRule): Miss {
  const value = text.slice(stretch.start, stretch.end)
  return { ...reasonAgainst(text, value, stretch, rule), ...stretch }
}

function reasonAgainst(text: string, value: string, { start, end }: Stretch, rule: SecretRule): Miss {
  const entropy = shannonEntropy(value)
  const least = Math.max(rule.entropy ?? 0, 1.5)
  if (isPlaceholder(value)) return placeholder
  if (rule.recognition.by === 'name') {
    if (isPublicValue(value)) return publicValue
    if (looksWritten(value)) return words
  }
  if (entropy < least) {
    const detail = `its entropy is ${entropy.toFixed(2)} bits per character, and a real one has at least ${least}`
    return { reason: 'entropy', detail }
  }
  if (rule.random === true && !looksRandom(value)) return words
  if (!endsAtBoundary(text, end)) {
    return {
      reason: 'boundary',
      detail: 'the text runs on behind it, so that it is a part of something longer',
    }
  }
  if (!startsAtBoundary(text, start)) {
    return { reason: 'boundary', detail: 'a letter, digit or underscore stands directly before it' }
  }
  return {
    reason: 'unrelated',
    detail:
      'nothing says that it belongs to the keyword: no assignment, no word for a secret, or a word for a hash',
  }
}

const placeholder: Miss = { reason: 'placeholder', detail: 'it is a placeholder, as manuals write it' }
const publicValue: Miss = {
  reason: 'public',
  detail: 'it is a hash, version, date, address, path or public key, which opens nothing',
}
const words: Miss = { reason: 'words', detail: 'it looks written, not drawn at random' }

/** For names such as `password` and `api_key`. */
export function missOfAssignment(text: string, { start, end }: KeywordHit): Miss {
  const name = readName(text, start, end)
  if (name === undefined) return { reason: 'no-assignment', detail: 'nothing is assigned to that name' }
  const nameClass = classifyName(text.slice(name.nameStart, name.nameEnd))
  if (nameClass === 'none') {
    return { reason: 'name', detail: 'a name like this speaks about secrets and does not hold one' }
  }
  const { valueStart, valueEnd } = readValue(text, name)
  const value = text.slice(valueStart, valueEnd)
  const stretch = { start: valueStart, end: valueEnd }
  if (isPlaceholder(value)) return { ...placeholder, ...stretch }
  const least = nameClass === 'password' ? 4 : 10
  if (value.length < least) {
    const detail = `the value has ${value.length} characters, and under such a name at least ${least} count`
    return { reason: 'short', detail, ...stretch }
  }
  if (isPublicValue(value)) return { ...publicValue, ...stretch }
  if (nameClass === 'secret' && !looksRandom(value)) return { ...words, ...stretch }
  return {
    reason: 'code',
    detail: 'the value is code, a reference, a name or a sentence and not a literal',
    ...stretch,
  }
}

export function missOfUrl(text: string, { end }: KeywordHit): Miss | undefined {
  const login = /^[^\s"'<>`\\/?]{0,1024}@/.exec(text.slice(end, end + 1026))?.[0]
  // Most addresses have none.
  if (login === undefined) return undefined
  const detail = 'the login holds no password, or one that is short, a placeholder or a variable'
  return { reason: 'no-login', detail, start: end, end: end + login.length - 1 }
}

export const missOfKeyBlock: Miss = {
  reason: 'no-key',
  detail: 'no lines of a private key stand at this marker',
}

export const missOfKubernetes: Miss = {
  reason: 'no-data',
  detail: 'no data stands in this object',
}
