/**
 * The words of a shell command, as far as its text shows them: quotes, escapes, braces and the variables that it sets itself are
 * resolved. For inspecting a command before it runs, never for running it: where the text leaves a choice, everything that the
 * shell could make of it is included. Pure.
 */

import { parseShell } from '@contextd/shared/shell/parse-shell'
import type { HereDocument, WordPart, PartOf, Script, TokenOf } from '@contextd/shared/shell/syntax'

/** In a word, any text: only the running shell knows it. */
export const UNKNOWN = '\u0001'
/** In a word, an unquoted wildcard: any text within a name, and any one character of it. */
export const STAR = '\u0002'
export const ONE = '\u0003'

/** One command with its arguments, among them the targets of redirections and the text of here-documents. */
export type SimpleCommand = readonly string[]

export interface ShellText {
  readonly commands: readonly SimpleCommand[]
  /** Where output is redirected to; the words of the command include them. */
  readonly targets: readonly string[]
  /** Too long or too deeply nested to be inspected. */
  readonly isBeyond: boolean
}

export type Variables = Readonly<Record<string, string | undefined>>

const maxWords = 20_000
const maxDepth = 6
const maxAlternatives = 256
/** `[abc]`, `[!a-z]`, `[[:alpha:]]`, with what is quoted in it. */
const characterSet = /\[[!^]?\]?(?:\[[:.=][^\]]*[:.=]\]|\\.|'[^']*'|"[^"]*"|[^\]\s/\\'"]){0,1024}\]/sy
/** Too long to decide whether it is a set. */
const longSet = /\[\S{1024}/y

export function readShell(source: string, env: Variables): ShellText {
  const found: Found = { commands: [], targets: [], variables: new Map(), env, words: 0, isBeyond: false }
  readScript(parseShell(source), 0, found)
  return found
}

interface Found {
  readonly commands: string[][]
  readonly targets: string[]
  readonly variables: Map<string, string>
  readonly env: Variables
  words: number
  isBeyond: boolean
}

function readScript({ text, tokens }: Script, depth: number, found: Found): void {
  if (depth > maxDepth) found.isBeyond = true
  const inside: Inside = { text, depth, found }
  const owners = new Map<HereDocument, string[]>()
  let command: string[] = []
  let isTarget = false
  const endCommand = (): void => {
    if (command.length > 0) found.commands.push(command)
    command = []
    isTarget = false
  }
  for (const token of tokens) {
    if (found.isBeyond) return
    if (token.type === 'word') {
      const words = wordsOf(token, command, inside)
      command.push(...words)
      if (isTarget) found.targets.push(...words)
      isTarget = false
    } else if (token.type === 'redirection') isTarget = token.operator.includes('>')
    else if (token.type === 'here-document') owners.set(token.document, command)
    else if (token.type === 'document-body') readBody(token, owners.get(token.document), inside)
    else if (token.type === 'calculation') {
      endCommand()
      readFragment(token.content, token.parts, inside)
    } else if (token.type === 'separator' || token.type === 'opening' || token.type === 'closing')
      endCommand()
  }
  endCommand()
}

/** The script that a part is in. */
interface Inside {
  readonly text: string
  readonly depth: number
  readonly found: Found
}

function readBody(token: TokenOf<'document-body'>, owner: string[] | undefined, inside: Inside): void {
  const value = quotedValue(token.parts, inside)
  if (owner !== undefined) owner.push(value)
  else {
    // The command that announced it is over: to some versions of bash these lines are commands.
    inside.found.commands.push([value])
    const content = inside.text.slice(token.start, token.contentEnd)
    readScript(parseShell(content), inside.depth + 1, inside.found)
  }
}

/** Text in which substitutions run, and whose words may be a path or a program even if the shell calculates with them. */
function readFragment(content: string, parts: readonly WordPart[], inside: Inside): void {
  quotedValue(parts, inside)
  readScript(parseShell(content, { isFragment: true }), inside.depth + 1, inside.found)
}

function wordsOf(
  { parts, end }: TokenOf<'word'>,
  command: readonly string[],
  inside: Inside,
): readonly string[] {
  const { found } = inside
  const [only] = parts
  if (parts.length === 1 && only?.type === 'substitution' && /[<>]/.test(only.opener)) {
    // Its value is a path that the shell makes up, and nobody else can use.
    valueOf(only, inside)
    return []
  }
  const word = unquotedValue(parts, end, inside)
  const assigned = /^([A-Za-z_]\w*)=(.*)$/s.exec(word)
  const mayAssign =
    command.every((before) => before.includes('=')) ||
    /^(?:export|declare|local|readonly|typeset)$/.test(command[0]!)
  if (assigned !== null && mayAssign) found.variables.set(assigned[1]!, assigned[2]!)
  // Blanks of other alphabets and carriage returns separate words to some shells.
  const isSplit = parts.some(
    (part) => part.type === 'literal' && /\s/.test(inside.text.slice(part.start, part.end)),
  )
  const words = (isSplit ? [word, ...word.split(/\s+/)] : [word]).flatMap(alternatives)
  found.words += words.length
  if (found.words > maxWords) found.isBeyond = true
  return words
}

function unquotedValue(parts: readonly WordPart[], end: number, inside: Inside): string {
  const { text, found } = inside
  let value = ''
  /** Where the last set of characters ends. */
  let setEnd = 0
  for (const [index, part] of parts.entries()) {
    if (part.start < setEnd) {
      const rest = part.end > setEnd ? text.slice(setEnd, part.end) : ''
      value += part.type === 'literal' ? rest : ''
      valueOf(part, inside)
    } else if (part.type === 'wildcard' && text[part.start] === '[') {
      const set = matchAt(characterSet, text, part.start)
      const isSet = set > 0 && part.start + set <= end && endsInLiteral(parts, index, part.start + set)
      if (!isSet && matchAt(longSet, text, part.start) > 0) found.isBeyond = true
      if (found.isBeyond) return value
      if (isSet) setEnd = part.start + set
      value += isSet ? ONE : '['
    } else value += valueOf(part, inside)
  }
  return value
}

/** The length of what the pattern, a sticky one, matches there. */
function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

/** Otherwise the bracket before `end` is in quotes or in an expansion, and closes no set. */
function endsInLiteral(parts: readonly WordPart[], from: number, end: number): boolean {
  let last = from
  while (parts[last]!.end < end) last += 1
  return parts[last]!.type === 'literal'
}

const quotedValue = (parts: readonly WordPart[], inside: Inside): string =>
  parts.map((part) => valueOf(part, inside)).join('')

/** Commands in a part run before its value is known, and are read here. */
function valueOf(part: WordPart, inside: Inside): string {
  const { text, depth, found } = inside
  switch (part.type) {
    case 'escape':
      return part.value
    case 'single-quoted':
      return part.content
    case 'ansi-quoted':
      // To the shell, the text ends at a zero byte.
      return unescaped(part.content).replace(/\0.*$/s, '')
    case 'double-quoted':
      return quotedValue(part.parts, inside)
    case 'variable':
      return valueOfVariable(part.name, found)
    case 'parameter':
      return valueOfParameter(part, inside)
    case 'substitution':
      readScript(part.script, depth + 1, found)
      return UNKNOWN
    case 'arithmetic':
      readFragment(part.content, part.parts, inside)
      return UNKNOWN
    case 'wildcard':
      return { '*': STAR, '?': ONE }[text[part.start]!] ?? '['
    case 'unparsed':
      found.isBeyond = true
      return UNKNOWN
    case 'literal':
    case 'braces':
      return text.slice(part.start, part.end)
  }
}

function valueOfVariable(name: string, { variables, env }: Found): string {
  return /^[A-Za-z_]/.test(name) ? (variables.get(name) ?? env[name] ?? UNKNOWN) : UNKNOWN
}

function valueOfParameter({ content, parts }: PartOf<'parameter'>, inside: Inside): string {
  const name = content.replaceAll('\\\n', '')
  if (/^[A-Za-z_]\w*$/.test(name)) return valueOfVariable(name, inside.found)
  // In `${name:-other}` the name is no command, but what follows may be a whole path.
  readFragment(content.replace(/^[\w!#]*[:%#/^,@+=?-]*/, ''), parts, inside)
  return UNKNOWN
}

const letters: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '',
  b: '',
  e: '',
  f: '',
  v: '',
}

/** Resolves `\x41`, `\101`, `\u0041` and the letters, as in `$'…'` and the format of printf. */
export function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([\dA-Fa-f]{1,2})|u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8})|([0-7]{1,4})|c.|(.))/gs,
    (_, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      if (letter !== undefined) return letters[letter] ?? letter
      const digits = hex ?? short ?? long
      // `\c@` and the like: a control character.
      if (digits === undefined && octal === undefined) return '\0'
      const code = digits === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(digits, 16)
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
    },
  )
}

/** Each word that `{a,b}` expands to; too many become unknown. Quoted braces are expanded too, which does no harm here. */
function alternatives(word: string): string[] {
  let words = [word]
  for (;;) {
    const next = words.flatMap((one) => {
      const braces = /^(.*?)\{(?=[^{}]*(?:,|\.\.))([^{}]*)\}(.*)$/s.exec(one)
      if (braces === null) return [one]
      const [, before = '', inside = '', after = ''] = braces
      const choices = inside.includes(',') ? inside.split(',') : [UNKNOWN]
      return choices.map((choice) => `${before}${choice}${after}`)
    })
    if (next.length > maxAlternatives) return [word.replace(/^([^{]*)\{.*\}/s, `$1${UNKNOWN}`), ...words]
    if (next.every((one, index) => one === words[index])) return words
    words = next
  }
}
