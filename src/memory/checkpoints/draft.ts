import { ContextdError } from '../../core/errors/errors.ts'
import type { Json } from '@contextd/shared/json/value'
import type { CountTokens } from '../../core/ports.ts'
import { withoutHidden } from '../../platform/hidden-characters.ts'
import type { CheckpointDraft, CheckpointTokens, TouchedFiles } from './checkpoint.ts'
import { maxStateBytes } from './packed-text.ts'
import { mergedFiles } from './touched-files.ts'

/** Max length in characters. */
export const maxLengths = { name: 60, summary: 8000, context: 65_536 } as const
/** Names are shown in every list. */
const nameTokens = 40

/** A draft as stored: scrubbed, and with ids in place of the session's tokens. */
export interface ArchivedDraft {
  readonly name: string
  readonly summary: string
  readonly context: string
  readonly state: string
  readonly files: TouchedFiles
  readonly tokens: CheckpointTokens
}

export interface DraftParts {
  readonly project: string
  /** What our own tools recorded, already scrubbed. */
  readonly recorded: TouchedFiles
  readonly count: CountTokens
  readonly archive: (text: string) => string
}

/** Throws INVALID_ARGUMENTS for empty, too long or binary text. */
export function archivedDraft(
  draft: CheckpointDraft,
  { project, recorded, count, archive }: DraftParts,
): ArchivedDraft {
  const { name = '', summary, context = '' } = draft
  const state = textOf(draft.state)
  if (withoutHidden(summary).trim() === '') throw invalid('summary', 'some text')
  for (const [field, text] of Object.entries({ name, summary, context }) as [
    keyof typeof maxLengths,
    string,
  ][]) {
    if (text.length > maxLengths[field]) throw invalid(field, `at most ${maxLengths[field]} characters`)
    if (text.includes('\0')) throw invalid(field, 'text, not binary data')
  }
  if (/\p{Cc}|[\u2028\u2029]/u.test(name)) throw invalid('name', 'one line of text')
  if (count(JSON.stringify(name)) > nameTokens) throw invalid('name', 'a shorter name')
  if (Buffer.byteLength(state) > maxStateBytes)
    throw invalid('state', `at most ${maxStateBytes} bytes as text`)
  const files = mergedFiles(project, draft.files ?? { written: [], read: [] }, recorded)
  const tokens = { summary: count(summary), context: count(context) }
  // Half a surrogate pair would not read back from the store unchanged.
  const keep = (text: string): string => archive(text.toWellFormed())
  return {
    name: keep(name),
    summary: keep(summary),
    context: keep(context),
    state: keep(state),
    files: { written: files.written.map(keep), read: files.read.map(keep) },
    tokens: { ...tokens, full: tokens.summary + tokens.context + count(state) },
  }
}

/**
 * Text stays unchanged; everything else becomes JSON with its keys, because some values are only recognized as
 * secrets by their key.
 */
function textOf(state: Json | undefined): string {
  if (state === undefined || state === null) return ''
  return typeof state === 'string' ? state : JSON.stringify(state, null, 1)
}

function invalid(field: string, expected: string): ContextdError {
  return new ContextdError('INVALID_ARGUMENTS', { fields: [{ field, expected }] })
}
