/**
 * What is added to a request: the explanation of tokens where the first secret was masked, and a note to each result of a tool that
 * got the characters of a token. Both follow from the conversation alone, so that its bytes stay the same from request to
 * request. Pure.
 */

import { introduction } from '../core/introduction.ts'
import type { NotePlace, RequestView } from './dialect.ts'
import type { JsonNode, StringNode } from './json-spans.ts'
import { keptNote } from './kept-note.ts'
import { tokensInText } from './token-spans.ts'

export interface NoteOptions {
  /** The tokens of these that were issued in the session. */
  readonly issued: (tokens: readonly string[]) => ReadonlySet<string>
  /** Tools of contextd: what becomes of a token there is decided, and said, elsewhere. */
  readonly isOwnTool: (tool: string) => boolean
}

/** Of several clients: what they are given is read by an agent of the same session or by the user, who want the token. */
const talkingTools = new Set([
  'Agent',
  'AskUserQuestion',
  'ExitPlanMode',
  'SendMessage',
  'Task',
  'TaskCreate',
  'TaskUpdate',
  'TodoWrite',
  'question',
  'task',
  'todowrite',
  'update_plan',
  'write_todos',
])

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
  const sent: PlacedToken[] = tokensInText(body)
  // Only where something was masked here: a text of the client may name a token before that is issued.
  const placed = Array.from(masked, ([{ start: at }, literal]) =>
    tokensInText(literal).map(({ token }) => ({ at, token })),
  ).flat()
  placed.sort((a, b) => a.at - b.at)
  /** Each place by itself: a long conversation has many tokens, and to ask for one takes a look at the store. */
  const issuedIn = (tokens: readonly PlacedToken[], node: JsonNode): string[] => {
    const found = within(tokens, node)
    return found.length === 0 ? [] : [...issued(found)]
  }

  const contentOf = new Map(view.toolResults.map(({ notePlace, content }) => [notePlace, content]))
  const first = view.texts.find((place) => {
    const content = 'string' in place ? place.string : contentOf.get(place)
    return content !== undefined && issuedIn(placed, content).length > 0
  })
  if (first !== undefined) addNote(first, introduction)

  for (const { id, tool, input } of view.toolUses) {
    if (isOwnTool(tool) || talkingTools.has(tool)) continue
    const kept = issuedIn(sent, input)
    if (kept.length === 0) continue
    const place = view.toolResults.find((result) => result.id === id)?.notePlace
    if (place !== undefined) addNote(place, keptNote(kept))
  }
  return notes
}

/** Each once. `tokens` are in the order of the text. */
function within(tokens: readonly PlacedToken[], { start, end }: JsonNode): string[] {
  let low = 0
  let high = tokens.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (tokens[middle]!.at < start) low = middle + 1
    else high = middle
  }
  const found = new Set<string>()
  for (let at = low; at < tokens.length && tokens[at]!.at < end; at++) found.add(tokens[at]!.token)
  return [...found]
}
