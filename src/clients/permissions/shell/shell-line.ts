/**
 * A shell command as clients look at it before they ask their rules: the simple commands it is made of, and what keeps
 * Claude Code from telling what would run. Pure.
 */

import {
  filledIn,
  keepVariable,
  newDraft,
  unknownIn,
  withoutKeywords,
  type ShellCommand,
} from './simple-command.ts'

export type { ShellCommand } from './simple-command.ts'

export interface ShellLine {
  /** Also those inside others, such as `$(…)`. */
  readonly commands: readonly ShellCommand[]
  /** What the client cannot check before it runs. */
  readonly obstacle?: string
  /** What the client cannot check even where all that matters is in which sandbox it runs. */
  readonly opaque?: string
  /** Whether some of it runs in the background or in a shell of its own. */
  readonly isDetached: boolean
  /** Whether it is commands one after the other, none inside another and none on a condition. */
  readonly isPlain: boolean
  /** Whether it holds what the client takes for no command at all. */
  readonly isRefused: boolean
}

/** Characters that a person would not see; the client runs no command that has one. */
const hidden = /[^\P{Cc}\t\n]/u
/** To a shell these are letters. */
const otherBlanks = /[\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF]/

/** The obstacle where the client sees all the same what it stands for. */
export const ownVariable = 'a variable that it sets by itself'

const innerCommand = 'a command inside a command'
const deepest = 8
const longest = 20_000

export function readShellLine(text: string, home: string): ShellLine {
  const found: Found = {
    commands: [],
    home,
    variables: new Map(),
    unknown: new Set(),
    isDetached: false,
    isPlain: true,
  }
  if (text.length > longest) found.obstacle = found.opaque = 'a command of this length'
  else readWhole(text, found)
  const { home: _home, variables: _variables, unknown: _unknown, ...line } = found
  return { ...line, isRefused: hidden.test(text) }
}

function readWhole(text: string, found: Found): void {
  if (otherBlanks.test(text)) found.obstacle = 'a blank that is none to the shell'
  // At the end of a line it is in order where a blank stands before it.
  if (/\\[ \t]|[^\s\\]\\\n/.test(text)) found.opaque = found.obstacle = 'a backslash before a blank'
  if (/(?:&&|\|\|)\s*$/.test(text)) found.obstacle = 'a command without its end'
  readCommands(text, found, 0)
}

interface Found {
  readonly commands: ShellCommand[]
  readonly home: string
  /** What the line itself sets before it uses it. */
  readonly variables: Map<string, string>
  obstacle?: string
  opaque?: string
  isDetached: boolean
  isPlain: boolean
  /** Variables that the line itself sets to what only the shell knows. */
  readonly unknown: Set<string>
}

type Redirection = 'read' | 'write' | 'copy' | 'text'

function readCommands(text: string, found: Found, depth: number): void {
  if (depth > deepest) {
    found.opaque ??= found.obstacle ??= 'a command that deep inside others'
    return
  }
  let draft = newDraft()
  let word: string | undefined
  let raw = ''
  let isPattern = false
  let redirection: Redirection | undefined
  let documents: { readonly end: string; readonly indent: RegExp }[] = []
  let isQuoted = false
  let at = 0

  const stop = (obstacle: string): void => {
    found.obstacle ??= obstacle
  }
  const block = (obstacle: string): void => {
    stop(obstacle)
    found.opaque ??= obstacle
  }
  const take = (length: number, meaning: string): void => {
    raw += text.slice(at, at + length)
    word = (word ?? '') + meaning
    at += length
  }
  const endWord = (): void => {
    if (word === undefined) return
    draft.whole += raw
    if (redirection === undefined) {
      if (draft.redirected !== '') {
        stop('a redirection in front of a word')
        if (draft.words.length > 0) {
          draft.words.push(draft.redirected)
          draft.text += `${draft.redirected} `
        }
      }
      draft.redirected = ''
      draft.text += raw
      draft.words.push(word)
      if (isPattern) draft.patterns.push(word)
    } else if (redirection === 'read') draft.readsFrom.push(word)
    else if (redirection === 'write' || (redirection === 'copy' && !/^(?:\d+|-)$/.test(word)))
      draft.writesTo.push(word)
    if (redirection !== undefined) draft.redirected = `>${raw}`
    word = undefined
    raw = ''
    isPattern = false
    redirection = undefined
  }
  const endCommand = (): void => {
    endWord()
    const command = withoutKeywords(draft, stop, block)
    if ((command?.words.length ?? 0) !== draft.words.length && draft.words[0] !== '!') found.isPlain = false
    for (const name of unknownIn(draft.words[0] === 'for' ? draft.words : command?.words))
      found.unknown.add(name)
    if (command !== undefined) found.commands.push(command)
    keepVariable(draft.words, found.variables)
    draft = newDraft()
  }
  const nest = (length: number, inside: string): void => {
    if (isQuoted) stop(innerCommand)
    else draft.inner = innerCommand
    found.isPlain = false
    readCommands(inside, found, depth + 1)
    take(length, filledIn)
  }
  const nestAllIn = (inside: string): void => {
    for (const { index, 0: sign } of inside.matchAll(/\$\((?!\()|`/g)) {
      const from = index + sign.length
      const until = sign === '`' ? inside.indexOf('`', from) : closing(inside, from)
      stop(innerCommand)
      if (until > from) readCommands(inside.slice(from, until), found, depth + 1)
    }
  }
  const expand = (): void => {
    const rest = text.slice(at)
    const name = /^\$([A-Za-z_]\w*)/.exec(rest)
    if (rest.startsWith('`')) {
      const end = text.indexOf('`', at + 1)
      const until = end === -1 ? text.length : end
      nest(until - at + 1, text.slice(at + 1, until))
    } else if (rest.startsWith('$((')) {
      const inside = text.slice(at + 3, closing(text, at + 3))
      if (/[A-Za-z_$`]/.test(inside)) stop('a variable')
      nestAllIn(inside)
      take(inside.length + 5, filledIn)
    } else if (rest.startsWith('$(')) {
      const end = closing(text, at + 2)
      nest(end - at + 1, text.slice(at + 2, end))
    } else if (name?.[1] === 'HOME') take(name[0].length, found.home)
    else if (name !== null || /^\$[{\d?!#@*$-]/.test(rest)) {
      const own = found.variables.get(name?.[1] ?? '')
      const braces = /^\$\{[^}]*\}?/.exec(rest)
      const used = name?.[1] ?? /^\$\{(\w+)/.exec(rest)?.[1] ?? ''
      if (found.unknown.has(used)) block('a variable')
      else stop(own === undefined ? 'a variable' : ownVariable)
      nestAllIn(braces?.[0] ?? '')
      take(name?.[0].length ?? braces?.[0].length ?? 2, own ?? filledIn)
    } else take(1, '$')
  }
  const takeDocuments = (): void => {
    const [document] = documents
    // Of a line with several the client sees nothing that comes after it.
    if (documents.length > 1) at = text.length
    else if (document !== undefined) {
      const lines = text.slice(at).split('\n')
      const last = lines.findIndex((line) => line.replace(document.indent, '') === document.end)
      const length = (last === -1 ? lines : lines.slice(0, last + 1)).join('\n').length
      at += Math.min(length + 1, text.length - at)
    }
    documents = []
  }

  while (at < text.length) {
    const character = text[at]!
    const rest = text.slice(at, at + 4000)
    const document = /^<<-?(?!<)[ \t]*(?:'([^']*)'|"([^"]*)"|([^\s;&|<>()]+))/.exec(rest)
    const redirect = /^(?:&>>?|<<<|[<>]&|>>|>\||<>|[<>])/.exec(rest)
    const braces = /^\{[^\s{}]*(?:,|\.\.)[^\s{}]*\}/.exec(rest)
    if (rest.startsWith('\\\n')) {
      endWord()
      if (/\S$/.test(draft.text)) draft.text += ' '
      at += 2
    } else if (character === '\\') take(2, text[at + 1] ?? '')
    else if (character === "'") {
      const quoted = /^'([^']*)('?)/.exec(text.slice(at))!
      // What is not closed loses its last letter to the client.
      take(quoted[0].length, quoted[2] === '' ? quoted[1]!.slice(0, -1) : quoted[1]!)
    } else if (character === '"') {
      take(1, '')
      isQuoted = true
      while (at < text.length && text[at] !== '"') {
        if (text[at] === '\\' && /["$`\\]/.test(text[at + 1] ?? '')) take(2, text[at + 1]!)
        else if (text[at] === '$' || text[at] === '`') expand()
        else take(1, text[at]!)
      }
      if (at >= text.length) stop('a quote that is not closed')
      isQuoted = false
      take(1, '')
    } else if (character === '$' || character === '`') expand()
    else if (character === '#' && word === undefined) at += /^[^\n]*/.exec(text.slice(at))![0].length
    else if (/^[<>]\(/.test(rest)) {
      const end = closing(text, at + 2)
      nest(end - at + 1, text.slice(at + 2, end))
    } else if (document !== null) {
      endWord()
      found.isPlain = false
      draft.whole += document[0]
      if (document[3] !== undefined) stop('a here-document in which the shell fills in')
      documents.push({
        end: document[1] ?? document[2] ?? document[3]!,
        indent: document[0].startsWith('<<-') ? /^\t+/ : /^(?=.)/,
      })
      at += document[0].length
      if (/^[^\n]*\S/.test(text.slice(at))) stop('what stands behind the start of a here-document')
    } else if (redirect !== null) {
      // The number in front says which stream, and is no word.
      const stream = word !== undefined && /^\d+$/.test(raw) ? raw : ''
      if (stream !== '') [word, raw] = [undefined, '']
      endWord()
      draft.whole += stream + redirect[0]
      redirection = redirectionOf(redirect[0])
      at += redirect[0].length
    } else if (/^(?:&&|\|\||[;|\n&])/.test(rest)) {
      const operator = /^(?:&&|\|\||\|&|[;|\n&])/.exec(rest)![0]
      if (operator === '&') found.isDetached = true
      at += operator.length
      endCommand()
      if (operator === '\n') takeDocuments()
    } else if (rest.startsWith('((') && word === undefined && draft.words.length === 0) {
      const inside = text.slice(at + 2, closing(text, at + 2))
      stop('a calculation')
      nestAllIn(inside)
      at += inside.length + 4
    } else if (character === '(' || character === ')') {
      found.isDetached = true
      found.isPlain = false
      at += 1
      endCommand()
      draft.isBehindGroup = character === ')'
    } else if (character === ' ' || character === '\t') {
      const hadWord = word !== undefined && redirection === undefined
      endWord()
      if (hadWord || draft.text !== '') draft.text += character
      if (draft.whole !== '') draft.whole += character
      at += 1
    } else if (braces !== null) {
      stop('braces that the shell fills in')
      found.isPlain = false
      take(braces[0].length, braces[0])
    } else {
      if (character === '*' || character === '?' || character === '[') isPattern = true
      const isHome = character === '~' && word === undefined && /^~(?:\/|\s|$)/.test(rest)
      if (character === '~' && word === undefined && !isHome) block('the home of somebody else')
      take(1, isHome ? found.home : character)
    }
  }
  endCommand()
}

function redirectionOf(operator: string): Redirection {
  if (operator === '<<<') return 'text'
  if (operator.endsWith('&')) return 'copy'
  return operator.startsWith('<') ? 'read' : 'write'
}

/** The parenthesis that ends what began before `from`. */
function closing(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '(') depth += 1
    else if (text[at] === ')' && (depth -= 1) === 0) return at
  }
  return text.length
}
