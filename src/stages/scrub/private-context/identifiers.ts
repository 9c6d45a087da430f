/**
 * Finds the names and ids that a Markdown catalogue lists. Too many would mask other agents' ordinary words, so a
 * name must be in a list-like position and contain a word that is not ordinary; elsewhere its form must be
 * distinctive.
 */

import { markdownLines, type MarkdownLine } from './markdown-lines.ts'
import { isOrdinaryWord } from './ordinary-words.ts'

export interface Identifier {
  readonly text: string
  /** In another spelling it would be ordinary text, such as a word that consists of letters only. */
  readonly isExact: boolean
}

const mail = /[\p{L}\p{N}][\p{L}\p{N}._%+-]*@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
const code = /(`+)(.+?)\1/g
const link = /!?\[([^\][]*)\]\(\s*<?([^\s)>]*)(?:[\s>][^)]*)?\)|<((?:https?|mailto):[^>\s]+)>/g
const nameRun = /\p{Lu}[\p{L}\p{M}’'-]+(?:[ \t]+\p{Lu}[\p{L}\p{M}’'-]+)+/gu
/** Lowercase words that occur inside names. */
const particle =
  /^(?:&|and|of|the|for|von|vom|van|der|den|de|del|della|di|da|dos|du|la|le|el|al|bin|ibn|zu|zur|y|e|und)$/

const maxWords = 6
const minNameLength = 4
const minWordLength = 6
const maxLength = 128
const maxPieceLength = 1000

export function identifiersIn(markdown: string): Identifier[] {
  const found = new Map<string, Identifier>()
  const add = (text: string): void => {
    found.set(text, { text, isExact: isPlainWord(text) || isCompoundOfOrdinaryWords(text) })
  }
  for (const line of markdownLines(markdown)) {
    if (line.kind === 'label') continue
    for (const text of piecesOf(line.text)) identifiersOf({ ...line, text }).forEach(add)
  }
  return [...found.values()]
}

/** No entry is that long. Parsing takes superlinear time, so the length parsed at once is limited. */
function piecesOf(line: string): readonly string[] {
  return line.length <= maxPieceLength ? [line] : (line.match(/.{1,1000}(?=\s|$)|.{1000}/gsu) ?? [])
}

function identifiersOf({ kind, text }: MarkdownLine): string[] {
  const found: string[] = []
  const listed = (entry: string): void => {
    found.push(...listedIn(entry))
  }
  // Each match is removed, so that the rest can be parsed as plain text.
  let rest = text
  const extract = (pattern: RegExp, read: (groups: readonly (string | undefined)[]) => string): void => {
    rest = rest.replace(pattern, (...groups: (string | undefined)[]) => read(groups))
  }
  if (kind !== 'code') {
    extract(code, ([, , inside = '']) => {
      listed(inside)
      if (/\s/.test(inside)) found.push(...distinctiveIn(inside, true))
      return ' ; '
    })
    extract(link, ([, label = '', target = '', address = '']) => {
      listed(target || address)
      return label
    })
    rest = rest.replace(/\\([!-/:-@[-`{-~])/g, '$1').replace(/\*+|~~/g, '')
  }
  extract(mail, ([address = '']) => {
    found.push(address)
    return ' ; '
  })
  if (kind === 'cells') rest.split('|').forEach((cell) => readEntry(cell, listed))
  else if (kind === 'item' || isShort(rest)) readEntry(rest, listed)
  return [...found, ...distinctiveIn(rest, kind === 'code')]
}

/** `Anna Miller, Otto Kern`, `Owner: Anna Miller`, `Bluebird – the mobile app`, `Bluebird (mobile)`. */
function readEntry(entry: string, listed: (text: string) => void): void {
  if (isSentence(entry)) return
  const [, head = '', tail = ''] = /^(.*?)(?::\s|\s[–—=-]{1,2}\s|\s\(|=(?=\S))(.*)$/su.exec(entry) ?? []
  if (head === '') {
    readPieces(entry, listed)
  } else if (head.split(/\s+/).length <= maxWords && listedIn(head).length > 0) {
    // The text after a name describes it, and usually contains no names.
    readPieces(head, listed)
    if (/\p{Lu}|\d/u.test(tail)) readPieces(tail, listed)
  } else {
    readPieces(tail, listed)
  }
}

function readPieces(text: string, listed: (text: string) => void): void {
  const pieces = text.split(/\s*[,;|]\s*|\s\/\s|\sand\s(?=[^,]*$)/)
  const areShort = pieces.every((piece) => piece.trim().split(/\s+/).length <= maxWords)
  if (areShort) pieces.forEach(listed)
}

function isSentence(text: string): boolean {
  return /\p{L}[.!?]\s*$/u.test(text) && text.trim().split(/\s+/).length > maxWords - 1
}

/** A line that could be a single entry, or a labeled list of entries. */
function isShort(text: string): boolean {
  return !/[.!?]\s*$/.test(text) && (text.trim().split(/\s+/).length <= 4 || /^[^,:]{1,40}:\s/.test(text))
}

/** The entry itself if it is a name or an id; for a URL, also its host. */
function listedIn(entry: string): string[] {
  const text = trimmed(entry)
  if (text.length > maxLength) return []
  const host = /^[a-z][a-z\d+]*:\/\/(?:[^/@\s]*@)?([^/:\s]+)/i.exec(text)?.[1]
  if (host !== undefined) return [text, host].filter(isToken)
  const isOne = /\s/.test(text) ? isPhrase(text) : isToken(text)
  return isOne ? [text] : []
}

function trimmed(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}\p{M}])[^\p{L}\p{N}\p{M}]+$/gu, '').normalize('NFC')
}

/** Without white space: a word, an id, a number. */
function isToken(text: string): boolean {
  if (isPlainWord(text)) return isDistinctiveWord(text)
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  if (letters < 4 || isCommonNumber(text) || isPath(text)) return false
  if (!/\p{L}/u.test(text)) return letters >= 6
  if (isOrdinaryWord(text.replace(/[^\p{L}\p{N}]/gu, ''))) return false
  return (/\d/.test(text) && letters >= 6) || hasDistinctivePart(text) || isCompoundOfOrdinaryWords(text)
}

/** `customer_billing_address`: three words joined into one name are distinctive; two, as in `user_id`, are common. */
function isCompoundOfOrdinaryWords(text: string): boolean {
  const isName =
    /^[\p{L}\d]+(?:_[\p{L}\d]+){2,}$/u.test(text) || /^\p{L}\p{Ll}+(?:\p{Lu}[\p{Ll}\d]+){2,}$/u.test(text)
  return isName && !hasDistinctivePart(text)
}

export function isPlainWord(text: string): boolean {
  return /^[\p{L}\p{M}’']+$/u.test(text) && !/\p{Ll}\p{Lu}/u.test(text)
}

function isDistinctiveWord(word: string): boolean {
  if (/^\p{Lo}/u.test(word)) return word.length >= 3
  const isName = /^\p{Lu}/u.test(word)
  if (word.length < (isName ? minNameLength : minWordLength) || isOrdinaryWord(word)) return false
  return !(isName ? derivedName : derived).test(word)
}

/** Endings of derived words, which names do not have; some personal names end like the second set. */
const derivedName = /(?:tion|sion|ment|ness|able|ible|less|ful|ally|ously)s?$/i
const derived = /(?:tion|sion|ment|ness|able|ible|less|ful|ly|ous|ive|ity|ance|ence|ing|ed|i[sz]e|ism)s?$/

/** The path of a project file is not a secret, and agents need to name it. */
function isPath(text: string): boolean {
  if (fileName.test(text)) return true
  const [first = '', ...folders] = text.split('/')
  if (folders.length === 0 || /[:@.]/.test(first)) return false
  return folders.length > 1 || isOrdinaryWord(first)
}

const fileName =
  /\.(?:md|txt|jsonc?|ya?ml|toml|[cm]?[jt]sx?|py|rb|go|rs|java|kt|[ch](?:pp|s)?|sh|s?css|html?|xml|csv|sql|lock|log|ini|cfg|conf|env|png|jpe?g|svg|pdf|zip|t?gz)$/i

/** Not true for `readOnly`, `src/index.ts` and `user_id`. */
function hasDistinctivePart(text: string): boolean {
  const parts = text.match(/\p{Lu}+(?![\p{Ll}])|\p{Lu}?[\p{Ll}\p{M}\p{Lo}]+|\d+/gu) ?? []
  return parts.some((part) =>
    /^\d/.test(part) ? part.length >= 3 : part.length >= 3 && !isOrdinaryWord(part),
  )
}

/** Dates, times, versions, quantities, and addresses that every machine has. */
function isCommonNumber(text: string): boolean {
  return (
    /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?:[T\s_][\d:.Z+-]*)?$/.test(text) ||
    /^\d{1,2}:\d{2}(?::\d{2})?$/.test(text) ||
    /^v?\d+\.\d+(?:\.\d+)?(?:[-+][\p{L}\d.]+)?$/u.test(text) ||
    /^[\d.,]+(?:\/s|%|[kmgt]?i?b(?:it|ytes?)?|[kmg]?hz|m?s|mins?|hours?|days?|px|r?em|[kmc]?m|k?g)$/i.test(
      text.replace(/\s/g, ''),
    ) ||
    /^(?:127\.|0\.0\.0\.0|255\.)[\d.]*/.test(text)
  )
}

/** Several words that each start with a capital or a number: `Anna Miller`, `Project Bluebird`, `Customer 4711`. */
function isPhrase(text: string): boolean {
  const words = text.split(/\s+/)
  if (words.length > maxWords || isCommonNumber(text)) return false
  if (!/\p{L}/u.test(text)) return (text.match(/\d/g)?.length ?? 0) >= 6
  const isNameLike = (word: string): boolean => /^[^\p{L}\p{N}]*[\p{Lu}\p{Lo}\p{N}]/u.test(word)
  if (!words.every((word, index) => isNameLike(word) || (index > 0 && particle.test(word)))) return false
  return words.some((word) => isNameLike(word) && hasDistinctivePart(word))
}

/** Identifiers in running text, recognized by their form alone. */
function distinctiveIn(text: string, isCode: boolean): string[] {
  const found: string[] = []
  for (const [token] of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}_.:/-]*[\p{L}\p{N}]/gu)) {
    const isId = /\d/.test(token) ? /\p{L}/u.test(token) : token.includes('_')
    if (
      isId &&
      hasDistinctivePart(token) &&
      token.length >= minWordLength &&
      token.length <= maxLength &&
      isToken(token)
    )
      found.push(token)
  }
  if (isCode) return found
  for (const [run] of text.matchAll(nameRun)) {
    const words = run.split(/\s+/)
    while (words.length > 0 && isOrdinaryWord(words[0]!)) words.shift()
    while (words.length > 0 && isOrdinaryWord(words.at(-1)!)) words.pop()
    if (words.length >= 2 && words.length <= maxWords && words.every((word) => !isOrdinaryWord(word)))
      found.push(words.join(' '))
  }
  return found
}
