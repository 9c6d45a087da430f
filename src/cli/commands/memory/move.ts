/** `ctxd memory export` and `import`. */

import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { CodedError, ContextdError } from '../../../core/errors/errors.ts'
import { exportedToken, exportMemories, markdownFileName } from '../../../memory/bank/export.ts'
import { importMemories, validMemories } from '../../../memory/bank/import.ts'
import { toJsonLine, type PortableMemory } from '../../../memory/bank/jsonl.ts'
import { readMemoryMarkdown, toMarkdown } from '../../../memory/bank/markdown.ts'
import { readSmallFile, replaceFile } from '@contextd/shared/files/small-file'
import { byteOutput } from '@contextd/shared/cli/bytes'
import { note, printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { progressLine } from '@contextd/shared/cli/progress'
import { isMarkdown, readMemories } from './input.ts'
import { listFilter, type Filter } from './look.ts'
import type { ScrubbedNotes } from './notes.ts'
import { memories } from './shown.ts'
import { sayStopped, stoppable } from './stoppable.ts'
import { scrubbedText, withMemory, type MemoryDesk } from './with-memory.ts'

export const exportFormats = ['jsonl', 'markdown'] as const

export interface ExportArguments extends Filter, JsonOption {
  readonly format: (typeof exportFormats)[number]
}

export interface ImportArguments extends JsonOption {
  readonly replace?: true
  readonly dryRun?: true
  readonly project?: string
}

/** Tokens are numbered per export, and per file of notes. Only these sessions have such names. */
const numberedName = /^(?:export|notes)-[0-9a-f-]{36}$/

export function exportAll(named: string | undefined, options: ExportArguments, io: CliIo): Promise<void> {
  const path = named === '-' ? undefined : named
  const { format, json, ...filter } = options
  if (format === 'markdown' && path === undefined) {
    const problem = 'Markdown needs a folder: ctxd memory export --format markdown <folder>'
    throw new ContextdError('USAGE', { problem })
  }
  return withMemory(io, async ({ bank, userIn, event }) => {
    const session = `export-${randomUUID()}`
    const found = exportMemories(bank, userIn(session), session, listFilter(filter, io))
    const line = progressLine(io, 'memory')
    const withProgress = (function* () {
      let done = 0
      for (const { total, ...portable } of found) {
        line.show({ done: done++, total })
        yield portable
      }
    })()
    try {
      const count =
        path === undefined
          ? await toStdout(withProgress, io)
          : format === 'markdown'
            ? toFolder(withProgress, resolve(io.cwd, path), io)
            : toFile(withProgress, resolve(io.cwd, path))
      line.clear()
      event('memory-exported', { count })
      if (path === undefined) return
      if (json) printJson({ exported: count, path }, io)
      else printLine(`Exported: ${memories(count)} to ${path}.`, io)
    } finally {
      line.clear()
    }
  })
}

async function toStdout(found: Iterable<PortableMemory>, io: CliIo): Promise<number> {
  const output = byteOutput(io)
  let count = 0
  for (const portable of found) {
    if (output.isCut) break
    await output.write(Buffer.from(`${toJsonLine(portable)}\n`))
    count += 1
  }
  return count
}

/** Atomic: the file is either the whole export or what it was before. */
function toFile(found: Iterable<PortableMemory>, target: string): number {
  const temporary = `${target}.${randomUUID()}.tmp`
  let count = 0
  try {
    const file = openSync(temporary, 'wx', 0o600)
    try {
      for (const portable of found) {
        writeSync(file, `${toJsonLine(portable)}\n`)
        count += 1
      }
    } finally {
      closeSync(file)
    }
    renameSync(temporary, target)
    return count
  } catch (error) {
    rmSync(temporary, { force: true })
    throw unwritable(error)
  }
}

/** A memory exported there earlier under another title is renamed; no other file is touched. */
function toFolder(found: Iterable<PortableMemory>, folder: string, io: CliIo): number {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const older = filesById(folder)
    let count = 0
    for (const portable of found) {
      const { memory } = portable
      const name = markdownFileName(memory)
      // The folder may be in a repository with agent-written content: links in it are not followed.
      replaceFile(join(folder, name), toMarkdown(portable), 'replaced')
      const before = older.get(memory.id)
      if (before !== undefined && before !== name) rmSync(join(folder, before))
      older.delete(memory.id)
      count += 1
    }
    if (older.size > 0) note(`not touched: ${counted(older.size, 'file')} of other memories`, io)
    return count
  } catch (error) {
    throw unwritable(error)
  }
}

/** Maps memories to their files of an earlier export. */
function filesById(folder: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const name of readdirSync(folder).filter(isMarkdown)) {
    const file = readSmallFile(join(folder, name))
    const read = file.kind === 'bytes' ? readMemoryMarkdown(file.bytes.toString(), name) : undefined
    if (read?.ok === true && typeof read.fields.id === 'string') files.set(read.fields.id, name)
  }
  return files
}

function unwritable(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined || error instanceof CodedError) return error
  return new ContextdError('USAGE', {
    problem: `the export cannot be written (${code})`,
    hint: 'Choose a writable path.',
  })
}

export function importAll(paths: readonly string[], options: ImportArguments, io: CliIo): Promise<void> {
  const { replace, dryRun, project: chosen, json } = options
  return withMemory(io, async (desk) => {
    const { reach, archiver } = desk.user
    const { archive } = archiver
    const defaults = { project: desk.project, agent: reach.agent, session: reach.session, now: Date.now() }
    const read = await readMemories(paths, defaults, (text) => scrubNotes(text, desk), io)
    const valid = validMemories(read, (name) => archive(name) !== name)
    const wanted = chosen === undefined ? valid : valid.map((one) => inProject(one, resolve(io.cwd, chosen)))
    const line = progressLine(io, 'memory')
    const { signal, release } = stoppable()
    try {
      const answer = await importMemories(importParts(desk), wanted, {
        replace: replace === true,
        dryRun: dryRun === true,
        onProgress: (done) => line.show({ done, total: wanted.length }),
        signal,
      })
      line.clear()
      const { added, replaced, same, different, note: warning } = answer
      if (dryRun !== true && added.length + replaced.length > 0)
        desk.event('memory-imported', { added: added.length, replaced: replaced.length })
      const left = wanted.length - added.length - replaced.length - same.length - different.length
      const counts = { added: added.length, replaced: replaced.length, unchanged: same.length, left }
      if (json) {
        printJson(
          { dry_run: dryRun === true, ...counts, different, ...(warning !== undefined && { note: warning }) },
          io,
        )
      } else {
        const would = dryRun === true ? 'Would be added' : 'Added'
        printLine(
          `${would}: ${memories(counts.added)}, replaced: ${counts.replaced}, unchanged: ${counts.unchanged}.`,
          io,
        )
      }
      if (different.length > 0) note(differentText(different), io)
      if (warning !== undefined) note(warning, io)
      if (left > 0) sayStopped(memories(left), io)
    } finally {
      release()
      line.clear()
    }
  })
}

/** In a session of its own, so that the same file always has the same tokens, which are part of ids. */
function scrubNotes(text: string, { userIn }: MemoryDesk): ScrubbedNotes {
  const session = `notes-${randomUUID()}`
  return {
    text: scrubbedText(text.replaceAll(exportedToken, '[SECRET_FORGOTTEN]'), userIn(session)),
    session,
  }
}

function importParts({
  bank,
  user,
  userIn,
  store,
  tenant,
}: MemoryDesk): Parameters<typeof importMemories>[0] {
  const isOurs = (session: string): boolean =>
    numberedName.test(session) && store.rows('secret_tokens', { tenant, session }).first() !== undefined
  return {
    bank,
    user,
    userOfExport: (session) => (isOurs(session) ? userIn(session) : undefined),
    exists: (id) => store.rows('memories', { tenant }).first({ id }) !== undefined,
  }
}

function inProject(portable: PortableMemory, project: string): PortableMemory {
  return { ...portable, memory: { ...portable.memory, project } }
}

/** IDs of a list that a user would still read. */
const maxShown = 10

function differentText(ids: readonly string[]): string {
  const more = ids.length > maxShown ? ` and ${ids.length - maxShown} more` : ''
  const shown = ids.slice(0, maxShown).join(', ')
  return `existing, different and kept: ${shown}${more}; --replace overwrites them from the file`
}
