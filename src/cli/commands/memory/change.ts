/** `ctxd memory edit`, `delete` and `merge`. Agents change memories with their tools, subject to the rules. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { CodedError, ContextdError } from '../../../core/errors/errors.ts'
import type { MemoryChanges } from '../../../memory/bank/bank.ts'
import { validMemories } from '../../../memory/bank/import.ts'
import { fromMarkdown, writeMarkdown } from '../../../memory/bank/markdown.ts'
import type { Memory } from '../../../memory/bank/memory.ts'
import { refuseInsideAgent, requireOperator } from '@contextd/shared/operator'
import type {
  MemoryDeleteResponseJson,
  MemoryEditResponseJson,
} from '../../../servers/control/gen/contextd/v1/memory_pb.ts'
import { differences } from '../../../servers/control/operations/memory.ts'
import { withControl } from '../../support/control.ts'
import { requestOf } from '../../support/request-of.ts'
import { note, printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { readInputText } from './input.ts'
import { fullMemoryJson, memories } from './shown.ts'
import { withMemory } from './with-memory.ts'

export interface EditArguments extends MemoryChanges, JsonOption {
  /** A Markdown file with the whole memory. */
  readonly file?: string
}

/** Resolves when the user has closed the file. */
export type Editor = (path: string, io: CliIo) => Promise<void>

export async function edit(id: string, options: EditArguments, io: CliIo, open: Editor): Promise<void> {
  refuseInsideAgent(io.env)
  const { json, file, ...given } = options
  const { changes, draft } = await wantedChanges(id, { file, given }, io, open)
  const answered = await withControl(io, (api) =>
    api.call('Memory/Edit', requestOf({ id, ...changes })),
  ).catch((error: unknown) => {
    throw withDraft(error, id, draft)
  })
  if (draft !== undefined) rmSync(dirname(draft), { recursive: true, force: true })
  const { memory, changed = [], note: warning } = answered as MemoryEditResponseJson
  if (json) printJson({ memory, changed }, io)
  else if (changed.length === 0) printLine('No changes.', io)
  else printLine(`Changed ${changed.join(', ')} of ${id}.`, io)
  if (warning !== undefined) note(warning, io)
}

function lookAt(id: string, io: CliIo): Promise<Memory> {
  return withMemory(io, ({ bank, user }) => {
    const [memory] = bank.get(user, [id], { isPeek: true })
    if (memory === undefined) throw new ContextdError('MEMORY_NOT_FOUND', { id })
    return memory
  })
}

interface Wanted {
  readonly changes: MemoryChanges
  /** The file the user edited, until it is saved. */
  readonly draft?: string
}

async function wantedChanges(
  id: string,
  { file, given }: { file: string | undefined; given: MemoryChanges },
  io: CliIo,
  open: Editor,
): Promise<Wanted> {
  const isGiven = Object.values(given).some((value) => value !== undefined)
  if (file !== undefined) {
    if (isGiven)
      throw new ContextdError('USAGE', { problem: '--file replaces everything: give no other option' })
    const seen = await lookAt(id, io)
    return { changes: differences(seen, readForm(await readInputText(file, io), file, seen)) }
  }
  if (isGiven) return { changes: given }
  if (io.stdout.isTTY !== true) {
    const problem = 'give the changes with --title, --content and the like, or with --file'
    throw new ContextdError('USAGE', { problem, hint: 'On a terminal, your editor opens instead.' })
  }
  return inEditor(await lookAt(id, io), io, open)
}

async function inEditor(seen: Memory, io: CliIo, open: Editor): Promise<Wanted> {
  const draft = join(mkdtempSync(join(tmpdir(), 'contextd-')), `${seen.id}.md`)
  const { title, description, outcome, task, tags, scope, content } = seen
  const form = { title, description, outcome, task, tags: [...tags], scope, content }
  writeFileSync(draft, writeMarkdown(form), { mode: 0o600 })
  await open(draft, io)
  try {
    return { changes: differences(seen, readForm(readFileSync(draft, 'utf8'), draft, seen)), draft }
  } catch (error) {
    throw withDraft(error, seen.id, draft)
  }
}

/** If the edited text is rejected, the file is kept for the user. */
function withDraft(error: unknown, id: string, draft: string | undefined): unknown {
  if (draft === undefined || !(error instanceof CodedError)) return error
  const hint = `Your text is kept. Correct it and run: ctxd memory edit ${id} --file ${draft}`
  return new ContextdError(error.code, { ...error.details, hint }, { cause: error })
}

function readForm(text: string, file: string, seen: Memory): Memory {
  const { project, agent, session, created } = seen
  const parsed = fromMarkdown(text, file, { project, agent, session, now: created })
  // Only editable fields are read from it, and all of them are scrubbed before they are stored.
  const [read] = validMemories([{ file, line: 1, parsed }], () => false)
  return read!.memory
}

/** Lines of a list that a user would still read. */
const maxShown = 20

export async function removeMemory(
  ids: readonly string[],
  { yes, json }: JsonOption & { readonly yes?: true },
  io: CliIo,
): Promise<void> {
  const doomed = await withMemory(io, ({ bank, user }) => bank.get(user, [...new Set(ids)], { isPeek: true }))
  const shown = doomed.slice(0, maxShown).map(({ id, title }) => `  ${id}  ${title}`)
  const more = doomed.length > maxShown ? [`  and ${doomed.length - maxShown} more`] : []
  if (yes !== true) {
    const question = `Permanently delete ${memories(doomed.length)}`
    await requireOperator({ ...io, details: [...shown, ...more], question })
  }
  const answered = await withControl(io, (api) =>
    api.call('Memory/Delete', { ids: doomed.map(({ id }) => id) }),
  )
  const { deleted = [], back = [], note: warning } = answered as MemoryDeleteResponseJson
  if (json) return printJson({ deleted, back }, io)
  printLine(`Deleted: ${memories(deleted.length)}.`, io)
  // The user has already seen them in the prompt.
  if (yes === true) for (const line of [...shown, ...more]) printLine(line, io)
  if (back.length > 0) note(`in search again, as they had been merged into it: ${back.join(', ')}`, io)
  if (warning !== undefined) note(warning, io)
}

export function merge(into: string, ids: readonly string[], { json }: JsonOption, io: CliIo): Promise<void> {
  return withMemory(io, ({ bank, user, event }) => {
    const memory = bank.merge(user, into, ids)
    event('memory-merged', { into, ids: ids.slice(0, 100), count: ids.length })
    if (json) return printJson({ memory: fullMemoryJson(memory), merged: ids }, io)
    printLine(`${into} now replaces ${memories(ids.length)} in search. No text was changed.`, io)
  })
}
