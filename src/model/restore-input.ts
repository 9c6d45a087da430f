/**
 * Replaces tokens in a tool input with real values, but only where that reveals nothing new: if the written file
 * already contains the value, or the rules allow it.
 */

import { createFileTokens, type FileTokens, type TokenMeaning } from '../core/tokens/file-tokens.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { isOwnTool } from '../core/own-tools.ts'
import { maxNotes, nameArgument } from '../core/tokens/token-notes.ts'
import type { RestoreInput, ToolInput } from './wire/dialect.ts'
import { fileToolOf } from './file-tools.ts'
import { mayContainToken } from './wire/held-input.ts'
import { tokenPlaces, type InputPart, type TokenPlace } from './input-places.ts'
import { InvalidJson } from './wire/json-spans.ts'
import { patchHunks } from './patch-sections.ts'
import { replaceSpans, type SpanChange } from './wire/replace-spans.ts'
import { writtenInString } from './wire/token-spans.ts'

/** The replacement of a token. It differs from the secret if that contains line numbers. */
export interface RestoredToken {
  readonly token: string
  readonly text: string
}

/**
 * Whether the rules reveal the value to this argument of the tool. `text` is the complete string that contains the
 * token.
 */
export type MayReveal = (argument: string | undefined, token: string, value: string, text: string) => boolean

export interface RestorePorts {
  /** The values of the tokens that were issued in this session. */
  valuesOf(tokens: ReadonlySet<string>): ReadonlyMap<string, string>
  /** The text of a file that is about to be written; undefined if missing. */
  readFile(path: string): Promise<string | undefined>
  /** The input is an object, or a string for tools with free text. */
  mayReveal(tool: string, input: JsonObject | string): MayReveal
  /** Called before the restored input is sent, so that later requests are masked again. */
  remember(toolUseId: string, restored: readonly RestoredToken[]): void
  /** For the audit log: names of tokens and arguments, never a value. */
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

function whereOf({ span, part: { argument } }: TokenPlace): string {
  return `${span.token} in ${nameArgument(argument)}`
}

/** In a patch, every line of a value needs the same prefix as the line of its token. */
function linePrefix({ span, part: { text, section } }: TokenPlace): string {
  return section === undefined ? '' : text[text.lastIndexOf('\n', span.at) + 1]!
}

/** An input that is not JSON, such as an incomplete one, passes unchanged. */
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
  /** Without a reason if the token is meant literally. */
  | { readonly kind: 'kept'; readonly why?: string }

function createDecision(input: ToolInput, values: ReadonlyMap<string, string>, ports: RestorePorts) {
  const files = new Map<string, Promise<FileTokens | undefined>>()
  const readFile = async (path: string): Promise<FileTokens | undefined> => {
    const content = await ports.readFile(path)
    return content === undefined ? undefined : createFileTokens(content, values)
  }
  const fileAt = (path: string): Promise<FileTokens | undefined> => {
    const file = files.get(path) ?? readFile(path)
    files.set(path, file)
    return file
  }
  const known = new Map<InputPart, ReadonlyMap<number, TokenMeaning>>()
  const meaningsIn = (part: InputPart, file: FileTokens): ReadonlyMap<number, TokenMeaning> => {
    const meanings = known.get(part) ?? findMeanings(part, file)
    known.set(part, meanings)
    return meanings
  }
  let judge: MayReveal | undefined
  const mayReveal: MayReveal = (...place) => {
    judge ??= ports.mayReveal(
      input.tool,
      input.form === 'json' ? (JSON.parse(input.text) as JsonObject) : input.text,
    )
    return judge(...place)
  }

  return async ({ span: { token, at }, part }: TokenPlace, value: string): Promise<Decision> => {
    const { target, argument, text } = part
    if (target.kind === 'name') return { kind: 'kept', why: 'a name' }
    const file = target.kind === 'file' ? await fileAt(target.path) : undefined
    const meaning = file && meaningsIn(part, file).get(at)
    if (meaning?.kind === 'secret')
      return { kind: 'restored', text: meaning.text, why: 'in the file already' }
    if (meaning?.kind === 'unclear')
      return { kind: 'kept', why: 'the file contains both the secret and the characters of the token' }
    if (meaning?.kind === 'literal') return { kind: 'kept' }
    if (mayReveal(argument, token, value, text))
      return { kind: 'restored', text: value, why: 'allowed by a rule' }
    if (file?.hasLiteral(token) === true) return { kind: 'kept' }
    return { kind: 'kept', why: target.kind === 'file' ? 'not in the file, and no rule' : 'no rule' }
  }
}

function findMeanings(
  { text, replaced, section }: InputPart,
  file: FileTokens,
): ReadonlyMap<number, TokenMeaning> {
  if (section === undefined) return file.meanings(text, replaced)
  const meanings = new Map<number, TokenMeaning>()
  for (const hunk of patchHunks(text, section)) {
    // Unchanged lines are on both sides; the old side is authoritative.
    for (const side of [hunk.new, hunk.old]) {
      for (const [at, meaning] of file.meanings(side.text, section.isWhole ? undefined : hunk.old.text))
        meanings.set(side.offsetOf(at), meaning)
    }
  }
  return meanings
}
