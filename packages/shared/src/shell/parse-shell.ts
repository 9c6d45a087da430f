/**
 * The syntax of a text for the shell, as bash reads it: where commands, words, quotes, redirections, here-documents and
 * substitutions begin and end. What they mean is up to its callers. Every text has a syntax; what is not closed extends to its
 * end. Pure.
 */

import { closingOf, isAtEnd, peekSigns, matchHere, type Cursor, type ParsedScript } from './cursor.ts'
import { parseAnnouncement, parseBody } from './here-documents.ts'
import { parseContent, parseWord } from './parts.ts'
import type { Script, ShellToken } from './syntax.ts'

export interface ParseOptions {
  /** Text that is no command by itself, such as arithmetic: `#` and `<<` have no meaning in it. */
  readonly isFragment?: boolean
}

export function parseShell(text: string, { isFragment = false }: ParseOptions = {}): Script {
  const cursor: Cursor = {
    text,
    at: 0,
    end: text.length,
    depth: 0,
    isFragment,
    documents: [],
    closings: new Map(),
    parseScript,
  }
  return parseScript(cursor, false).script
}

/** What the parser knows of the command it is in. */
interface State {
  readonly tokens: ShellToken[]
  readonly isSubstitution: boolean
  /** Parentheses, and `case` commands, whose patterns end with one that nothing opens. */
  readonly open: ('(' | 'case')[]
  /** At the beginning of a command, where keywords have their meaning. */
  isStart: boolean
  mayAssign: boolean
  /** The keyword before, if it changes what may follow. */
  keyword: 'for' | 'case' | undefined
  isTarget: boolean
}

function parseScript(cursor: Cursor, isSubstitution: boolean): ParsedScript {
  const { text, at: start } = cursor
  const state: State = {
    tokens: [],
    isSubstitution,
    open: [],
    isStart: true,
    mayAssign: true,
    keyword: undefined,
    isTarget: false,
  }
  let isClosed = false
  while (!isClosed && !isAtEnd(cursor)) isClosed = parseToken(cursor, state)
  const end = isClosed ? cursor.at - 1 : cursor.at
  return { script: { text, start, end, tokens: state.tokens }, isClosed }
}

/** Returns true at the parenthesis that ends the substitution. */
function parseToken(cursor: Cursor, state: State): boolean {
  const { text, at: start, isFragment } = cursor
  const sign = text[start]!
  if (sign === ' ' || sign === '\t') {
    cursor.at += matchHere(cursor, /[ \t]+/y).length
    state.tokens.push({ type: 'blank', start, end: cursor.at })
  } else if (sign === '\\' && text[start + 1] === '\n' && start + 1 < cursor.end) {
    cursor.at += 2
    state.tokens.push({ type: 'continuation', start, end: cursor.at })
  } else if (sign === '#' && !isFragment) {
    cursor.at += matchHere(cursor, /[^\n]+/y).length
    state.tokens.push({ type: 'comment', start, end: cursor.at })
  } else if (sign === ')') return parseClosing(cursor, state)
  else if (sign === '(') parseOpening(cursor, state)
  else if (/[;&|\n<>]/.test(sign)) parseOperator(cursor, state)
  else parseOrdinaryWord(cursor, state)
  return false
}

function parseClosing(cursor: Cursor, state: State): boolean {
  const start = cursor.at
  cursor.at += 1
  const innermost = state.open.at(-1)
  if (innermost === undefined && state.isSubstitution) return true
  if (innermost === '(') state.open.pop()
  state.tokens.push({ type: 'closing', start, end: cursor.at })
  beginCommand(state)
  return false
}

function parseOpening(cursor: Cursor, state: State): void {
  const { text, at: start } = cursor
  const { signs, ends } = peekSigns(cursor)
  const mayCalculate = !cursor.isFragment && (state.isStart || state.keyword === 'for')
  if (signs.startsWith('((') && mayCalculate) {
    const close = closingOf(cursor, ends[1]!, '(')
    if (close !== -1 && text[close + 1] === ')' && close + 1 < cursor.end) {
      cursor.at = ends[1]!
      const parts = parseContent(cursor, close)
      cursor.at = close + 2
      const content = text.slice(ends[1], close)
      state.tokens.push({ type: 'calculation', start, end: cursor.at, content, parts })
      endStart(state)
      return
    }
  }
  cursor.at += 1
  state.open.push('(')
  state.tokens.push({ type: 'opening', start, end: cursor.at })
  beginCommand(state)
}

const separators = /^(?:;;&|;;|;&|&&|\|\||\|&|[;|&\n])/
const redirections = /^(?:&>>|&>|<<<|<<-|<<|<>|[<>]&|>>|>\||[<>])/

function parseOperator(cursor: Cursor, state: State): void {
  const { at: start } = cursor
  const { signs, ends } = peekSigns(cursor)
  if (/^[<>]\(/.test(signs)) parseOrdinaryWord(cursor, state)
  else if (redirections.test(signs)) parseRedirection(cursor, state, start)
  else {
    const [operator] = separators.exec(signs)!
    cursor.at = ends[operator.length - 1]!
    state.tokens.push({ type: 'separator', start, end: cursor.at, operator })
    beginCommand(state)
    if (operator === '\n') parseBodies(cursor, state)
  }
}

/** `start` is where the number of the stream begins, if it has one. */
function parseRedirection(cursor: Cursor, state: State, start: number): void {
  const stream = cursor.text.slice(start, cursor.at)
  const { signs, ends } = peekSigns(cursor)
  const [operator] = redirections.exec(signs)!
  cursor.at = ends[operator.length - 1]!
  const document =
    /^<<-?$/.test(operator) && !cursor.isFragment ? parseAnnouncement(cursor, operator === '<<-') : undefined
  const end = cursor.at
  if (document === undefined) {
    state.tokens.push({ type: 'redirection', start, end, operator, stream })
    state.isTarget = true
  } else {
    state.tokens.push({ type: 'here-document', start, end, document })
    cursor.documents.push(document)
  }
  endStart(state)
}

function parseBodies(cursor: Cursor, state: State): void {
  for (const document of cursor.documents.splice(0)) {
    // Between two bodies is the newline that ends the first.
    if (cursor.text[cursor.at] === '\n' && state.tokens.at(-1)?.type === 'document-body') cursor.at += 1
    state.tokens.push(parseBody(cursor, document, state.isSubstitution))
  }
}

function parseOrdinaryWord(cursor: Cursor, state: State): void {
  const { text, at: start } = cursor
  const parts = parseWord(cursor, state.mayAssign)
  const { at: end } = cursor
  const [first] = parts
  const isLiteral = parts.length === 1 && first?.type === 'literal'
  const word = isLiteral ? text.slice(start, end) : undefined
  if (word !== undefined && /^\d+$/.test(word) && /[<>]/.test(text[end] ?? '') && end < cursor.end) {
    parseRedirection(cursor, state, start)
    return
  }
  state.tokens.push({ type: 'word', start, end, parts })
  if (state.isTarget) state.isTarget = false
  else noteWord(state, word, text.slice(start, end))
}

const keywords = /^(?:if|then|else|elif|while|until|do|!|\{|time|coproc)$/

/** Decides what may follow. `word` is undefined if it has quotes or expansions, which keywords do not have. */
function noteWord(state: State, word: string | undefined, written: string): void {
  const { keyword, isStart } = state
  state.keyword = undefined
  if (isStart && word !== undefined && keywords.test(word)) return
  if (keyword === 'case' && word === 'in') {
    beginCommand(state)
    return
  }
  state.mayAssign &&= /^[A-Za-z_]\w*(?:\[|\+?=)/.test(written)
  state.isStart = false
  if (keyword === 'case') state.keyword = keyword
  if (!isStart) return
  if (word === 'for' || word === 'case') state.keyword = word
  if (word === 'case') state.open.push('case')
  if (word === 'esac' && state.open.at(-1) === 'case') state.open.pop()
}

function beginCommand(state: State): void {
  state.isStart = true
  state.mayAssign = true
  state.keyword = undefined
  state.isTarget = false
}

function endStart(state: State): void {
  state.isStart = false
  state.keyword = undefined
}
