/** `ctxd tool`: create, install and approve tools. */

import type { Command } from 'commander'

import type { Records } from '../../../compose.ts'
import { CodedError } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { requireOperator } from '@contextd/shared/operator'
import type { Installer } from '../../../tools/install/installer.ts'
import type { Toolbox } from '../../../tools/plugins/toolbox.ts'
import type { ToolReport } from '../../../tools/plugins/tool-report.ts'
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
} from '@contextd/shared/cli/output'
import { withRecords } from '../../support/with-runtime.ts'
import { install, removeTool, update, type InstallOptions, type UpdateToolOptions } from './install.ts'
import { shortRevision } from './prepared.ts'
import { describe, reportJson } from './report.ts'
import { run } from './run.ts'

export function toolCommand(io: CliIo = processIo()): Command {
  return newGroup('tool', 'create, install and approve tools', 'ctxd tool list')
    .addCommand(
      newCommand('new', 'create a working example tool in this project', 'ctxd tool new weather')
        .argument('<name>', 'tool name for agents')
        .action((name: string, options: JsonOption) => create(name, options, io)),
    )
    .addCommand(
      newCommand(
        'install',
        'install a tool into this project, after showing its permissions and asking',
        'ctxd tool install github.com/someone/weather@v1.2.0',
      )
        .argument(
          '<source>',
          'a folder, a .tar.gz or .zip file or https address, git::<address>@<ref>//<folder>, github.com/<owner>/<repository>@<ref>, npm:<name>@<version>, s3::<bucket>/<key>; append #sha256=<hash> to pin it',
        )
        .option('--name <name>', 'install it under another name')
        .action((source: string, options: InstallOptions) => install(source, options, io)),
    )
    .addCommand(
      newCommand(
        'update',
        'fetch installed tools again, show the differences, ask, and replace them',
        'ctxd tool update weather',
      )
        .argument('[name]', 'name shown by `list`; all installed tools by default')
        .option('--check', 'only report whether newer versions exist')
        .action((name: string | undefined, options: UpdateToolOptions) => update(name, options, io)),
    )
    .addCommand(
      newCommand(
        'list',
        'list the tools of this project with source and approval state',
        'ctxd tool list',
      ).action((options: JsonOption) => list(options, io)),
    )
    .addCommand(
      newCommand('show', 'show the files, permissions and problems of a tool', 'ctxd tool show weather')
        .argument('<name>', 'name shown by `list`')
        .action((name: string, options: JsonOption) => show(name, options, io)),
    )
    .addCommand(
      newCommand('approve', 'let agents call a tool with its current files', 'ctxd tool approve weather')
        .argument('<name>', 'name shown by `list`')
        .option('--grant <capability...>', 'also grant these optional capabilities permanently')
        .action((name: string, options: ApproveOptions) => approve(name, options, io)),
    )
    .addCommand(
      newCommand(
        'remove',
        'remove an installed tool with its files; for one created here, only revoke the approval',
        'ctxd tool remove weather',
      )
        .argument('<name>', 'name shown by `list`')
        .action((name: string, options: JsonOption) => removeTool(name, options, io)),
    )
    .addCommand(
      newCommand(
        'run',
        'call a tool as an agent would, and print its result',
        `ctxd tool run weather '{"city": "Oslo"}'`,
      )
        .argument('<name>', 'an approved tool')
        .argument('[input]', 'its input as JSON, or - for stdin', '{}')
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

/** Tools are listed with their source; an unreadable lock file must not hide them. */
async function whereFrom(toolbox: Toolbox, records: Records, io: CliIo): Promise<Installed> {
  const installer = await records.installer(toolbox)
  try {
    return installer.installed()
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
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
      return printLine('No tools here. Use `ctxd tool new <name>` or `ctxd tool install <source>`.', io)
    const rows = reports.map(({ name, state, why, package: pkg }) => {
      const { source = '', revision = '' } = from.get(name) ?? {}
      const what = why.length > 0 ? why.join('; ') : (pkg?.description.split('\n')[0] ?? '')
      return from.size === 0 ? [name, state, what] : [name, state, source, shortRevision(revision), what]
    })
    const head = [
      'TOOL',
      'STATE',
      ...(from.size === 0 ? [] : ['SOURCE', 'REVISION']),
      'DESCRIPTION OR PROBLEM',
    ]
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
        question: `Let agents call ${name} with its current files`,
      })
      confirm()
    }
    if (json) printJson(reportJson(await toolbox.show(name)), io)
    else printLine(isDone ? `${name} is already approved.` : `Approved: ${name}`, io)
  })
}
