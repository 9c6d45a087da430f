/** `ctxd tool`: tools of your own and from elsewhere, and what they may do. */

import type { Command } from 'commander'

import type { Installer, Records, Toolbox, ToolReport } from '../../compose.ts'
import { ContextdError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { requireOperator } from '../../platform/operator.ts'
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
import { withRecords } from '../with-runtime.ts'
import { install, removeTool, update, type InstallOptions, type UpdateToolOptions } from './tool/install.ts'
import { shortRevision } from './tool/prepared.ts'
import { describe, reportJson } from './tool/report.ts'
import { run } from './tool/run.ts'

export function toolCommand(io: CliIo = processIo()): Command {
  return newGroup('tool', 'tools of your own and from elsewhere, and what they may do', 'ctxd tool list')
    .addCommand(
      newCommand('new', 'make a tool in this project that works, to start from', 'ctxd tool new weather')
        .argument('<name>', 'what agents call it')
        .action((name: string, options: JsonOption) => create(name, options, io)),
    )
    .addCommand(
      newCommand(
        'install',
        'bring a tool into this project: show what it may do, ask, and let agents call it',
        'ctxd tool install github.com/someone/weather@v1.2.0',
      )
        .argument(
          '<source>',
          'a folder, a .tar.gz or .zip file or https address, git::<address>@<ref>//<folder>, github.com/<owner>/<repository>@<ref>, npm:<name>@<version>, s3::<bucket>/<key>; with #sha256=<hash> only just that',
        )
        .option('--name <name>', 'call it something else than it calls itself')
        .action((source: string, options: InstallOptions) => install(source, options, io)),
    )
    .addCommand(
      newCommand(
        'update',
        'fetch what was installed once more: show what is different, ask, and replace it',
        'ctxd tool update weather',
      )
        .argument('[name]', 'as `list` shows it; all that were installed otherwise')
        .option('--check', 'only say whether there is something newer')
        .action((name: string | undefined, options: UpdateToolOptions) => update(name, options, io)),
    )
    .addCommand(
      newCommand(
        'list',
        'the tools of this project, where they are from and whether they can be called',
        'ctxd tool list',
      ).action((options: JsonOption) => list(options, io)),
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
        'remove an installed tool with all its files; of one that was made here, take the approval back and leave the files',
        'ctxd tool remove weather',
      )
        .argument('<name>', 'as `list` shows it')
        .action((name: string, options: JsonOption) => removeTool(name, options, io)),
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

type Installed = ReturnType<Installer['installed']>

function withToolbox<T>(io: CliIo, work: (toolbox: Toolbox, records: Records) => T | Promise<T>): Promise<T> {
  return withRecords(io, async (records) => work(await records.toolbox(io.cwd), records))
}

/** Where tools came from is told with them; a list of it that cannot be read is no reason to show none. */
async function whereFrom(toolbox: Toolbox, records: Records, io: CliIo): Promise<Installed> {
  const installer = await records.installer(toolbox)
  try {
    return installer.installed()
  } catch (error) {
    if (!(error instanceof ContextdError)) throw error
    note(error.message, io)
    return new Map()
  }
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
  return withToolbox(io, async (toolbox, records) => {
    const from = await whereFrom(toolbox, records, io)
    const reports = await toolbox.list()
    if (json)
      return printJson(
        { project: toolbox.project, tools: reports.map((report) => withSource(report, from)) },
        io,
      )
    if (reports.length === 0)
      return printLine(
        'There are no tools here. `ctxd tool new <name>` makes one, `ctxd tool install <source>` brings one.',
        io,
      )
    const rows = reports.map(({ name, state, why, package: pkg }) => {
      const { source = '', revision = '' } = from.get(name) ?? {}
      const what = why.length > 0 ? why.join('; ') : (pkg?.description.split('\n')[0] ?? '')
      return from.size === 0 ? [name, state, what] : [name, state, source, shortRevision(revision), what]
    })
    const head = ['TOOL', 'STATE', ...(from.size === 0 ? [] : ['SOURCE', 'REVISION']), 'WHAT OR WHY']
    printTable(head, rows, io)
  })
}

function withSource(report: ToolReport, from: Installed): JsonObject {
  const { source, revision, installed_at } = from.get(report.name) ?? {}
  return {
    ...reportJson(report),
    ...(source !== undefined && { source }),
    ...(revision !== undefined && { revision }),
    ...(installed_at !== undefined && { installed_at }),
  }
}

function show(name: string, { json }: JsonOption, io: CliIo): Promise<void> {
  return withToolbox(io, async (toolbox, records) => {
    const from = await whereFrom(toolbox, records, io)
    const report = await toolbox.show(name)
    if (json) return printJson(withSource(report, from), io)
    printLine(`${name}: ${report.state}`, io)
    const locked = from.get(name)
    const origin = locked === undefined ? [] : [`  from ${locked.source}`, `  revision ${locked.revision}`]
    for (const line of [...report.why.map((why) => `  ${why}`), ...origin, ...describe(report)])
      printLine(line, io)
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
    if (json) printJson(reportJson(await toolbox.show(name)), io)
    else printLine(isDone ? `${name} is approved already.` : `Approved: ${name}`, io)
  })
}
