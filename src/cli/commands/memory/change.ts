/** `ctxd memory edit`, `delete` and `merge`. An agent changes memories by its tools, where the rules decide. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import {
  fromMarkdown,
  validMemories,
  writeMarkdown,
  type Memory,
  type MemoryChanges,
} from '../../../compose/memory-files.ts'
import { ContextdError } from '../../../core/errors.ts'
import { requireOperator } from '../../../platform/operator.ts'
import { runOnTerminal } from '../../../platform/process.ts'
import { note, printJson, printLine, type CliIo, type JsonOption } from '../../ui/output.ts'
import { readText } from './input.ts'
import { fullMemoryJson, memories } from './shown.ts'
import { withMemory, type MemoryDesk } from './with-memory.ts'

export interface EditArguments extends MemoryChanges, JsonOption {
  /** A Markdown file that says all of it. */
  readonly file?: string
}

/** Answers when the person has closed the file. */
export type Editor = (path: string, io: CliIo) => Promise<void>

export function edit(id: string, options: EditArguments, io: CliIo, open: Editor): Promise<void> {
  const { json, file, ...given } = options
  return withMemory(io, async (desk) => {
    const seen = memoryOf(desk, id)
    const changes = await wantedChanges(seen, { file, given }, io, open)
    if (Object.keys(changes).length === 0) {
      if (json) printJson({ memory: fullMemoryJson(seen), changed: [] }, io)
      else printLine('Nothing was changed.', io)
      return
    }
    const { memory, note: trouble } = await desk.bank.edit(desk.user, id, changes)
    desk.event('memory-edited', { id, fields: Object.keys(changes) })
    if (json) printJson({ memory: fullMemoryJson(memory), changed: Object.keys(changes) }, io)
    else printLine(`Changed ${Object.keys(changes).join(', ')} of ${id}.`, io)
    if (trouble !== undefined) note(trouble, io)
  })
}

function memoryOf({ bank, user }: MemoryDesk, id: string): Memory {
  const [memory] = bank.get(user, [id], { looksOnly: true })
  if (memory === undefined) throw new ContextdError('MEMORY_NOT_FOUND')
  return memory
}

async function wantedChanges(
  seen: Memory,
  { file, given }: { file: string | undefined; given: MemoryChanges },
  io: CliIo,
  open: Editor,
): Promise<MemoryChanges> {
  const isGiven = Object.values(given).some((value) => value !== undefined)
  if (file !== undefined) {
    if (isGiven) throw new ContextdError('USAGE', { problem: '--file says all of it: give no other option' })
    return differences(seen, readForm(await readText(file, io), file, seen))
  }
  if (isGiven) return differences(seen, given)
  if (io.stdout.isTTY !== true) {
    const problem = 'say what to change, with --title, --content and the like or with --file'
    throw new ContextdError('USAGE', { problem, hint: 'On a terminal it opens in your editor.' })
  }
  return inEditor(seen, io, open)
}

/** Where what was written there cannot be taken, it stays for the person. */
async function inEditor(seen: Memory, io: CliIo, open: Editor): Promise<MemoryChanges> {
  const file = join(mkdtempSync(join(tmpdir(), 'contextd-')), `${seen.id}.md`)
  const { title, description, outcome, task, tags, scope, content } = seen
  const form = { title, description, outcome, task, tags: [...tags], scope, content }
  writeFileSync(file, writeMarkdown(form), { mode: 0o600 })
  await open(file, io)
  let changes: MemoryChanges
  try {
    changes = differences(seen, readForm(readFileSync(file, 'utf8'), file, seen))
  } catch (error) {
    if (!(error instanceof ContextdError)) throw error
    const hint = `Your text is still there. Correct it and run: ctxd memory edit ${seen.id} --file ${file}`
    throw new ContextdError(error.code, { ...error.details, hint }, { cause: error })
  }
  rmSync(dirname(file), { recursive: true, force: true })
  return changes
}

function readForm(text: string, file: string, seen: Memory): Memory {
  const { project, agent, session, created } = seen
  const parsed = fromMarkdown(text, file, { project, agent, session, now: created })
  // Only what can be edited is taken from it, and none of that is stored unscrubbed.
  const [read] = validMemories([{ file, line: 1, parsed }], () => false)
  return read!.memory
}

const editable = ['title', 'description', 'content', 'outcome', 'task', 'tags', 'scope'] as const

function differences(seen: Memory, wanted: MemoryChanges): MemoryChanges {
  const changed = editable.filter(
    (field) => wanted[field] !== undefined && JSON.stringify(wanted[field]) !== JSON.stringify(seen[field]),
  )
  return Object.fromEntries(changed.map((field) => [field, wanted[field]]))
}

/** As git does it: the name of an editor may bring options of its own. */
export async function openInEditor(path: string, { env, cwd }: CliIo): Promise<void> {
  const editor = env.VISUAL || env.EDITOR || 'vi'
  const status = await runOnTerminal('sh', ['-c', `${editor} "$1"`, 'sh', path], { env, cwd })
  if (status === 0) return
  throw new ContextdError('USAGE', {
    problem: `the editor ended with ${status}, so nothing was changed`,
    hint: 'Set EDITOR to one that is installed, or use --title, --content and the like.',
  })
}

/** Lines of a list that a person would still read. */
const mostShown = 20

export function remove(
  ids: readonly string[],
  { yes, json }: JsonOption & { readonly yes?: true },
  io: CliIo,
): Promise<void> {
  return withMemory(io, async ({ bank, user, event }) => {
    const doomed = bank.get(user, [...new Set(ids)], { looksOnly: true })
    const shown = doomed.slice(0, mostShown).map(({ id, title }) => `  ${id}  ${title}`)
    const more = doomed.length > mostShown ? [`  and ${doomed.length - mostShown} more`] : []
    if (yes !== true) {
      const question = `Delete ${memories(doomed.length)} for good`
      await requireOperator({ ...io, details: [...shown, ...more], question })
    }
    const gone = doomed.map(({ id }) => id)
    event('memory-deleted', { ids: gone.slice(0, 100), count: gone.length })
    const { back, note: trouble } = await bank.remove(user, gone)
    if (json) return printJson({ deleted: gone, back }, io)
    printLine(`Deleted: ${memories(gone.length)}.`, io)
    // Asked, the person has seen them already.
    if (yes === true) for (const line of [...shown, ...more]) printLine(line, io)
    if (back.length > 0) note(`found again, because they had been merged into it: ${back.join(', ')}`, io)
    if (trouble !== undefined) note(trouble, io)
  })
}

export function merge(into: string, ids: readonly string[], { json }: JsonOption, io: CliIo): Promise<void> {
  return withMemory(io, ({ bank, user, event }) => {
    const memory = bank.merge(user, into, ids)
    event('memory-merged', { into, ids: ids.slice(0, 100), count: ids.length })
    if (json) return printJson({ memory: fullMemoryJson(memory), merged: ids }, io)
    printLine(`${into} answers for ${memories(ids.length)} more. All keep their words.`, io)
  })
}
