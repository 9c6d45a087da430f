import { ContextdError } from '../../core/errors/errors.ts'
import type { Json } from '@contextd/shared/json/value'
import type { CountTokens } from '../../core/ports.ts'
import { withoutHidden } from '../../platform/hidden-characters.ts'
import type { CheckpointDraft, CheckpointTokens, TouchedFiles } from './checkpoint.ts'
import { maxStateBytes } from './packed-text.ts'
import { mergedFiles } from './touched-files.ts'

/** In characters. */
export const longest = { name: 60, summary: 8000, context: 65_536 } as const
/** A name stands in every list. */
const nameTokens = 40

/** A draft as it is kept: scrubbed, and with ids in place of the session's tokens. */
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
  /** What our own tools did, in texts that are scrubbed already. */
  readonly seen: TouchedFiles
  readonly count: CountTokens
  readonly archive: (text: string) => string
}

/** Throws INVALID_ARGUMENTS for what is empty, too long or no text. */
export function archivedDraft(
  draft: CheckpointDraft,
  { project, seen, count, archive }: DraftParts,
): ArchivedDraft {
  const { name = '', summary, context = '' } = draft
  const state = textOf(draft.state)
  if (withoutHidden(summary).trim() === '') throw invalid('summary', 'some text')
  for (const [field, text] of Object.entries({ name, summary, context }) as [
    keyof typeof longest,
    string,
  ][]) {
    if (text.length > longest[field]) throw invalid(field, `at most ${longest[field]} characters`)
    if (text.includes('\0')) throw invalid(field, 'text, not binary data')
  }
  if (/\p{Cc}|[\u2028\u2029]/u.test(name)) throw invalid('name', 'one line of text')
  if (count(JSON.stringify(name)) > nameTokens) throw invalid('name', 'a shorter name')
  if (Buffer.byteLength(state) > maxStateBytes)
    throw invalid('state', `at most ${maxStateBytes} bytes as text`)
  const files = mergedFiles(project, draft.files ?? { written: [], read: [] }, seen)
  const tokens = { summary: count(summary), context: count(context) }
  // Half of a character would not come back from the store as it went in.
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

/** Text as it is; everything else as JSON that shows which value stands under which name: some are secrets by it. */
function textOf(state: Json | undefined): string {
  if (state === undefined || state === null) return ''
  return typeof state === 'string' ? state : JSON.stringify(state, null, 1)
}

function invalid(field: string, expected: string): ContextdError {
  return new ContextdError('INVALID_ARGUMENTS', { fields: [{ field, expected }] })
}
