/**
 * What is added to a request: the explanation of tokens where the first one is, and a note to each result of a tool that
 * got the characters of a token. Both follow from the conversation alone, so that its bytes stay the same from request to
 * request. Pure.
 */

import { introduction } from '../core/introduction.ts'
import { tokenPattern, tokenStart } from '../core/secret-token.ts'
import type { NotePlace, RequestView } from './dialect.ts'
import type { JsonNode, StringNode } from './json-spans.ts'
import { keptNote } from './kept-note.ts'

export interface NoteOptions {
  /** The tokens of these that were issued in the session. */
  readonly issued: (tokens: readonly string[]) => ReadonlySet<string>
  /** Tools of contextd: what becomes of a token there is decided, and said, elsewhere. */
  readonly isOwnTool: (tool: string) => boolean
}

interface PlacedToken {
  readonly at: number
  readonly token: string
}

/** `masked`: the literals that were put in the place of strings. */
export function notesFor(
  body: string,
  view: RequestView,
  masked: ReadonlyMap<StringNode, string>,
  { issued, isOwnTool }: NoteOptions,
): Map<NotePlace, string[]> {
  const notes = new Map<NotePlace, string[]>()
  const addNote = (place: NotePlace, note: string): void => {
    notes.set(place, [...(notes.get(place) ?? []), note])
  }
  const written = tokensIn(body, (index) => index)
  const replaced = Array.from(masked, ([{ start }, literal]) => tokensIn(literal, () => start)).flat()
  const real = issued([...new Set([...written, ...replaced].map(({ token }) => token))])
  if (real.size === 0) return notes
  const sent = written.filter(({ token }) => real.has(token))
  const shown = [...sent, ...replaced.filter(({ token }) => real.has(token))].sort((a, b) => a.at - b.at)

  const contentOf = new Map(view.toolResults.map(({ notePlace, content }) => [notePlace, content]))
  const first = view.texts.find((place) => {
    const content = 'string' in place ? place.string : contentOf.get(place)
    return content !== undefined && within(shown, content).length > 0
  })
  if (first !== undefined) addNote(first, introduction)

  for (const { id, tool, input } of view.toolUses) {
    const kept = within(sent, input)
    if (kept.length === 0 || isOwnTool(tool)) continue
    const place = view.toolResults.find((result) => result.id === id)?.notePlace
    if (place !== undefined) addNote(place, keptNote([...new Set(kept)]))
  }
  return notes
}

function tokensIn(text: string, placeOf: (index: number) => number): PlacedToken[] {
  if (!text.includes(tokenStart)) return []
  return Array.from(text.matchAll(tokenPattern), ({ 0: token, index }) => ({ at: placeOf(index), token }))
}

/** `tokens` are in the order of the text. */
function within(tokens: readonly PlacedToken[], { start, end }: JsonNode): string[] {
  let low = 0
  let high = tokens.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (tokens[middle]!.at < start) low = middle + 1
    else high = middle
  }
  const found: string[] = []
  for (let at = low; at < tokens.length && tokens[at]!.at < end; at++) found.push(tokens[at]!.token)
  return found
}
