/**
 * A shell command as clients look at it before they ask their rules: the simple commands it is made of, and what keeps
 * Claude Code from telling what would run. Pure.
 */

import { hindrancesInText, hindrancesInWord, isTooLong, type Hindrances } from './hindrances.ts'
import {
  isCompound,
  filledIn,
  isKeyword,
  keepVariable,
  newDraft,
  unknownIn,
  withoutKeywords,
  type ShellCommand,
} from './simple-command.ts'

export type { ShellCommand } from './simple-command.ts'

export interface ShellLine extends Hindrances {
  /** Also those inside others, such as `$(…)`. */
  readonly commands: readonly ShellCommand[]
  /** Whether some of it runs in the background or in a shell of its own. */
  readonly isDetached: boolean
  /** Whether it is commands one after the other, none inside another and none on a condition. */
  readonly isPlain: boolean
  /** Whether it holds what the client takes for no command at all. */
  readonly isRefused: boolean
}

/** Characters that a person would not see; the client runs no command that has one. */
const hidden = /[^\P{Cc}\t\n]/u

/** The obstacle where the client sees all the same what it stands for. */
export const ownVariable = 'a variable that it sets by itself'

const innerCommand = 'a command inside a command'
const deepest = 8

export function readShellLine(text: string, home: string): ShellLine {
  const found: Found = {
    commands: [],
    home,
    variables: new Map(),
    unknown: new Set(),
    isDetached: false,
    isPlain: true,
    groups: 0,
    segment: 0,
    isCompound: false,
    isFilledIn: false,
    ...hindrancesInText(text),
  }
  if (!isTooLong(text)) readCommands(text, found, 0)
  if (found.isCompound && found.isFilledIn)
    found.opaque ??= 'what the shell fills in beside conditions and loops'
  const { commands, obstacle, opaque, isDetached, isPlain } = found
  return {
    commands,
    ...(obstacle !== undefined && { obstacle }),
    ...(opaque !== undefined && { opaque }),
    isDetached,
    isPlain,
    isRefused: hidden.test(text),
  }
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
  /** How many parentheses are open. */
  groups: number
  /** Which of the commands with a pipe between them it is. */
  segment: number
  /** Whether there are conditions, loops and parentheses, and words that the shell fills in; inside others none counts. */
  isCompound: boolean
  isFilledIn: boolean
  /** Variables that the line itself sets to what only the shell knows. */
  readonly unknown: Set<string>
}

interface HereDocument {
  readonly end: string
  readonly indent: RegExp
  readonly isFilledIn: boolean
}

/** Text that the client sees through: `"$(cat <<'EOF' …)"`. */
const quotedDocument = /^\$\(cat <<-?[ \t]*(['"])(\w+)\1\n([\s\S]*?)\n?\2\n\s*\)/

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
  let documents: HereDocument[] = []
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
    const { obstacle, opaque } = hindrancesInWord(word, raw, draft.words)
    if (opaque !== undefined) block(opaque)
    else if (obstacle !== undefined) stop(obstacle)
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
    else if (redirection === 'copy' && word === '-') stop('a stream that is closed')
    else if (redirection === 'write' || (redirection === 'copy' && !/^\d+$/.test(word)))
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
    if (command !== undefined) found.commands.push({ ...command, segment: found.segment })
    if (depth === 0 && isCompound(draft.words)) found.isCompound = true
    keepVariable(draft.words, found.variables)
    draft = newDraft()
  }
  const fillIn = (): void => {
    if (depth === 0) found.isFilledIn = true
  }
  const nest = (length: number, inside: string): void => {
    if (draft.words[0] !== 'for') fillIn()
    if (isQuoted) stop(innerCommand)
    else draft.inner = innerCommand
    found.isPlain = false
    readInner(inside)
    take(length, filledIn)
  }
  const readInner = (inside: string): void => {
    const { groups, segment } = found
    found.groups = 0
    readCommands(inside, found, depth + 1)
    Object.assign(found, { groups, segment })
  }
  const nestAllIn = (inside: string): void => {
    for (const { index, 0: sign } of inside.matchAll(/\$\((?!\()|`/g)) {
      const from = index + sign.length
      const until = sign === '`' ? inside.indexOf('`', from) : closing(inside, from)
      stop(innerCommand)
      if (until > from) readInner(inside.slice(from, until))
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
    } else if (isQuoted && quotedDocument.test(rest)) {
      const [whole, , , content] = quotedDocument.exec(rest)!
      found.isPlain = false
      take(whole.length, content!)
    } else if (rest.startsWith('$(')) {
      const end = closing(text, at + 2)
      nest(end - at + 1, text.slice(at + 2, end))
    } else if (name?.[1] === 'HOME') take(name[0].length, found.home)
    else if (name !== null || /^\$[{\d?!#@*$-]/.test(rest)) {
      const own = found.variables.get(name?.[1] ?? '')
      const braces = /^\$\{[^}]*\}?/.exec(rest)
      const used = name?.[1] ?? /^\$\{(\w+)/.exec(rest)?.[1] ?? ''
      const isOdd = !isQuoted && /[\s*?[]/.test(own ?? '')
      if (own === undefined) fillIn()
      if (found.unknown.has(used) || isOdd || /^\$\{!\w|^\$\{[^}]*(?:\$\(|`)/.test(rest)) block('a variable')
      else stop(own === undefined ? 'a variable' : ownVariable)
      nestAllIn(braces?.[0] ?? '')
      take(name?.[0].length ?? braces?.[0].length ?? 2, isOdd ? filledIn : (own ?? filledIn))
    } else {
      if (!isQuoted) stop('text with codes')
      take(1, '$')
    }
  }
  const takeDocuments = (): void => {
    const [document] = documents
    // Of a line with several the client sees nothing that comes after it.
    if (documents.length > 1) {
      block('several here-documents')
      at = text.length
    } else if (document !== undefined) {
      const lines = text.slice(at).split('\n')
      const last = lines.findIndex((line) => line.replace(document.indent, '') === document.end)
      const content = (last === -1 ? lines : lines.slice(0, last + 1)).join('\n')
      if (document.isFilledIn && /[$`]/.test(content)) block('a here-document in which the shell fills in')
      const { length } = content
      at += Math.min(length + 1, text.length - at)
    }
    documents = []
  }

  while (at < text.length) {
    const character = text[at]!
    const rest = text.slice(at, at + 4000)
    const document = /^<<-?(?!<)[ \t]*(?:'([^']*)'|"([^"]*)"|\\(\w+)|([^\s;&|<>()]+))/.exec(rest)
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
      const open = document[4]
      if (open !== undefined) stop('a here-document in which the shell fills in')
      if (/['"\\]/.test(open ?? '')) block('quotes inside the end of a here-document')
      documents.push({
        end: document[1] ?? document[2] ?? document[3] ?? open!,
        isFilledIn: open !== undefined,
        indent: document[0].startsWith('<<-') ? /^\t+/ : /^(?=.)/,
      })
      at += document[0].length
      const behind = 'what stands behind the start of a here-document'
      if (/^[ \t]*\|(?!\|)/.test(text.slice(at))) stop(behind)
      else if (/^[^\n]*\S/.test(text.slice(at))) block(behind)
    } else if (redirect !== null) {
      // The number in front says which stream, and is no word.
      const stream = word !== undefined && /^\d+$/.test(raw) ? raw : ''
      if (stream !== '') [word, raw] = [undefined, '']
      endWord()
      draft.whole += stream + redirect[0]
      if (redirect[0] === '<>') block('a file that is read and written')
      redirection = redirectionOf(redirect[0])
      at += redirect[0].length
    } else if (/^(?:&&|\|\||[;|\n&])/.test(rest)) {
      const operator = /^(?:&&|\|\||\|&|[;|\n&])/.exec(rest)![0]
      if (operator === '&') found.isDetached = true
      if (depth === 0 && operator.startsWith('|') && operator !== '||') found.segment += 1
      if (operator === ';' && found.groups > 0) block('several commands in parentheses')
      at += operator.length
      endCommand()
      if (operator === '\n') takeDocuments()
    } else if (rest.startsWith('((') && word === undefined && draft.words.length === 0) {
      const inside = text.slice(at + 2, closing(text, at + 2))
      block('a calculation')
      nestAllIn(inside)
      at += inside.length + 4
    } else if (character === '(' || character === ')') {
      found.isDetached = true
      found.isPlain = false
      if (character === '(' && (word !== undefined || !draft.words.every(isKeyword)))
        block('parentheses behind a word')
      at += 1
      endCommand()
      found.groups += character === '(' ? 1 : -1
      if (depth === 0) found.isCompound = true
      draft.isBehindGroup = character === ')'
    } else if (character === ' ' || character === '\t') {
      const hadWord = word !== undefined && redirection === undefined
      endWord()
      if (hadWord || draft.text !== '') draft.text += character
      if (draft.whole !== '') draft.whole += character
      at += 1
    } else if (braces !== null) {
      fillIn()
      found.isPlain = false
      take(braces[0].length, braces[0])
    } else {
      if (character === '*' || character === '?' || character === '[') isPattern = true
      const isHome = character === '~' && word === undefined && /^~(?:\/|\s|$)/.test(rest)
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
