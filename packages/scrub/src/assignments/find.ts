/** Secrets that their name gives away: `key = value` in every syntax, headers, cookies. */

import type { SecretSpan } from '../text/span.ts'
import { looksRandom } from '../text/randomness.ts'
import { readTextTable } from './columns.ts'
import { classifyName, type NameClass } from './name.ts'
import { endOfValue, readName, readValue, walkName, type AssignedName } from './read.ts'
import { isPlaceholder, isPublicValue, isSecretValue } from './value.ts'

export interface AssignmentFound {
  readonly spans: readonly SecretSpan[]
  /** Up to here there is nothing left to find: a keyword before it is part of the same name, or of a secret. */
  readonly readTo: number
}

/** What is assigned to the name that holds the stretch `start`–`end`. */
export function findAssigned(text: string, start: number, keywordEnd: number): AssignmentFound {
  // Some keywords hold their operator, because without it they are parts of many words.
  const end = /[=:]/.test(text[keywordEnd - 1]!) ? keywordEnd - 1 : keywordEnd
  const name = readName(text, start, end)
  if (name === undefined) return findBelow(text, start, end)
  const written = text.slice(name.nameStart, name.nameEnd)
  if (isCookieHeader(text, name, written)) return cookies(text, name)
  const spans = /authorization$|^bearer$/i.test(written)
    ? authorization(text, name)
    : isAssignment(text, name, written)
      ? namedSecret(text, name, classifyName(written))
      : []
  return { spans, readTo: spans[0]?.end ?? name.nameEnd }
}

/** Nothing is assigned to it: perhaps it is the heading of a column. */
function findBelow(text: string, start: number, end: number): AssignmentFound {
  const nameEnd = walkName(text, end)
  const isCell =
    /[,;|\t]/.test(text[nameEnd] ?? '') ||
    /^"?[ ]{0,40}(?:[,;|\t]|\r?\n)/.test(text.slice(nameEnd, nameEnd + 44))
  const table = isCell ? readTextTable(text, start) : undefined
  return table === undefined ? { spans: [], readTo: nameEnd } : { spans: table.spans, readTo: table.end }
}

/** A value in a structure, under its key: the whole text is the value. */
export function isSecretUnder(key: string, value: string): boolean {
  const name = classifyName(key)
  if (isWorkingFolder(key, value)) return false
  return name !== 'none' && isSecretValue(value, { name, style: 'quoted', environment: false })
}

/**
 * `PWD=/tmp/tmp.Xk3ZqP9aLw` in every output of `env`: the folder a shell is in, however random its name. Only below
 * the usual roots, because a password may begin with a slash.
 */
function isWorkingFolder(name: string, value: string): boolean {
  return /^pwd$/i.test(name) && usualRoot.test(value)
}

const usualRoot =
  /^\/(?:Users|Volumes|app|apps|builds?|code|data|etc|home|media|mnt|nix|opt|private|proc|projects?|repos?|root|run|srv|src|tmp|usr|var|work|workdir|workspaces?)(?:\/[^\s"'=;]*)?$/

/** Not the user in an address, not the last part of a type, and no verdict of a test: `PASS: TestFoo`. */
function isAssignment(text: string, { nameStart, nameEnd, from }: AssignedName, written: string): boolean {
  if (text.startsWith('://', nameStart - 3) || text.startsWith('::', nameStart - 2)) return false
  return !/^pass$/i.test(written) || text[nameEnd] === '=' || /["'`]/.test(text[from] ?? '')
}

function namedSecret(text: string, name: AssignedName, nameClass: NameClass): SecretSpan[] {
  if (nameClass === 'none') return []
  const read = readValue(text, name)
  const value = text.slice(read.valueStart, read.valueEnd)
  const scheme = /^(?:bearer|basic|token|apikey|key)\s{1,4}/i.exec(value)?.[0].length ?? 0
  // What a person wrote to sign with is as secret as what a machine drew.
  const asked =
    read.environment && text.slice(name.nameStart, name.nameEnd).endsWith('SECRET') ? 'password' : nameClass
  if (isWorkingFolder(text.slice(name.nameStart, name.nameEnd), value)) return []
  if (!isSecretValue(value.slice(scheme), { ...read, name: asked })) return []
  const rule = nameClass === 'password' ? 'generic-password' : 'generic-api-key'
  return [{ rule, start: read.valueStart + scheme, end: endOfValue(text, name, read) }]
}

/** `Authorization: Bearer …`, `Basic …`, or the bare value. */
function authorization(text: string, name: AssignedName): SecretSpan[] {
  const { valueStart, valueEnd, style } = readValue(text, name)
  const limit = style === 'quoted' ? valueEnd : valueStart + maxJudged
  const value = /^(?:[A-Za-z][A-Za-z0-9-]{2,20}[ \t]{1,4})?([^\s"'`\\,;<>]{6,})/.exec(
    text.slice(valueStart, limit),
  )
  if (value?.[1] === undefined || isPlaceholder(value[1]) || /^[$%<{[]/.test(value[1])) return []
  const scheme = value[0].length > value[1].length
  if (!scheme && !looksRandom(value[1])) return []
  if (scheme && !/\d|^[^A-Z]*[A-Z][^a-z]*[a-z][^A-Z]*[A-Z]|==?$/.test(value[1])) return []
  const start = valueStart + value[0].length - value[1].length
  const rest = /^[^\s"'`\\,;<>]+/.exec(text.slice(start, start + maxHeaderLength))!
  return [{ rule: 'authorization-header', start, end: start + rest[0].length }]
}

const maxJudged = 256
const maxHeaderLength = 8192

function isCookieHeader(text: string, { nameEnd }: AssignedName, written: string): boolean {
  return text[nameEnd] === ':' && /^(?:set-)?cookie$/i.test(written)
}

/** Each value of `Cookie: a=…; b=…` that could be a session. The header is read to its end. */
function cookies(text: string, name: AssignedName): AssignmentFound {
  const { valueStart, valueEnd, style } = readValue(text, name)
  const header = text.slice(valueStart, style === 'quoted' ? valueEnd : valueStart + maxHeaderLength)
  const line = header.split(/[\r\n]/, 1)[0]!
  const spans = [...line.matchAll(/(?:^|;)\s{0,4}([^=;\s]{1,128})=([^;\s"']{6,4096})/g)]
    .filter(([, name, whole]) => {
      const value = whole!.slice(0, maxJudged)
      if (isPlaceholder(value) || isPublicValue(value)) return false
      return value.length >= 12 ? looksRandom(value) : isSecretUnder(name!, value)
    })
    .map((match) => {
      const start = valueStart + match.index + match[0].length - match[2]!.length
      return { rule: 'cookie', start, end: start + match[2]!.length }
    })
  return { spans, readTo: valueStart + line.length }
}
