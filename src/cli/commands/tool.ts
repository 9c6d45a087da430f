/** `ctxd tool`: tools of your own, and what they may do. */

import type { Command } from 'commander'

import type { Toolbox, ToolReport } from '../../compose.ts'
import { formatCapability } from '../../core/capability.ts'
import { ContextdError, errorText, type ErrorObject } from '../../core/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Result } from '../../core/result.ts'
import { requireOperator } from '../../platform/operator.ts'
import { VERSION } from '../../platform/version.ts'
import { readInput } from '../ui/bytes.ts'
import {
  newCommand,
  newGroup,
  note,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
  type JsonOption,
} from '../ui/output.ts'
import { withRecords, withRuntime } from '../with-runtime.ts'

export function toolCommand(io: CliIo = processIo()): Command {
  return newGroup('tool', 'tools of your own, and what they may do', 'ctxd tool list')
    .addCommand(
      newCommand('new', 'make a tool in this project that works, to start from', 'ctxd tool new weather')
        .argument('<name>', 'what agents call it')
        .action((name: string, options: JsonOption) => create(name, options, io)),
    )
    .addCommand(
      newCommand('list', 'the tools of this project and whether they can be called', 'ctxd tool list').action(
        (options: JsonOption) => list(options, io),
      ),
    )
    .addCommand(
      newCommand(
        'show',
        'one tool: its files, what it may do, what is wrong with it',
        'ctxd tool show weather',
      )
        .argument('<name>', 'as `list` shows it')
        .action((name: string, options: JsonOption) => show(name, options, io)),
    )
    .addCommand(
      newCommand('approve', 'let agents call a tool, as its files are now', 'ctxd tool approve weather')
        .argument('<name>', 'as `list` shows it')
        .option(
          '--grant <capability...>',
          'also give it this one of its optional capabilities, for good; more than one may be named',
        )
        .action((name: string, options: ApproveOptions) => approve(name, options, io)),
    )
    .addCommand(
      newCommand(
        'remove',
        'take the approval back, so that nobody can call the tool; its files stay',
        'ctxd tool remove weather',
      )
        .argument('<name>', 'as `list` shows it')
        .action((name: string, options: JsonOption) => remove(name, options, io)),
    )
    .addCommand(
      newCommand(
        'run',
        'call a tool as an agent would, and print its answer',
        `ctxd tool run weather '{"city": "Oslo"}'`,
      )
        .argument('<name>', 'a tool that is approved')
        .argument('[input]', 'its input as JSON, or - to pipe it in', '{}')
        .action((name: string, input: string, options: JsonOption) => run(name, input, options, io)),
    )
}

interface ApproveOptions extends JsonOption {
  readonly grant?: string[]
}

function withToolbox<T>(io: CliIo, work: (toolbox: Toolbox) => T | Promise<T>): Promise<T> {
  return withRecords(io, async (records) => work(await records.toolbox(io.cwd)))
}

function create(name: string, { json }: JsonOption, io: CliIo): Promise<void> {
  return withToolbox(io, (toolbox) => {
    const files = toolbox.create(name)
    if (json) return printJson({ name, project: toolbox.project, files }, io)
    for (const file of files) printLine(file, io)
    note(`read it, change it, then run \`ctxd tool approve ${name}\``, io)
  })
}

function list({ json }: JsonOption, io: CliIo): Promise<void> {
  return withToolbox(io, async (toolbox) => {
    const reports = await toolbox.list()
    if (json) return printJson({ project: toolbox.project, tools: reports.map(toJson) }, io)
    if (reports.length === 0)
      return printLine('There are no tools here. `ctxd tool new <name>` makes one.', io)
    const rows = reports.map(({ name, state, why, package: pkg }) => [
      name,
      state,
      why.length > 0 ? why.join('; ') : (pkg?.description.split('\n')[0] ?? ''),
    ])
    printTable(['TOOL', 'STATE', 'WHAT OR WHY'], rows, io)
  })
}

function show(name: string, { json }: JsonOption, io: CliIo): Promise<void> {
  return withToolbox(io, async (toolbox) => {
    const report = await toolbox.show(name)
    if (json) return printJson(toJson(report), io)
    printLine(`${name}: ${report.state}`, io)
    for (const line of [...report.why.map((why) => `  ${why}`), ...describe(report)]) printLine(line, io)
  })
}

async function approve(name: string, { json, grant = [] }: ApproveOptions, io: CliIo): Promise<void> {
  await withToolbox(io, async (toolbox) => {
    const { report, approve: confirm } = await toolbox.prepareApproval(name, grant)
    const isDone = report.state === 'approved' && grant.length === 0
    if (!isDone) {
      await requireOperator({
        ...io,
        details: [
          `${name} in ${toolbox.project}`,
          ...report.why.map((why) => `  ${why}`),
          ...describe(report),
        ],
        question: `Let agents call ${name} as it is now`,
      })
      confirm()
    }
    if (json) printJson(toJson(await toolbox.show(name)), io)
    else printLine(isDone ? `${name} is approved already.` : `Approved: ${name}`, io)
  })
}

function remove(name: string, { json }: JsonOption, io: CliIo): Promise<void> {
  return withToolbox(io, (toolbox) => {
    const { wasApproved, hasFiles } = toolbox.remove(name)
    if (!wasApproved) throw new ContextdError('NOT_FOUND', { what: 'such approval' })
    if (json) return printJson({ removed: name }, io)
    const files = hasFiles ? 'Its files are as they were.' : 'Its files were gone already.'
    printLine(`${name} is not approved any more. ${files}`, io)
  })
}

/** What the person needs to know, a line each. */
function describe({ package: pkg, may, mayAsk }: ToolReport): string[] {
  if (pkg === undefined) return []
  return [
    ...pkg.description.split('\n').map((line) => `  "${line}"`),
    ...may.map((what) => `  may ${what}`),
    ...(may.length === 1 ? ['  sees no file but its own, and no network'] : []),
    ...mayAsk.map((what) => `  may ask you later to ${what}`),
    ...pkg.files.files.map(
      ({ path, bytes, sha256 }) =>
        `  ${path === pkg.executable ? 'runs ' : ''}${path}  (${bytes.length} bytes, sha256 ${sha256.slice(0, 12)})`,
    ),
  ]
}

function toJson({
  name,
  state,
  why,
  package: pkg,
  granted,
  may,
  mayAsk,
  approvedAt,
}: ToolReport): JsonObject {
  return {
    name,
    state,
    why: [...why],
    ...(approvedAt !== undefined && { approved_at: new Date(approvedAt).toISOString() }),
    ...(pkg !== undefined && {
      sha256: pkg.files.sha256,
      description: pkg.description,
      executable: pkg.executable,
      capabilities: {
        required: pkg.manifest.required.map(formatCapability),
        optional: pkg.manifest.optional.map(formatCapability),
        granted: granted.map(formatCapability),
      },
      may: [...may],
      may_ask_to: [...mayAsk],
      files: pkg.files.files.map(({ path, bytes, executable, sha256 }) => ({
        path,
        size: bytes.length,
        executable,
        sha256,
      })),
    }),
  }
}

async function run(name: string, input: string, { json }: JsonOption, io: CliIo): Promise<void> {
  const args = parseInput(input === '-' ? await readPiped(io) : input)
  await withRuntime(io, async (runtime) => {
    const client = { name: 'ctxd', version: VERSION, door: 'cli' } as const
    const session = runtime.sessions.begin(client)
    try {
      const { signal } = new AbortController()
      const call = {
        method: 'tool',
        tool: name,
        arguments: args,
        session,
        client,
        claims: {},
        signal,
      } as const
      printAnswer(await runtime.handle(runtime.newCall(call)), json === true, io)
    } finally {
      runtime.sessions.end(session)
    }
  })
}

function printAnswer(result: Result, json: boolean, io: CliIo): void {
  if (result.kind === 'refusal') throw toError(result.error)
  if (result.kind !== 'answer') throw new ContextdError('TOOL_FAILED')
  const { structured } = result
  const error = isJsonObject(structured) && result.isError === true ? structured.error : undefined
  if (isJsonObject(error)) throw toError(error as unknown as ErrorObject)
  if (json) return printJson(structured ?? {}, io)
  const texts = result.content.flatMap(({ text }) => (typeof text === 'string' ? text.split('\n') : []))
  for (const line of texts) printLine(line, io)
}

/** With the fields that are wrong among what the person reads. */
function toError(error: ErrorObject): ContextdError {
  const { code, message: _, ...details } = error
  const [, ...lines] = errorText(error).split('\n')
  return new ContextdError(code, { ...details, ...(lines.length > 0 && { hint: lines.join('\n') }) })
}

function parseInput(text: string): JsonObject {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    value = null
  }
  if (isJsonObject(value)) return value
  throw new ContextdError('USAGE', { problem: 'the input must be a JSON object, such as {"city": "Oslo"}' })
}

async function readPiped(io: CliIo): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readInput('-', io)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
