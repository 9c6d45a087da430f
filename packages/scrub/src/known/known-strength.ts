/** Decides which values are searched for. Searching for a common word would turn ordinary text into tokens. */

import { alphanumeric, minBodyLength, skeletonOf, visible } from './known-windows.ts'
import { looksRandom, looksWritten, shannonEntropy } from '../text/randomness.ts'

/** Longer values are neither words nor names, and are judged by their prefix. */
const maxJudgedLength = 256

export function isDistinctive(value: string): boolean {
  if (isPeriodic(value) || isIdentifier(value)) return false
  const core = value.slice(0, maxJudgedLength).trim()
  const skeleton = skeletonOf(core, alphanumeric)
  const isVaried = shannonEntropy(skeleton) >= Math.min(2.5, 0.7 * Math.log2(skeleton.length))
  if (value.length > maxJudgedLength) return isVaried
  if (isReference(core)) return false
  if (skeleton.length < minBodyLength || !isVaried) return isStrongWithPunctuation(core)
  if (isNumberLike(core) || isAddress(core)) return false
  const word = core.toLowerCase().replace(/(?<![\d!?.*#$])[\d!?.*#$]+$/, '')
  if (defaults.has(word.replace(/[-_ ]/g, ''))) return false
  return /[^A-Za-z\s._/-]/.test(core) || !isMadeOfWords(core)
}

/** `httplib2`, `asn1Spec`, `DATA_FROM_LOCAL`: names chosen by people occur in many texts. */
function isIdentifier(value: string): boolean {
  const letters = value.replace(/\d/g, '')
  if (letters.length < 7 || value.length > 24 || !/^[A-Za-z_]+(?:\d{1,2}[A-Za-z_]*)?$/.test(value))
    return false
  const capitals = letters.match(/[A-Z]+/g)?.length ?? 0
  return capitals <= letters.length / 5 && !looksRandom(value) && looksWritten(letters)
}

/** A short repeated pattern: never a real secret, and expensive to compare with a text. */
function isPeriodic(value: string): boolean {
  if (value.length < 128) return false
  const seen = new Set<string>()
  for (let at = 0; at + 8 <= value.length; at++) seen.add(value.slice(at, at + 8))
  return seen.size < value.length / 4
}

/** Refers to a value instead of being one: `${TOKEN}`, `<token>`, `{{ token }}`, `$(cat token)`, `process.env.TOKEN`. */
function isReference(core: string): boolean {
  return (
    /^(?:\$\w+|\$\{[^}]*\}|\$\([^)]*\)|<[^<>]*>|\{\{[^}]*\}\}|%\w+%|\[\w+\])$/.test(core) ||
    /^(?:process\.env|os\.environ|env|secrets|vars?)[.[]/i.test(core)
  )
}

/** Numbers, dates, times, versions, IP and MAC addresses. */
function isNumberLike(core: string): boolean {
  return (
    /^[\d\s.,:;/_+TZ-]+$/.test(core) ||
    /^v?\d+(?:\.\d+)+(?:[-+.][a-z0-9]{1,8})*$/i.test(core) ||
    /^(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?:\/\d+)?$/i.test(core)
  )
}

/** Paths, host names, email addresses and URLs in which no part looks like a key. */
function isAddress(core: string): boolean {
  const path = /^(?:~|\.{1,2}|[A-Za-z]:)?(?:[\\/][\w.@+ -]+){2,}[\\/]?$/
  const host = /^(?:[\w.+-]+@)?[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,10}(?::\d+)?$/
  const web = /^[a-z][a-z\d+]*:\/\/[^\s@]*$/i
  if (!path.test(core) && !host.test(core) && !web.test(core)) return false
  return !core.split(/[^A-Za-z\d]+/).some((part) => part.length >= 8 && looksRandom(part))
}

/** Few ASCII letters and digits, but punctuation or letters of other scripts: `x9$K!q2@`. */
function isStrongWithPunctuation(core: string): boolean {
  const seen = skeletonOf(core, visible)
  if (seen.length < minBodyLength || seen.length !== core.length || shannonEntropy(seen) < 2.75) return false
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[!-/:-@[-`{-~]/, /[^!-~]/].filter((kind) => kind.test(seen)).length
  return (
    kinds >= (/[^!-~]/.test(seen) ? 2 : 3) &&
    /[\dA-Za-z\u{a1}-\u{ffff}][^\dA-Za-z\u{a1}-\u{ffff}]*[\dA-Za-z\u{a1}-\u{ffff}]/u.test(seen)
  )
}

/** Default passwords and values from examples, which are rarely real secrets. */
const defaults = new Set(
  (
    'password passwort passwd passphrase changeme changeit changethis letmein administrator localhost development ' +
    'production placeholder undefined example username qwerty qwertyuiop abcdefgh abcdefghij abcdefghijklmnopqrstuvwxyz ' +
    'mypassword mysecret secretkey apikey accesstoken testtest testpassword superuser postgres postgresql ' +
    'mongodb rabbitmq minioadmin elasticsearch iloveyou welcome redacted'
  ).split(' '),
)

/** A value that contains one of these words is a placeholder: `your-secret-goes-here`. */
const placeholderWords = new Set(
  (
    'your my the here goes example sample dummy fake test todo replace insert change enter placeholder password ' +
    'passwd secret token key api default value string'
  ).split(' '),
)

/** For values of letters only. Four or more separated words are a passphrase, fewer are a name. */
function isMadeOfWords(core: string): boolean {
  const parts = core.split(/[\s._/-]+/).filter((part) => part !== '')
  const letters = parts.join('')
  if (parts.every((part) => /^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(part))) {
    if (parts.some((part) => placeholderWords.has(part.toLowerCase()))) return true
    if (parts.every((part) => part.length === 4) && parts.length === 4) return !parts.some(isUnpronounceable)
    return parts.length < 4 ? !isUnpronounceable(letters) : letters.length < 20
  }
  return !looksRandom(letters)
}

/** Has more consecutive consonants than any natural language. */
function isUnpronounceable(letters: string): boolean {
  return letters.length >= 4 && /[b-df-hj-np-tv-xz]{5}|^[b-df-hj-np-tv-xz]{4}$/i.test(letters)
}
