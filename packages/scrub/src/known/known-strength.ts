/** Which values are worth hunting. A word that everybody writes, once hunted, would turn ordinary text into tokens. */

import { alphanumeric, minBodyLength, skeletonOf, visible } from './known-windows.ts'
import { looksRandom, looksWritten, shannonEntropy } from '../text/randomness.ts'

/** What is longer is neither a word nor a name, and its beginning says what it is. */
const maxJudgedLength = 256

export function isDistinctive(value: string): boolean {
  if (isPeriodic(value) || isIdentifier(value)) return false
  const core = value.slice(0, maxJudgedLength).trim()
  const skeleton = skeletonOf(core, alphanumeric)
  const isVaried = shannonEntropy(skeleton) >= Math.min(2.5, 0.7 * Math.log2(skeleton.length))
  if (value.length > maxJudgedLength) return isVaried
  if (isReference(core)) return false
  if (skeleton.length < minBodyLength || !isVaried) return isStrongWithSigns(core)
  if (isNumberLike(core) || isAddress(core)) return false
  const word = core.toLowerCase().replace(/(?<![\d!?.*#$])[\d!?.*#$]+$/, '')
  if (defaults.has(word.replace(/[-_ ]/g, ''))) return false
  return /[^A-Za-z\s._/-]/.test(core) || !isMadeOfWords(core)
}

/** `httplib2`, `asn1Spec`, `DATA_FROM_LOCAL`: what a person calls a thing stands in many texts. */
function isIdentifier(value: string): boolean {
  const letters = value.replace(/\d/g, '')
  if (letters.length < 7 || value.length > 24 || !/^[A-Za-z_]+(?:\d{1,2}[A-Za-z_]*)?$/.test(value))
    return false
  const capitals = letters.match(/[A-Z]+/g)?.length ?? 0
  return capitals <= letters.length / 5 && !looksRandom(value) && looksWritten(letters)
}

/** One stretch over and over: nobody issues that, and comparing it with a text has no end. */
function isPeriodic(value: string): boolean {
  if (value.length < 128) return false
  const seen = new Set<string>()
  for (let at = 0; at + 8 <= value.length; at++) seen.add(value.slice(at, at + 8))
  return seen.size < value.length / 4
}

/** Stands for a value instead of being one: `${TOKEN}`, `<token>`, `{{ token }}`, `$(cat token)`, `process.env.TOKEN`. */
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

/** Paths, host names, mail and web addresses in which nothing looks like a key. */
function isAddress(core: string): boolean {
  const path = /^(?:~|\.{1,2}|[A-Za-z]:)?(?:[\\/][\w.@+ -]+){2,}[\\/]?$/
  const host = /^(?:[\w.+-]+@)?[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,10}(?::\d+)?$/
  const web = /^[a-z][a-z\d+]*:\/\/[^\s@]*$/i
  if (!path.test(core) && !host.test(core) && !web.test(core)) return false
  return !core.split(/[^A-Za-z\d]+/).some((part) => part.length >= 8 && looksRandom(part))
}

/** Few letters and digits, but signs or letters of other scripts between them: `x9$K!q2@`. */
function isStrongWithSigns(core: string): boolean {
  const seen = skeletonOf(core, visible)
  if (seen.length < minBodyLength || seen.length !== core.length || shannonEntropy(seen) < 2.75) return false
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[!-/:-@[-`{-~]/, /[^!-~]/].filter((kind) => kind.test(seen)).length
  return (
    kinds >= (/[^!-~]/.test(seen) ? 2 : 3) &&
    /[\dA-Za-z\u{a1}-\u{ffff}][^\dA-Za-z\u{a1}-\u{ffff}]*[\dA-Za-z\u{a1}-\u{ffff}]/u.test(seen)
  )
}

/** What stands in examples and in fresh installations; more of it is public than secret. */
const defaults = new Set(
  (
    'password passwort passwd passphrase changeme changeit changethis letmein administrator localhost development ' +
    'production placeholder undefined example username qwerty qwertyuiop abcdefgh abcdefghij abcdefghijklmnopqrstuvwxyz ' +
    'mypassword mysecret secretkey apikey accesstoken testtest testpassword superuser postgres postgresql ' +
    'mongodb rabbitmq minioadmin elasticsearch iloveyou welcome redacted'
  ).split(' '),
)

/** A value with one of these in it speaks of a secret instead of being one: `your-secret-goes-here`. */
const talk = new Set(
  (
    'your my the here goes example sample dummy fake test todo replace insert change enter placeholder password ' +
    'passwd secret token key api default value string'
  ).split(' '),
)

/** Letters only. Four words and more with signs between them are a passphrase, fewer are a name. */
function isMadeOfWords(core: string): boolean {
  const parts = core.split(/[\s._/-]+/).filter((part) => part !== '')
  const letters = parts.join('')
  if (parts.every((part) => /^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(part))) {
    if (parts.some((part) => talk.has(part.toLowerCase()))) return true
    if (parts.every((part) => part.length === 4) && parts.length === 4) return !parts.some(isUnpronounceable)
    return parts.length < 4 ? !isUnpronounceable(letters) : letters.length < 20
  }
  return !looksRandom(letters)
}

/** No language has so many consonants in a row. */
function isUnpronounceable(letters: string): boolean {
  return letters.length >= 4 && /[b-df-hj-np-tv-xz]{5}|^[b-df-hj-np-tv-xz]{4}$/i.test(letters)
}
