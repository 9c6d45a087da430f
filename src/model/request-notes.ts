/**
 * Notes added to a request: an explanation of tokens at the first one, and a note in each result of a tool that
 * received a token as literal text. Both only depend on the conversation, so that its bytes stay the same in every
 * request. Pure.
 */

import { introduction } from '../core/introduction.ts'
import type { Json } from '@contextd/shared/json/value'
import { partitionPoint } from '@contextd/shared/text/partition-point'
import { listTokens, tokensIn } from '../core/tokens/secret-forms.ts'
import type { NotePlace, RequestView } from './wire/dialect.ts'
import { sourceAt, type JsonNode, type StringNode } from './wire/json-spans.ts'
import { tokensInText } from './wire/token-spans.ts'

export interface NoteOptions {
  /** Which of these tokens were issued in the session. */
  readonly issued: (tokens: readonly string[]) => ReadonlySet<string>
  /** contextd's own tools, whose tokens are handled and reported elsewhere. */
  readonly isOwnTool: (tool: string) => boolean
}

/**
 * Tools of several clients whose input is read by an agent of the same session or by the user, where a token is what
 * they should see.
 */
const conversationTools = new Set([
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

/** `masked`: the literals that replace strings. */
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
  // Ensures the same position whether the secret was masked here or earlier by a client's hook.
  const shown = [...sent]
  for (const [{ start: at }, literal] of masked) {
    for (const { token } of tokensInText(literal)) shown.push({ at, token })
  }
  shown.sort((a, b) => a.at - b.at)
  /** Checked position by position, because a long conversation has many tokens, and each query reads the store. */
  const issuedOf = (found: readonly string[]): string[] => (found.length === 0 ? [] : [...issued(found)])

  const contentOf = new Map(view.toolResults.map(({ notePlace, content }) => [notePlace, content]))
  const first = view.texts.find((place) => {
    const content = 'string' in place ? place.string : contentOf.get(place)
    return content !== undefined && issuedOf(tokensWithin(shown, content)).length > 0
  })
  if (first !== undefined) addNote(first, introduction)

  for (const { id, tool, input } of view.toolUses) {
    if (isOwnTool(tool) || conversationTools.has(tool)) continue
    const kept = issuedOf(escapedTokens(body, input, view) ?? tokensWithin(sent, input))
    if (kept.length === 0) continue
    const place = view.toolResults.find((result) => result.id === id)?.notePlace
    if (place !== undefined) addNote(place, keptNote(kept))
  }
  return notes
}

/** Tells the model that a tool received a token as literal text; otherwise, the model would report success. */
export function keptNote(tokens: readonly string[]): string {
  return (
    `[contextd] ${listTokens(tokens)} in this call was not replaced by the secret: no rule reveals it to this tool, and ` +
    'the file that is written does not contain the value, or contains these characters as text. If the tool ran, it ' +
    'received those characters as literal text. If they were written where the secret belongs, undo it. If the tool needs ' +
    'the value, ask the user for a reveal rule.'
  )
}

/** JSON may escape every character of a token like this, even in a string that itself contains JSON. */
const mayBeEscape = /\\u00[3-7]/

/** The tokens that a tool reads from its input, where escapes may hide some; undefined if there are no such escapes. */
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

/** The distinct tokens in a node. `tokens` must be in the order of the text. */
function tokensWithin(tokens: readonly PlacedToken[], { start, end }: JsonNode): string[] {
  const found = new Set<string>()
  const first = partitionPoint(tokens.length, (at) => tokens[at]!.at < start)
  for (let at = first; at < tokens.length && tokens[at]!.at < end; at++) found.add(tokens[at]!.token)
  return [...found]
}
