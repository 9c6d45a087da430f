/** Parses `name = value` in the syntaxes of configuration files, code, commands and protocols. */

export interface AssignedName {
  readonly nameStart: number
  readonly nameEnd: number
  /** Where the value starts, including its quotes. */
  readonly from: number
}

export interface Value {
  readonly valueStart: number
  readonly valueEnd: number
  readonly style: 'quoted' | 'alone' | 'inline'
  /** Written `NAME=value`, as in shells and process environments. */
  readonly environment: boolean
}

const maxNameLength = 64
const maxGap = 48
/** Shorter values are never secrets. */
const minValueLength = 4
/** A value is judged by its prefix: judging whole values would take quadratic time on a text of names only. */
const maxJudgedLength = 256
const maxValueLength = 16_384

const nameChar = 1
const space = 2
const quote = 4
/** Ends an unquoted value. */
const delimiter = 8

const kindOf = new Uint8Array(128)
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.$') mark(char, nameChar)
for (const char of ' \t') mark(char, space)
for (const char of `"'\``) mark(char, quote)
for (const char of ' \t\r\n,;)}]>&|<"\'`') mark(char, delimiter)

function mark(char: string, kind: number): void {
  kindOf[char.charCodeAt(0)]! |= kind
}

const is = (text: string, at: number, kind: number): boolean => {
  const code = text.charCodeAt(at)
  return code < 128 && (kindOf[code]! & kind) !== 0
}

/** The name that contains the keyword, if something is assigned to it. */
export function readName(text: string, start: number, end: number): AssignedName | undefined {
  const nameStart = startOfName(text, start)
  let nameEnd = walkName(text, end)
  // `--password-->` and `token.` end in punctuation that is not part of the name.
  while (nameEnd > end && !isWordCharacter(text.charCodeAt(nameEnd - 1))) nameEnd--
  const from = afterOperator(text, nameStart, nameEnd)
  return from === undefined ? undefined : { nameStart, nameEnd, from }
}

/** The assigned value, or the first `maxLength` characters of it. */
export function readValue(text: string, name: AssignedName, maxLength = maxJudgedLength): Value {
  let at = name.from
  // String prefixes: `b"…"`, `r'…'`, `@"…"`, `L"…"`.
  if (/[bBrRfFuUL@]/.test(text[at] ?? '') && /^.{1,2}\\?["'`]/.test(text.slice(at, at + 4))) {
    while (!is(text, at, quote) && text[at] !== '\\') at++
  }
  const slashes = countSlashes(text, at)
  return is(text, at + slashes, quote)
    ? readQuoted(text, name, at, slashes, maxLength)
    : readUnquoted(text, name, maxLength)
}

/** Where a value ends whose prefix was read. */
export function endOfValue(text: string, name: AssignedName, { valueStart, valueEnd }: Value): number {
  return valueEnd - valueStart < maxJudgedLength ? valueEnd : readValue(text, name, maxValueLength).valueEnd
}

function isWordCharacter(code: number): boolean {
  return code < 128 && (kindOf[code]! & nameChar) !== 0 && code !== 45 && code !== 46
}

function startOfName(text: string, start: number): number {
  let at = start
  const limit = Math.max(0, start - maxNameLength)
  while (at > limit && is(text, at - 1, nameChar)) at--
  // The letter of a preceding escape such as `\n` is not part of the name.
  if (at > 0 && text[at - 1] === '\\' && at < start && /[nrt]/.test(text[at]!)) at++
  return at
}

export function walkName(text: string, end: number): number {
  let at = end
  const limit = Math.min(text.length, end + maxNameLength)
  while (at < limit && is(text, at, nameChar)) at++
  return at
}

/** Where the value starts; undefined if nothing is assigned. */
function afterOperator(text: string, nameStart: number, nameEnd: number): number | undefined {
  let at = nameEnd
  const limit = Math.min(text.length, nameEnd + maxGap)
  if (text[at] === '>') return text[nameStart - 1] === '<' ? afterTag(text, at + 1) : undefined
  while (at < limit && isClosing(text, at)) at++
  const gapStart = at
  while (at < limit && is(text, at, space)) at++
  const char = text[at]
  if (char === '=' || char === ':') return skipOperator(text, at, limit)
  if (char === '?' && text[at + 1] === '=') return skipSpaces(text, at + 2, limit)
  if (char === '-' && text[at + 1] === '>') return skipSpaces(text, at + 2, limit)
  const pair = valueOfPair(text, gapStart, nameEnd)
  if (pair !== undefined) return pair
  if ((char === ',' || char === '|') && listsPairs(text, nameStart)) return cellAfter(text, at, limit)
  if (at === gapStart) return undefined
  if (isFlag(text, nameStart) || is(text, at, quote) || isInColumns(text, nameStart, gapStart, at)) return at
  if (
    /(?:^|\n)[ \t]{0,20}(?:ENV|ARG|SetEnv|setenv|setx|fastcgi_param|env) $/.test(
      text.slice(Math.max(0, nameStart - 36), nameStart),
    )
  )
    return at
  return afterWord(text, at)
}

/** A comma or bar assigns in CSV, tables, `define('NAME', 'value')` and `["--name", "value"]`, but not elsewhere. */
function listsPairs(text: string, nameStart: number): boolean {
  if (isFlag(text, nameStart) || isAtLineStart(text, nameStart)) return true
  return /\(\s{0,4}\\?["']$|(?:^|\n)\|[ \t*`]{0,8}$/.test(text.slice(Math.max(0, nameStart - 10), nameStart))
}

/** A table without borders: a name at the start of a line, a gap, a value. */
function isInColumns(text: string, nameStart: number, gapStart: number, gapEnd: number): boolean {
  if (gapEnd - gapStart < 2 && text[gapStart] !== '\t') return false
  return /(?:^|\n)(?:[\w-]{1,32}[:.])?$/.test(text.slice(Math.max(0, nameStart - 34), nameStart))
}

function afterTag(text: string, at: number): number {
  return text.startsWith('<![CDATA[', at) ? at + 9 : at
}

/** Characters that close a name: quotes, escaped or not, brackets, and Markdown asterisks. */
function isClosing(text: string, at: number): boolean {
  const char = text[at]
  return is(text, at, quote) || char === '\\' || char === ']' || char === ')' || char === '*'
}

function skipOperator(text: string, at: number, limit: number): number {
  let next = at + 1
  // `:=`, `=>`, `==`, `===`, `::`.
  while (next < at + 3 && (text[next] === '=' || text[next] === '>' || text[next] === ':')) next++
  next = skipSpaces(text, next, limit + maxGap)
  // `name: type = value`, and the first item of a list.
  if (text[at] === ':')
    next +=
      /^&?(?:'\w+ )?(?:mut )?[\w.<>?|]{1,40}(?:\[\])?\s?=\s{0,4}(?=["'`])/.exec(
        text.slice(next, next + 80),
      )?.[0].length ?? 0
  if (text[next] === '[') next += /^\[\s{0,40}(?=\\?["'])/.exec(text.slice(next, next + 44))?.[0].length ?? 0
  if (text[next] === '{') return intoObject(text, next)
  return text[next] === '|' || text[next] === '>' ? intoBlock(text, next) : next
}

/** A YAML block scalar: `password: >-` with the value on the next line. */
function intoBlock(text: string, indicator: number): number {
  return (
    indicator +
    (/^[|>][-+]?\d?[ \t]{0,8}\r?\n[ \t]{1,80}/.exec(text.slice(indicator, indicator + 100))?.[0].length ?? 0)
  )
}

/** `"password": {"value": "…"}`, as in Terraform state. */
function intoObject(text: string, brace: number): number {
  const inside =
    /^\{\s{0,40}(?:\\?"(?:type|sensitive)\\?"\s?:[^,{}]{1,40},\s{0,40})?\\?"?value\\?"?\s?[:=]\s{0,4}/.exec(
      text.slice(brace, brace + 160),
    )
  return brace + (inside?.[0].length ?? 0)
}

function skipSpaces(text: string, from: number, limit: number): number {
  let at = from
  while (at < limit && is(text, at, space)) at++
  return at
}

/** `name="PASSWORD" value="…"`, `"name": "PASSWORD", "value": "…"`, `- name: PASSWORD` above `value: …`. */
function valueOfPair(text: string, from: number, nameEnd: number): number | undefined {
  const rest = text.slice(nameEnd, nameEnd + 128)
  const gap =
    /^["'\\]*\s*,?\s{0,40}["'\\]*(?:value|val|parametervalue|defaultvalue|content)["'\\]*\s?[:=]\s{0,4}/i.exec(
      rest,
    ) ??
    /^(?:["'][^<>\n]{0,40}>|\s[\w:]{1,20}=["'][^"'<>]{0,40}["']>|<\/(?:name|key)>\s{0,80}<(?:value|string)>)(?:<!\[CDATA\[)?/i.exec(
      rest,
    )
  return gap === null ? undefined : Math.max(from, nameEnd + gap[0].length)
}

function cellAfter(text: string, at: number, limit: number): number | undefined {
  let next = skipSpaces(text, at + 1, limit)
  if (is(text, next, quote)) return next
  while (text[next] === '|') next = skipSpaces(text, next + 1, limit)
  return next
}

/** `--password value` and `-token value`. */
function isFlag(text: string, nameStart: number): boolean {
  return text[nameStart] === '-' && !/[\w]/.test(text[nameStart - 1] ?? ' ')
}

/** `the password is …`, `set token to …`. */
function afterWord(text: string, at: number): number | undefined {
  const word = /^(?:is|was|to|of|by|as)[ \t:=]{1,3}/i.exec(text.slice(at, at + 8))
  return word === null ? undefined : at + word[0].length
}

function countSlashes(text: string, at: number): number {
  let slashes = 0
  while (slashes < 8 && text[at + slashes] === '\\') slashes++
  return slashes
}

function readQuoted(text: string, name: AssignedName, at: number, slashes: number, maxLength: number): Value {
  let opening = text.slice(at, at + slashes + 1)
  if (text.startsWith(opening.repeat(3), at)) opening = opening.repeat(3)
  const valueStart = at + opening.length
  const valueEnd = valueStart + lengthInQuotes(text.slice(valueStart, valueStart + maxLength), opening)
  const environment = slashes === 0 && isEnvironment(text, name)
  return { valueStart, valueEnd, style: 'quoted', environment }
}

/** Up to the closing quote, the end of the line, or the end of a truncated text. */
function lengthInQuotes(rest: string, closing: string): number {
  let end = rest.indexOf(closing)
  while (end !== -1 && closing.length === 1 && rest[end - 1] === '\\' && rest[end - 2] !== '\\') {
    end = rest.indexOf(closing, end + 1)
  }
  const line = rest.indexOf('\n')
  if (line !== -1 && (end === -1 || line < end)) return line
  return end === -1 ? rest.length : end
}

function readUnquoted(text: string, name: AssignedName, maxLength: number): Value {
  const { nameStart, nameEnd, from } = name
  const environment = isEnvironment(text, name)
  const limit = Math.min(text.length, from + maxLength)
  const isElement = text[nameEnd] === '>' && text[nameStart - 1] === '<'
  let at = from
  while (at < limit && !(isElement ? text[at] === '<' || text[at]! < ' ' : isValueEnd(text, at, environment)))
    at++
  let valueEnd = environment ? withoutCloser(text, from, at) : at
  // On a configuration line, everything up to its end is the value, including delimiters.
  if (
    /[=:]/.test(text.slice(nameEnd, from)) &&
    !isElement &&
    !environment &&
    at < limit &&
    is(text, at, delimiter) &&
    text[at]! > ' ' &&
    isAtLineStart(text, nameStart)
  ) {
    let end = at
    while (end < limit && text[end]! > ' ') end++
    if (isAtLineEnd(text, end)) valueEnd = withoutCloser(text, from, end)
  }
  if (valueEnd - from < minValueLength) return { valueStart: from, valueEnd, style: 'inline', environment }
  const isAlone =
    isStandalone(text, nameStart, nameEnd, at) || (isAtLineEnd(text, at) && isAtLineStart(text, nameStart))
  const style = isAlone ? 'alone' : 'inline'
  return { valueStart: from, valueEnd, style, environment }
}

/** `<name>value`, `--name value`, `name is value`, `name   value`, `?name=value&`: none of these is code. */
function isStandalone(text: string, nameStart: number, nameEnd: number, valueEnd: number): boolean {
  return (
    text[nameEnd] === '>' ||
    isFlag(text, nameStart) ||
    /^ (?: |(?:is|was|to) )/i.test(text.slice(nameEnd, nameEnd + 5)) ||
    (text[nameEnd] === '=' &&
      /[?&;\s]/.test(text[nameStart - 1] ?? ' ') &&
      /[&;\s]/.test(text[valueEnd] ?? ' '))
  )
}

/** Whether an unquoted value ends here. In `NAME=value`, only whitespace and quotes end it. */
function isValueEnd(text: string, at: number, environment: boolean): boolean {
  const code = text.charCodeAt(at)
  if (code === 92) return /[nrt"'\\]/.test(text[at + 1] ?? 'n')
  if (code >= 128) return false
  if (environment) return code <= 32 || (kindOf[code]! & quote) !== 0
  return (kindOf[code]! & delimiter) !== 0 || (code === 61 && !isPadding(text, at))
}

/** Whether this `=` is base64 padding; anywhere else it starts another value. */
function isPadding(text: string, at: number): boolean {
  const after = text[at + 1] === '=' || text[at - 1] === '=' ? at + 2 : at + 1
  return (
    after >= text.length || is(text, after, delimiter) || is(text, at + 1, delimiter) || text[after] === '\\'
  )
}

/** The closing character in `(NAME=value)`, `NAME=value,` and `NAME=value; next` is not part of the value. */
function withoutCloser(text: string, from: number, end: number): number {
  let at = end
  while (at > from && /[,;)\]}>|]/.test(text[at - 1]!)) at--
  return at
}

function isEnvironment(text: string, { nameStart, nameEnd, from }: AssignedName): boolean {
  if (from !== nameEnd + 1 || text[nameEnd] !== '=') return false
  if (/[?&;]/.test(text[nameStart - 1] ?? '')) return false
  return /^[A-Z][A-Z0-9_]{2,}$/.test(text.slice(nameStart, nameEnd))
}

function isAtLineStart(text: string, nameStart: number): boolean {
  let at = nameStart
  while (at > 0 && /[ \t"'\\+\-<>*#]/.test(text[at - 1]!) && nameStart - at < maxGap) at--
  if (at === 0 || text[at - 1] === '\n' || text[at - 1] === '\r') return true
  return /(?:^|\n)[^\n]{0,12}(?:export|set|setx|env|arg|const|let|var|-e|--env|-d) $/i.test(
    text.slice(Math.max(0, at - 24), at + 1),
  )
}

function isAtLineEnd(text: string, end: number): boolean {
  let at = end
  while (at < text.length && /[ \t,;"'\\]/.test(text[at]!) && at - end < maxGap) at++
  return at >= text.length || text[at] === '\n' || text[at] === '\r'
}
