/** The parts of a word: letters, quotes, expansions, wildcards. */

import {
  closingOf,
  indexOrEnd,
  isAtEnd,
  peekSigns,
  matchHere,
  maxDepth,
  unescapedIndex,
  type Cursor,
} from './cursor.ts'
import type { Opener, WordPart, PartOf } from './syntax.ts'

/** Where parts are read: which characters have a meaning there, and which one ends it. */
interface Context {
  /** A run of characters without a meaning. */
  readonly plain: RegExp
  readonly end: RegExp
  /** What a backslash protects. */
  readonly escapable: RegExp
  readonly hasSingleQuotes: boolean
  readonly hasDoubleQuotes: boolean
  readonly hasProcesses: boolean
  readonly hasPatterns: boolean
}

const inWord: Context = {
  plain: /[^\\'"$`*?[{ \t\n;&|<>()]+/y,
  end: /[ \t\n;&|<>()]/,
  escapable: /[^]/,
  hasSingleQuotes: true,
  hasDoubleQuotes: true,
  hasProcesses: true,
  hasPatterns: true,
}
const inDoubleQuotes: Context = {
  plain: /[^\\"$`]+/y,
  end: /"/,
  escapable: /[$`"\\\n]/,
  hasSingleQuotes: false,
  hasDoubleQuotes: false,
  hasProcesses: false,
  hasPatterns: false,
}
/** In here-documents and arithmetic; ends with the text. */
const inContent: Context = { ...inDoubleQuotes, plain: /[^\\$`]+/y, end: /(?!)/, escapable: /[$`\\\n]/ }
const inParameter: Context = {
  ...inWord,
  plain: /[^\\'"$`<>}]+/y,
  end: /\}/,
  hasPatterns: false,
}
/** Here double quotes may begin again. */
const inQuotedParameter: Context = {
  ...inDoubleQuotes,
  plain: /[^\\'"$`}]+/y,
  end: /\}/,
  escapable: /[$`"\\\n}]/,
  hasDoubleQuotes: true,
}

const braces = /\{[^\\'"$`{} \t\n;&|<>()]*\}/y
const continuedName = /\$(?:\\\n)*[A-Za-z_](?:\\\n|\w)*/y
const specialNames = /[\d?!#@*$-]/

/** `mayAssign`: an assignment to an element may stand here, whose index may contain anything. */
export function parseWord(cursor: Cursor, mayAssign: boolean): WordPart[] {
  const parts: WordPart[] = []
  const { text, at: start } = cursor
  const name = mayAssign ? matchHere(cursor, /[A-Za-z_]\w*(?=\[)/y) : ''
  if (name !== '') {
    const bracket = start + name.length
    const close = closingOf(cursor, bracket + 1, '[')
    const isIndex = close !== -1 && !text.slice(bracket, close).includes('\n')
    if (isIndex && (text[close + 1] === '=' || text.startsWith('+=', close + 1))) {
      parts.push(literal(cursor, name.length), { ...literal(cursor, 1), type: 'wildcard' })
      parts.push(...parseContent(cursor, close))
    }
  }
  parts.push(...parseParts(cursor, inWord))
  return parts
}

/** Up to `end`, as between double quotes. */
export function parseContent(cursor: Cursor, end: number): WordPart[] {
  const inner: Cursor = { ...cursor, end }
  const parts = parseParts(inner, inContent)
  cursor.at = end
  return parts
}

function parseParts(cursor: Cursor, context: Context): WordPart[] {
  const parts: WordPart[] = []
  while (!isAtEnd(cursor)) {
    const plain = matchHere(cursor, context.plain)
    if (plain !== '') parts.push(literal(cursor, plain.length))
    else {
      const part = parsePart(cursor, context)
      if (part === undefined) break
      parts.push(part)
    }
  }
  return parts
}

/** Undefined at the end of the context. */
function parsePart(cursor: Cursor, context: Context): WordPart | undefined {
  const { text, at } = cursor
  const sign = text[at]!
  if (sign === '\\') return parseEscape(cursor, context)
  if (sign === '$') return parseDollar(cursor, context)
  if (sign === '`') return parseBackquotes(cursor, context)
  if (sign === '"' && context.hasDoubleQuotes) return parseDoubleQuotes(cursor, 1)
  if (sign === "'" && context.hasSingleQuotes) return parseSingleQuotes(cursor)
  if (/[<>]/.test(sign) && context.hasProcesses) {
    const { signs, ends } = peekSigns(cursor)
    if (signs[1] === '(') return parseSubstitution(cursor, signs.startsWith('<') ? '<(' : '>(', ends[1]!)
  }
  if (context.end.test(sign)) return undefined
  if (sign === "'" && context === inQuotedParameter) return parseProtected(cursor)
  if (context.hasPatterns && /[*?[]/.test(sign)) return { ...literal(cursor, 1), type: 'wildcard' }
  if (context.hasPatterns && sign === '{') {
    const found = matchHere(cursor, braces)
    if (/,|\.\./.test(found)) return { ...literal(cursor, found.length), type: 'braces' }
  }
  return literal(cursor, 1)
}

function literal(cursor: Cursor, length: number): PartOf<'literal'> {
  const start = cursor.at
  cursor.at += length
  return { type: 'literal', start, end: cursor.at }
}

function parseEscape(cursor: Cursor, context: Context): WordPart {
  const { text, at, end } = cursor
  const next = at + 1 < end ? text[at + 1]! : ''
  if (next === '' ? isInQuotes(context) : !context.escapable.test(next)) return literal(cursor, 1)
  cursor.at = Math.min(at + 2, end)
  return { type: 'escape', start: at, end: cursor.at, value: next.replace('\n', '') }
}

function parseSingleQuotes(cursor: Cursor): WordPart {
  const { text, at: start, end } = cursor
  const close = indexOrEnd(text, "'", start + 1, end)
  cursor.at = Math.min(close + 1, end)
  const content = text.slice(start + 1, close)
  return { type: 'single-quoted', start, end: cursor.at, content, isClosed: close < end }
}

/** In `"${x:-'}'}"` single quotes do not quote, but a brace between them does not end the expansion either. */
function parseProtected(cursor: Cursor): WordPart {
  const { text, at, end } = cursor
  const close = indexOrEnd(text, "'", at + 1, end)
  if (close === end) return literal(cursor, 1)
  const parts = parseContent(cursor, close + 1)
  return { type: 'double-quoted', start: at, end: cursor.at, parts, isClosed: true, isTranslated: false }
}

function parseDoubleQuotes(cursor: Cursor, opener: number): WordPart {
  const start = cursor.at
  if (cursor.depth >= maxDepth) return giveUp(cursor)
  cursor.at += opener
  const inner: Cursor = { ...cursor, depth: cursor.depth + 1 }
  const parts = parseParts(inner, inDoubleQuotes)
  const isClosed = !isAtEnd(inner)
  cursor.at = isClosed ? inner.at + 1 : inner.at
  return { type: 'double-quoted', start, end: cursor.at, parts, isClosed, isTranslated: opener > 1 }
}

/** At a dollar: the start of an expansion, of quotes, or a letter. */
function parseDollar(cursor: Cursor, context: Context): WordPart {
  const { text, at } = cursor
  const { signs, ends } = peekSigns(cursor)
  const second = signs[1] ?? ''
  if (signs === '$((') {
    const close = closingOf(cursor, ends[2]!, '(')
    if (close !== -1 && text[close + 1] === ')' && close + 1 < cursor.end)
      return parseArithmetic(cursor, '$((', ends[2]!, close)
  }
  if (second === '(') return parseSubstitution(cursor, '$(', ends[1]!)
  if (second === '{') return parseParameter(cursor, ends[1]!, isInQuotes(context))
  if (second === '[') {
    const close = closingOf(cursor, ends[1]!, '[')
    if (close !== -1) return parseArithmetic(cursor, '$[', ends[1]!, close)
  }
  if (second === "'" && context.hasSingleQuotes) return parseAnsiQuotes(cursor, ends[1]!)
  if (second === '"' && context.hasSingleQuotes) return parseDoubleQuotes(cursor, ends[1]! - at)
  const name = matchHere(cursor, continuedName)
  if (name !== '') {
    cursor.at += name.length
    return { type: 'variable', start: at, end: cursor.at, name: name.slice(1).replaceAll('\\\n', '') }
  }
  if (!specialNames.test(second)) return literal(cursor, 1)
  cursor.at = ends[1]!
  return { type: 'variable', start: at, end: cursor.at, name: second }
}

const isInQuotes = (context: Context): boolean => !context.hasSingleQuotes

function parseArithmetic(cursor: Cursor, opener: '$((' | '$[', from: number, close: number): WordPart {
  const { text, at: start } = cursor
  if (cursor.depth >= maxDepth) return giveUp(cursor)
  const inner: Cursor = { ...cursor, at: from, depth: cursor.depth + 1 }
  const parts = parseContent(inner, close)
  cursor.at = close + (opener === '$((' ? 2 : 1)
  return { type: 'arithmetic', start, end: cursor.at, opener, content: text.slice(from, close), parts }
}

function parseParameter(cursor: Cursor, from: number, isQuoted: boolean): WordPart {
  const { text, at: start } = cursor
  if (cursor.depth >= maxDepth) return giveUp(cursor)
  const inner: Cursor = { ...cursor, at: from, depth: cursor.depth + 1 }
  const parts = parseParts(inner, isQuoted ? inQuotedParameter : inParameter)
  cursor.at = Math.min(inner.at + 1, inner.end)
  return { type: 'parameter', start, end: cursor.at, content: text.slice(from, inner.at), parts }
}

function parseAnsiQuotes(cursor: Cursor, from: number): WordPart {
  const { text, at: start, end } = cursor
  const close = unescapedIndex(text, "'", from, end)
  cursor.at = Math.min(close + 1, end)
  const content = text.slice(from, close)
  return { type: 'ansi-quoted', start, end: cursor.at, content, isClosed: close < end }
}

function parseSubstitution(cursor: Cursor, opener: Opener, from: number): WordPart {
  const { at: start } = cursor
  if (cursor.depth >= maxDepth) return giveUp(cursor)
  const inner: Cursor = { ...cursor, at: from, depth: cursor.depth + 1, isFragment: false, documents: [] }
  const { script, isClosed } = cursor.parseScript(inner, true)
  cursor.at = inner.at
  // bash 5.2 continues with these after the next newline outside.
  for (const document of inner.documents) cursor.documents.push({ ...document, isLate: true })
  return { type: 'substitution', start, end: cursor.at, opener, script, isClosed }
}

/** Their content loses one level of backslashes before it is read. */
function parseBackquotes(cursor: Cursor, context: Context): WordPart {
  const { text, at: start, end } = cursor
  if (cursor.depth >= maxDepth) return giveUp(cursor)
  const close = unescapedIndex(text, '`', start + 1, end)
  const written = text.slice(start + 1, close)
  const command = written.replaceAll(isInQuotes(context) ? /\\([$`\\"])/g : /\\([$`\\])/g, '$1')
  cursor.at = Math.min(close + 1, end)
  const inner: Cursor = {
    ...cursor,
    text: command,
    at: 0,
    end: command.length,
    depth: cursor.depth + 1,
    isFragment: false,
    documents: [],
    closings: new Map(),
  }
  const { script } = cursor.parseScript(inner, false)
  return { type: 'substitution', start, end: cursor.at, opener: '`', script, isClosed: close < end }
}

function giveUp(cursor: Cursor): WordPart {
  const { at: start, end } = cursor
  cursor.at = end
  return { type: 'unparsed', start, end }
}
