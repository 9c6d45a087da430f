/**
 * A shell command as clients look at it before they ask their rules: the simple commands it is made of, and what keeps
 * Claude Code from telling what would run. Pure.
 */

import { asLine, newFound, type Found, type ShellLine } from './found.ts'
import { contentOf, hereDocument, quotedDocument, type HereDocument } from './here-document.ts'
import { hindrancesInWord } from './hindrances.ts'
import { closing, redirectionOf, type Redirection } from './signs.ts'
import {
  filledIn,
  isCompound,
  isKeyword,
  keepVariable,
  newDraft,
  unknownIn,
  withoutKeywords,
} from './simple-command.ts'

export type { ShellLine } from './found.ts'
export type { ShellCommand } from './simple-command.ts'

/** The obstacle where the client sees all the same what it stands for. */
export const ownVariable = 'a variable that it sets by itself'

const innerCommand = 'a command inside a command'
const deepest = 8
/** What is read here, so that a long text takes no long time. */
const longest = 20_000

export function readShellLine(text: string, home: string): ShellLine {
  const found = newFound(text, home)
  if (text.length <= longest) readCommands(text, found, 0)
  return asLine(text, found)
}

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
  /** Whether it is what a variable is set to. */
  const isSetTo = (): boolean => draft.words.length === 0 && /^\w+\+?=/.test(word ?? '')
  const fillIn = (): void => {
    if (depth === 0) found.isFilledIn = true
  }
  const nest = (length: number, inside: string): void => {
    if (draft.words[0] !== 'for') fillIn()
    if (isSetTo() && (isQuoted || !word!.endsWith('='))) block(innerCommand)
    if (!isSetTo() && /<<(?!<)/.test(inside)) block('a here-document inside a command')
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
      const { 0: whole, groups } = quotedDocument.exec(rest)!
      found.isPlain = false
      take(whole.length, groups!.content!)
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
      if (own === undefined && isSetTo()) block('a variable')
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
      const content = contentOf(document, text.slice(at))
      if (document.isFilledIn && /[$`]/.test(content)) block('a here-document in which the shell fills in')
      at += Math.min(content.length + 1, text.length - at)
    }
    documents = []
  }

  while (at < text.length) {
    const character = text[at]!
    const rest = text.slice(at, at + 4000)
    const document = hereDocument(rest)
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
    } else if (document !== undefined) {
      endWord()
      found.isPlain = false
      draft.whole += document.start
      if (document.isFilledIn) stop('a here-document in which the shell fills in')
      if (/['"\\]/.test(document.end)) block('quotes inside the end of a here-document')
      documents.push(document)
      at += document.start.length
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
      if (operator === ';' && found.groups > 0) block('several commands in parentheses')
      at += operator.length
      endCommand()
      if (depth === 0 && /^\|&?$/.test(operator)) found.segment += 1
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
