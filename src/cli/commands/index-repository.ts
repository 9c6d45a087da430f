/** `ctxd index`: indexes a repository for search, and updates the index. */

import { resolve } from 'node:path'

import type { Command } from 'commander'

import type { OpenRepository } from '../../compose/memory/repository.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { IndexProgressJson, IndexReportJson } from '../../servers/control/gen/contextd/v1/index_pb.ts'
import { withControl } from '../support/control.ts'
import {
  minuteOf,
  newCommand,
  note,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { progressLine } from '@contextd/shared/cli/progress'
import { withRuntime } from '../support/with-runtime.ts'
import { stoppable } from './memory/stoppable.ts'

interface Options extends JsonOption {
  readonly status?: true
  readonly remove?: true
}

export function indexCommand(io: CliIo = processIo()): Command {
  return newCommand('index', 'index a repository for search', 'ctxd index ~/work/shop')
    .argument('[path]', 'its folder (default: current directory)')
    .option('--status', 'only show what is indexed')
    .option('--remove', 'delete its index; its files are not touched')
    .action((path: string | undefined, options: Options) => {
      const folder = resolve(io.cwd, path ?? '.')
      if (!options.status && !options.remove) return index(folder, options, io)
      return withRuntime(io, async ({ memory }) => {
        const repository = await memory.repository()
        return options.status
          ? status(path, repository, options, io)
          : remove(folder, repository, options, io)
      })
    })
}

async function index(path: string, { json }: Options, io: CliIo): Promise<void> {
  const line = progressLine(io, 'file')
  const { signal, release } = stoppable()
  const answered = await withControl(io, (api) =>
    api.stream(
      'Index/Run',
      { path },
      ({ progress }) => {
        const { done = 0, total = 0, path: now = '' } = progress as IndexProgressJson
        line.show({ done, total, now })
      },
      { signal },
    ),
  ).finally(() => {
    line.clear()
    release()
  })
  const {
    folder,
    files = 0,
    parts = 0,
    indexed = 0,
    removed = 0,
    notes = [],
    ...rest
  } = answered as IndexReportJson
  for (const text of notes.slice(0, maxNotes)) note(text, io)
  if (notes.length > maxNotes) note(`${notes.length - maxNotes} more; --json lists them all`, io)
  if (json) return printJson(answered, io)
  if (rest.by_syntax !== true && indexed > 0) note(howToCutBetter, io)
  const tooLarge = rest.too_large ?? 0
  const details = [
    `${indexed} new or changed`,
    ...(removed > 0 ? [`${removed} gone`] : []),
    ...(tooLarge > 0 ? [`${tooLarge} too large`] : []),
  ]
  printLine(`${folder}: ${counted(files, 'file')} in ${counted(parts, 'part')} (${details.join(', ')})`, io)
}

/** The JSON report has all of them; a terminal shows this many. */
const maxNotes = 10

const howToCutBetter =
  'code is split by lines; run `npm install @vscode/tree-sitter-wasm@0.3.1` next to contextd to split by functions and classes'

function status(path: string | undefined, { index }: OpenRepository, { json }: Options, io: CliIo): void {
  const folders = path === undefined ? index.folders() : index.foldersFor(resolve(io.cwd, path))
  const known = folders.flatMap((folder) => {
    const size = index.status(folder)
    return size === undefined
      ? []
      : [{ folder, files: size.files, parts: size.chunks, looked: lookedAt(size.indexedAt) }]
  })
  if (json) return printJson({ repositories: known }, io)
  if (known.length === 0) return printLine('Nothing is indexed.', io)
  const rows = known.map(({ folder, files, parts, looked }) => [
    folder,
    String(files),
    String(parts),
    looked === undefined ? 'never completed' : minuteOf(looked),
  ])
  printTable(['FOLDER', 'FILES', 'PARTS', 'LAST RUN (UTC)'], rows, io)
}

function lookedAt(time: number): string | undefined {
  return time === 0 ? undefined : new Date(time).toISOString()
}

async function remove(
  folder: string,
  { index }: OpenRepository,
  { json }: Options,
  io: CliIo,
): Promise<void> {
  if (!(await index.remove(folder)))
    throw new ContextdError('NOT_INDEXED', { hint: 'See `ctxd index --status`.' })
  if (json) return printJson({ folder, removed: true }, io)
  printLine(`${folder}: index deleted`, io)
}
