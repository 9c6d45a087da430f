/**
 * Puts real values in place of tokens in the input of a tool, only where that reveals nothing new: the file that is written
 * contains the value already, or the rules allow it.
 */

import type { JsonObject } from '../core/json.ts'
import { tokenPattern, tokenStart } from '../core/secret-token.ts'
import type { RestoreInput, ToolInput } from './dialect.ts'
import { fileToolOf } from './file-tools.ts'
import { mayContainToken } from './held-input.ts'
import { tokenPlaces, type InputPart, type TokenPlace } from './input-places.ts'
import { InvalidJson } from './json-spans.ts'
import { isOwnTool } from './own-tools.ts'
import { replaceSpans, type SpanChange } from './replace-spans.ts'
import { writtenInString } from './token-spans.ts'
import { createWrittenText, type WrittenText } from './written-text.ts'

/** What took the place of a token. The text differs from the secret where that has line numbers in it. */
export interface RestoredToken {
  readonly token: string
  readonly text: string
}

/** Whether the rules give this tool the value in this argument. `text` is all of the string that the token is in. */
export type MayReveal = (argument: string | undefined, token: string, value: string, text: string) => boolean

export interface RestorePorts {
  /** The values of those tokens that were issued in this session. */
  valuesOf(tokens: ReadonlySet<string>): ReadonlyMap<string, string>
  /** The text of a file that is about to be written; undefined where there is none. */
  readFile(path: string): Promise<string | undefined>
  /** The input is an object, or a string for tools with free text. */
  mayReveal(tool: string, input: JsonObject | string): MayReveal
  /** Called before the restored input leaves, so that later requests are masked again. */
  remember(toolUseId: string, restored: readonly RestoredToken[]): void
  /** For the audit trail: tokens and arguments by name, never a value. */
  note(what: string): void
}

export function createInputRestorer(ports: RestorePorts): RestoreInput {
  return async (input) => {
    if (isOwnTool(input.tool) || !mayContainToken(input.text)) return input.text
    const places = placesIn(input)
    const values = ports.valuesOf(new Set(places.map(({ span }) => span.token)))
    const issued = places.filter(({ span }) => values.has(span.token))
    if (issued.length === 0) return input.text

    const decide = createDecision(input, values, ports)
    const notes = new Set<string>()
    const restored = new Map<string, RestoredToken>()
    const changes: SpanChange[] = []
    for (const place of issued) {
      const { token, start, end } = place.span
      const decision = await decide(place, values.get(token)!)
      if (decision.kind === 'kept') {
        if (decision.why !== undefined) notes.add(`restore refused: ${whereOf(place)} (${decision.why})`)
        continue
      }
      const text = decision.text.replaceAll('\n', `\n${linePrefix(place)}`)
      notes.add(`restored: ${whereOf(place)} (${decision.why})`)
      restored.set(`${token} ${text}`, { token, text })
      changes.push({ start, end, text: input.form === 'json' ? writtenInString(text) : text })
    }
    for (const note of [...notes].slice(0, maxNotes)) ports.note(note)
    const text = replaceSpans(input.text, changes)
    if (restored.size > 0) ports.remember(input.idOf?.(text) ?? input.id, [...restored.values()])
    return text
  }
}

/** More would say nothing that these do not. */
const maxNotes = 50
/** Names come from the model. A longer one may be a secret. */
const maxNameLength = 32

function whereOf({ span, part: { argument = 'a text' } }: TokenPlace): string {
  const isShown = argument.length <= maxNameLength && !argument.includes(tokenStart)
  return `${span.token} in ${isShown ? argument : '(unknown)'}`
}

/** In a patch, each line of a value has to begin as the line of its token does. */
function linePrefix({ span, part: { text, isPatch } }: TokenPlace): string {
  return isPatch === true ? text[lineStart(text, span.at)]! : ''
}

const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)

/** An input that is no JSON, such as one that was cut off, is passed as it is. */
function placesIn(input: ToolInput): TokenPlace[] {
  try {
    return tokenPlaces(input, fileToolOf(input.tool))
  } catch (error) {
    if (error instanceof InvalidJson) return []
    throw error
  }
}

type Decision =
  | { readonly kind: 'restored'; readonly text: string; readonly why: string }
  /** Without a reason where the text of the token itself is meant. */
  | { readonly kind: 'kept'; readonly why?: string }

function createDecision(input: ToolInput, values: ReadonlyMap<string, string>, ports: RestorePorts) {
  const isMeantLiterally = createLiteralCheck(values)
  const files = new Map<string, Promise<WrittenText | undefined>>()
  const readFile = async (path: string): Promise<WrittenText | undefined> => {
    const content = await ports.readFile(path)
    return content === undefined ? undefined : createWrittenText(content)
  }
  const fileAt = (path: string): Promise<WrittenText | undefined> => {
    const file = files.get(path) ?? readFile(path)
    files.set(path, file)
    return file
  }
  let judge: MayReveal | undefined
  const mayReveal: MayReveal = (...place) => {
    judge ??= ports.mayReveal(
      input.tool,
      input.form === 'json' ? (JSON.parse(input.text) as JsonObject) : input.text,
    )
    return judge(...place)
  }

  return async (place: TokenPlace, value: string): Promise<Decision> => {
    const { token } = place.span
    const { target, argument, text } = place.part
    if (target.kind === 'name') return { kind: 'kept', why: 'a name' }
    if (target.kind === 'file') {
      const file = await fileAt(target.path)
      if (file !== undefined && isMeantLiterally(file, place)) return { kind: 'kept' }
      const found = file?.formOf(value)
      if (found !== undefined) return { kind: 'restored', text: found, why: 'in the file already' }
      if (file?.has(token) === true) return { kind: 'kept' }
    }
    if (mayReveal(argument, token, value, text))
      return { kind: 'restored', text: value, why: 'allowed by a rule' }
    return { kind: 'kept', why: target.kind === 'file' ? 'not in the file, and no rule' : 'no rule' }
  }
}

/** The file contains these characters themselves, in the text that is replaced or in a line that is written again. */
function createLiteralCheck(values: ReadonlyMap<string, string>) {
  const isLiteralLine = (file: WrittenText, line: string): boolean => {
    if (!file.hasLine(line)) return false
    // Where the file has the same line with the secrets too, it must not lose them.
    const restored = line.replace(tokenPattern, (token) => file.formOf(values.get(token) ?? token) ?? token)
    return restored === line || !file.hasLine(restored.split('\n', 1)[0]!)
  }
  /** A line may be long and have many tokens. */
  let last: { part: InputPart; start: number; end: number; isLiteral: boolean } | undefined

  return (file: WrittenText, { span, part }: TokenPlace): boolean => {
    const { text, replaced, isPatch } = part
    if (!file.has(span.token)) return false
    if (replaced?.includes(span.token) === true && file.has(replaced)) return true
    if (last?.part !== part || span.at < last.start || last.end < span.at) {
      const start = lineStart(text, span.at) + (isPatch === true ? 1 : 0)
      const next = text.indexOf('\n', span.at)
      const end = next === -1 ? text.length : next
      last = { part, start, end, isLiteral: isLiteralLine(file, text.slice(start, end)) }
    }
    return last.isLiteral
  }
}
