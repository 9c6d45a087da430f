/** The words of a command: what happens at the end of a word and of the command. */

import type { TokenOf } from '@contextd/shared/shell/syntax'
import { hindrancesInWord } from './hindrances.ts'
import { block, stop } from './line-state.ts'
import { isCompound, keepVariable, newDraft, unknownIn, withoutKeywords } from './simple-command.ts'
import { continuation } from './deviations.ts'
import { writtenAt, type LineReader, type Redirection, type Word } from './reader.ts'

export function readBlank(reader: LineReader, token: TokenOf<'blank'>): void {
  const { draft } = reader
  const blank = writtenAt(reader, token)
  if (draft.text !== '') draft.text += blank
  if (draft.whole !== '') draft.whole += blank
}

export function readContinuation({ draft }: LineReader): void {
  if (/\S$/.test(draft.text)) draft.text += continuation.betweenWords
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
