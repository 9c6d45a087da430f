/** `ctxd checkpoint`: session checkpoints of this project, and how to continue from them. */

import { Option, type Command } from 'commander'

import type { Runtime } from '../../compose.ts'
import { cutLine } from '../../core/cut-text.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { CheckpointShowResponseJson } from '../../servers/control/gen/contextd/v1/checkpoint_pb.ts'
import { withControl } from '../support/control.ts'
import {
  minuteOf,
  newCommand,
  newGroup,
  note,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { wholeNumber } from '@contextd/shared/cli/whole-number'
import { withRuntime } from '../support/with-runtime.ts'

export function checkpointCommand(io: CliIo = processIo()): Command {
  return newGroup('checkpoint', 'list and restore session checkpoints', 'ctxd checkpoint list')
    .addCommand(
      newCommand('list', 'list the checkpoints of this project, newest first', 'ctxd checkpoint list -n 50')
        .option('-n, --limit <count>', 'maximum number of checkpoints', wholeNumber(1, 1_000_000), 20)
        .option('--before <id>', 'only checkpoints older than this one')
        .action((options: ListOptions) => list(options, io)),
    )
    .addCommand(
      newCommand('show', 'show what a checkpoint is about', 'ctxd checkpoint show cp_3f0c2a5e6f3b')
        .argument('<id>', 'ID shown by `list`')
        .action((id: string, options: JsonOption) => show(id, options, io)),
    )
    .addCommand(
      newCommand(
        'restore',
        'print the contents of a checkpoint, to read or give to an agent',
        'ctxd checkpoint restore cp_3f0c2a5e6f3b --level full > state.txt',
      )
        .argument('<id>', 'ID shown by `list`')
        .addOption(
          new Option('--level <level>', 'level of detail')
            .choices(['summary', 'context', 'full'])
            .default('context'),
        )
        .action((id: string, options: RestoreOptions) => restore(id, options, io)),
    )
}

interface ListOptions extends JsonOption {
  readonly limit: number
  readonly before?: string
}

interface RestoreOptions extends JsonOption {
  readonly level: 'summary' | 'context' | 'full'
}

async function opened({ memory }: Runtime) {
  return { checkpoints: await memory.checkpoints(), user: memory.operatorIn() }
}

type Line = ReturnType<Awaited<ReturnType<typeof opened>>['checkpoints']['list']>['checkpoints'][number]

function list({ json, limit, before }: ListOptions, io: CliIo): Promise<void> {
  return withRuntime(io, async (runtime) => {
    const { checkpoints, user } = await opened(runtime)
    const page = checkpoints.list(user, { limit, before })
    const lines = page.checkpoints.map(briefJson)
    if (json) return printJson({ checkpoints: lines, total: page.total, next: page.next ?? null }, io)
    if (page.total === 0) return printLine('No checkpoints in this project.', io)
    const rows = lines.map(({ id, name, created_at, agent, automatic, tokens, summary }) => [
      id,
      minuteOf(created_at),
      automatic ? `${agent} (automatic)` : agent,
      String(tokens.full),
      cutLine(name === '' ? summary : `${name}: ${summary}`, maxLineLength),
    ])
    printTable(['ID', 'SAVED (UTC)', 'BY', 'TOKENS', 'ABOUT'], rows, io)
    if (page.next !== undefined) {
      note(`${counted(page.total, 'checkpoint')} in total; continue with --before ${page.next}`, io)
    }
  })
}

/** Enough to choose from; `show` prints all of it. */
const maxLineLength = 100

function briefJson({ id, name, summary, created, agent, session, isAutomatic, tokens }: Line) {
  const created_at = new Date(created).toISOString()
  return { id, name, summary, created_at, agent, session, automatic: isAutomatic, tokens: { ...tokens } }
}

async function show(id: string, { json }: JsonOption, io: CliIo): Promise<void> {
  const answered = await withControl(io, (api) => api.call('Checkpoint/Show', { id }))
  if (json) return printJson(answered, io)
  const { tokens, files, branches = [], refs = [], ...plain } = answered as CheckpointShowResponseJson
  printFields(
    {
      ...plain,
      ...Object.fromEntries(Object.entries(tokens ?? {}).map(([level, many]) => [`tokens, ${level}`, many])),
      'files written': files?.written ?? [],
      'files read': files?.read ?? [],
      'open branches': branches.map((one) => `${one.id}: ${one.description}`),
      refs: refs.map((one) => `${one.id} (${one.bytes} bytes)`),
    },
    io,
  )
}

function restore(id: string, { level, json }: RestoreOptions, io: CliIo): Promise<void> {
  return withRuntime(io, async (runtime) => {
    const { checkpoints, user } = await opened(runtime)
    if (level !== 'full') {
      const restored = checkpoints.restore(user, id, level)
      return json ? printJson({ level, ...restored }, io) : printFields(restored, io)
    }
    const text = checkpoints.fullText(user, id)
    if (json) return printJson({ level, id, text }, io)
    for (const line of text.split('\n')) printLine(line, io)
  })
}

/** Multi-line text and lists are printed below their name. */
function printFields(fields: JsonObject, io: CliIo): void {
  for (const [name, value] of Object.entries(fields)) {
    const lines = linesOf(value)
    const title = name.replaceAll('_', ' ')
    if (lines.length === 0 || lines[0] === '') continue
    if (lines.length === 1 && !Array.isArray(value)) printLine(`${title}: ${lines[0]}`, io)
    else for (const line of [`${title}:`, ...lines, '']) printLine(line, io)
  }
}

function linesOf(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(linesOf)
  return typeof value === 'string' ? value.split('\n') : [JSON.stringify(value)]
}
