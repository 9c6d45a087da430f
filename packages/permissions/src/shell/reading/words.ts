/** The words of a command: letters, blanks, and what becomes of a word at its end. */

import { block, stop } from '../line-state.ts'
import { hindrancesInWord } from '../hindrances.ts'
import type { Redirection } from '../signs.ts'
import { isCompound, keepVariable, newDraft, unknownIn, withoutKeywords } from '../simple-command.ts'
import { ahead, noteFilledIn, take, type LineReader, type Word } from './reader.ts'

export function readLetter(reader: LineReader): void {
  const { text, at, word, found } = reader
  const letter = text[at]!
  const isHome = letter === '~' && word === undefined && /[/\s]/.test(text[at + 1] ?? '/')
  take(reader, 1, isHome ? found.home : letter)
}

export function readWildcard(reader: LineReader): void {
  take(reader, 1, reader.text[reader.at]!)
  reader.word!.isPattern = true
}

/** `{a,b}` and `{1..3}` stand for several words; other braces are letters. */
export function readBrace(reader: LineReader): void {
  const braces = /^\{(?=[^\s{}]*(?:,|\.\.))[^\s{}]*\}/.exec(ahead(reader))
  if (braces === null) return readLetter(reader)
  noteFilledIn(reader)
  reader.found.isPlain = false
  take(reader, braces[0].length, braces[0])
}

/** Only where a word could begin; behind letters it is one of them. */
export function readHash(reader: LineReader): void {
  const { text, at, word } = reader
  if (word !== undefined) return readLetter(reader)
  const end = text.indexOf('\n', at)
  reader.at = end === -1 ? text.length : end
}

export function readBlank(reader: LineReader): void {
  const { text, at, word, redirection, draft } = reader
  const hadWord = word !== undefined && redirection === undefined
  endWord(reader)
  if (hadWord || draft.text !== '') draft.text += text[at]!
  if (draft.whole !== '') draft.whole += text[at]!
  reader.at += 1
}

export function endWord(reader: LineReader): void {
  const { word, redirection, draft, found } = reader
  if (word === undefined) return
  draft.whole += word.written
  const { obstacle, opaque } = hindrancesInWord(word.meant, word.written, draft.words)
  if (opaque !== undefined) block(found, opaque)
  else if (obstacle !== undefined) stop(found, obstacle)
  if (redirection === undefined) addWord(reader, word)
  else addTarget(reader, word, redirection)
  reader.word = undefined
  reader.redirection = undefined
}

function addWord({ draft, found }: LineReader, { meant, written, isPattern }: Word): void {
  if (draft.redirected !== '') {
    stop(found, 'a redirection in front of a word')
    // To the client the redirection is a word then.
    if (draft.words.length > 0) {
      draft.words.push(draft.redirected)
      draft.text += `${draft.redirected} `
    }
  }
  draft.redirected = ''
  draft.text += written
  draft.words.push(meant)
  if (isPattern) draft.patterns.push(meant)
}

/** Where a redirection leads to or comes from. */
function addTarget({ draft, found }: LineReader, { meant, written }: Word, redirection: Redirection): void {
  const isStream = redirection === 'copy' && /^\d+$/.test(meant)
  if (redirection === 'read') draft.readsFrom.push(meant)
  else if (redirection === 'copy' && meant === '-') stop(found, 'a stream that is closed')
  else if (redirection !== 'text' && !isStream) draft.writesTo.push(meant)
  draft.redirected = `>${written}`
}

export function endCommand(reader: LineReader): void {
  endWord(reader)
  const { draft, found, depth } = reader
  const { words } = draft
  const command = withoutKeywords(
    draft,
    (obstacle) => stop(found, obstacle),
    (obstacle) => block(found, obstacle),
  )
  if ((command?.words.length ?? 0) !== words.length && words[0] !== '!') found.isPlain = false
  for (const name of unknownIn(words[0] === 'for' ? words : command?.words)) found.unknown.add(name)
  if (command !== undefined) found.commands.push({ ...command, segment: found.segment })
  if (depth === 0 && isCompound(words)) found.isCompound = true
  keepVariable(words, found.variables)
  reader.draft = newDraft()
}
