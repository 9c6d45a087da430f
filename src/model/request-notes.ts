/**
 * What is added to a request: the explanation of tokens where the first one is, and a note to each result of a
 * tool that got the characters of a token. Both follow from the conversation alone, so that its bytes stay the same from
 * request to request. Pure.
 */

import { introduction } from '../core/introduction.ts'
import type { Json } from '@contextd/shared/json/value'
import { partitionPoint } from '@contextd/shared/text/partition-point'
import { tokensIn } from '../core/tokens/secret-forms.ts'
import type { NotePlace, RequestView } from './wire/dialect.ts'
import { sourceAt, type JsonNode, type StringNode } from './wire/json-spans.ts'
import { keptNote } from './kept-note.ts'
import { tokensInText } from './wire/token-spans.ts'

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
  // The same place whether the secret was masked here or, by a hook of the client, before.
  const shown = [...sent]
  for (const [{ start: at }, literal] of masked) {
    for (const { token } of tokensInText(literal)) shown.push({ at, token })
  }
  shown.sort((a, b) => a.at - b.at)
  /** Each place by itself: a long conversation has many tokens, and to ask for one takes a look at the store. */
  const issuedOf = (found: readonly string[]): string[] => (found.length === 0 ? [] : [...issued(found)])

  const contentOf = new Map(view.toolResults.map(({ notePlace, content }) => [notePlace, content]))
  const first = view.texts.find((place) => {
    const content = 'string' in place ? place.string : contentOf.get(place)
    return content !== undefined && issuedOf(within(shown, content)).length > 0
  })
  if (first !== undefined) addNote(first, introduction)

  for (const { id, tool, input } of view.toolUses) {
    if (isOwnTool(tool) || talkingTools.has(tool)) continue
    const kept = issuedOf(escapedTokens(body, input, view) ?? within(sent, input))
    if (kept.length === 0) continue
    const place = view.toolResults.find((result) => result.id === id)?.notePlace
    if (place !== undefined) addNote(place, keptNote(kept))
  }
  return notes
}

/** JSON may write every character of a token so, also inside a string that contains JSON. */
const mayBeEscape = /\\u00[3-7]/

/** Those that a tool reads out of its input, where escapes may hide some; undefined where none can. */
function escapedTokens(body: string, input: JsonNode, { json }: RequestView): string[] | undefined {
  const source = sourceAt(body, input)
  if (!mayBeEscape.test(source)) return undefined
  const value = JSON.parse(source) as Json
  if (typeof value !== 'string' || input.kind !== 'string' || !json.has(input)) return [...tokensIn(value)]
  try {
    return [...tokensIn(JSON.parse(value) as Json)]
  } catch {
    return undefined
  }
}

/** Each once. `tokens` are in the order of the text. */
function within(tokens: readonly PlacedToken[], { start, end }: JsonNode): string[] {
  const found = new Set<string>()
  const first = partitionPoint(tokens.length, (at) => tokens[at]!.at < start)
  for (let at = first; at < tokens.length && tokens[at]!.at < end; at++) found.add(tokens[at]!.token)
  return [...found]
}
