/** Secrets recognised by their name: `key = value` in any syntax, headers and cookies. */

import type { SecretSpan } from '../text/span.ts'
import { looksRandom } from '../text/randomness.ts'
import { readTextTable } from './columns.ts'
import { classifyName, type NameClass } from './name.ts'
import { endOfValue, readName, readValue, walkName, type AssignedName } from './read.ts'
import { isPlaceholder, isPublicValue, isSecretValue } from './value.ts'

export interface AssignmentResult {
  readonly spans: readonly SecretSpan[]
  /** Keywords before this offset belong to the same name or to a secret already found, and can be skipped. */
  readonly readTo: number
}

/** The secrets assigned to the name that contains the keyword. */
export function findAssigned(text: string, start: number, keywordEnd: number): AssignmentResult {
  // Some keywords include their operator, because without it they occur in many words.
  const end = /[=:]/.test(text[keywordEnd - 1]!) ? keywordEnd - 1 : keywordEnd
  const name = readName(text, start, end)
  if (name === undefined) return findBelow(text, start, end)
  const nameText = text.slice(name.nameStart, name.nameEnd)
  if (isCookieHeader(text, name, nameText)) return cookies(text, name)
  const spans = /authorization$|^bearer$/i.test(nameText)
    ? authorization(text, name)
    : isAssignment(text, name, nameText)
      ? namedSecret(text, name, classifyName(nameText))
      : []
  return { spans, readTo: spans[0]?.end ?? name.nameEnd }
}

/** A name that nothing is assigned to may be a column header. */
function findBelow(text: string, start: number, end: number): AssignmentResult {
  const nameEnd = walkName(text, end)
  const isCell =
    /[,;|\t]/.test(text[nameEnd] ?? '') ||
    /^"?[ ]{0,40}(?:[,;|\t]|\r?\n)/.test(text.slice(nameEnd, nameEnd + 44))
  const table = isCell ? readTextTable(text, start) : undefined
  return table === undefined ? { spans: [], readTo: nameEnd } : { spans: table.spans, readTo: table.end }
}

/** Whether the value of this key in structured data, such as JSON, is a secret. */
export function isSecretUnder(key: string, value: string): boolean {
  const name = classifyName(key)
  if (isWorkingFolder(key, value)) return false
  return name !== 'none' && isSecretValue(value, { name, style: 'quoted', environment: false })
}

/**
 * `PWD=/tmp/tmp.Xk3ZqP9aLw` in the output of `env` is the working directory, however random its name. Limited to the
 * usual top-level directories, because a password may start with a slash.
 */
function isWorkingFolder(name: string, value: string): boolean {
  return /^pwd$/i.test(name) && usualRootPath.test(value)
}

const usualRootPath =
  /^\/(?:Users|Volumes|app|apps|builds?|code|data|etc|home|media|mnt|nix|opt|private|proc|projects?|repos?|root|run|srv|src|tmp|usr|var|work|workdir|workspaces?)(?:\/[^\s"'=;]*)?$/

/** Excludes user names in URLs, the last segment of a qualified type, and test verdicts (`PASS: TestFoo`). */
function isAssignment(text: string, { nameStart, nameEnd, from }: AssignedName, nameText: string): boolean {
  if (text.startsWith('://', nameStart - 3) || text.startsWith('::', nameStart - 2)) return false
  return !/^pass$/i.test(nameText) || text[nameEnd] === '=' || /["'`]/.test(text[from] ?? '')
}

function namedSecret(text: string, name: AssignedName, nameClass: NameClass): SecretSpan[] {
  if (nameClass === 'none') return []
  const read = readValue(text, name)
  const value = text.slice(read.valueStart, read.valueEnd)
  const scheme = /^(?:bearer|basic|token|apikey|key)\s{1,4}/i.exec(value)?.[0].length ?? 0
  // Signing secrets are often chosen by hand, so they need not look random.
  const judgedClass =
    read.environment && text.slice(name.nameStart, name.nameEnd).endsWith('SECRET') ? 'password' : nameClass
  if (isWorkingFolder(text.slice(name.nameStart, name.nameEnd), value)) return []
  if (!isSecretValue(value.slice(scheme), { ...read, name: judgedClass })) return []
  const rule = nameClass === 'password' ? 'generic-password' : 'generic-api-key'
  return [{ rule, start: read.valueStart + scheme, end: endOfValue(text, name, read) }]
}

/** `Authorization: Bearer …`, `Basic …`, or the bare value. */
function authorization(text: string, name: AssignedName): SecretSpan[] {
  const { valueStart, valueEnd, style } = readValue(text, name)
  const limit = style === 'quoted' ? valueEnd : valueStart + maxJudgedLength
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

const maxJudgedLength = 256
const maxHeaderLength = 8192

function isCookieHeader(text: string, { nameEnd }: AssignedName, nameText: string): boolean {
  return text[nameEnd] === ':' && /^(?:set-)?cookie$/i.test(nameText)
}

/** Each value of `Cookie: a=…; b=…` that could identify a session. */
function cookies(text: string, name: AssignedName): AssignmentResult {
  const { valueStart, valueEnd, style } = readValue(text, name)
  const header = text.slice(valueStart, style === 'quoted' ? valueEnd : valueStart + maxHeaderLength)
  const line = header.split(/[\r\n]/, 1)[0]!
  const spans = [...line.matchAll(/(?:^|;)\s{0,4}([^=;\s]{1,128})=([^;\s"']{6,4096})/g)]
    .filter(([, name, fullValue]) => {
      const value = fullValue!.slice(0, maxJudgedLength)
      if (isPlaceholder(value) || isPublicValue(value)) return false
      return value.length >= 12 ? looksRandom(value) : isSecretUnder(name!, value)
    })
    .map((match) => {
      const start = valueStart + match.index + match[0].length - match[2]!.length
      return { rule: 'cookie', start, end: start + match[2]!.length }
    })
  return { spans, readTo: valueStart + line.length }
}
