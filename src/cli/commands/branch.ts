/** `ctxd branch`: subtasks that agents opened in this project, and what they kept out of the parent's context. */

import type { Command } from 'commander'

import type {
  BranchListResponseJson,
  BranchShowResponseJson,
} from '../../servers/control/gen/contextd/v1/branch_pb.ts'
import { withControl } from '../support/control.ts'
import {
  newCommand,
  newGroup,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { wholeNumber } from '@contextd/shared/cli/whole-number'

export function branchCommand(io: CliIo = processIo()): Command {
  return newGroup('branch', 'inspect subtasks that agents opened', 'ctxd branch list')
    .addCommand(
      newCommand('list', 'list the branches of this project, newest first', 'ctxd branch list')
        .option('-n, --limit <count>', 'maximum number of branches', wholeNumber(1, 1_000_000), 20)
        .action((options: JsonOption & { limit: number }) => list(options, io)),
    )
    .addCommand(
      newCommand('show', 'show the task and result of a branch', 'ctxd branch show br_9Kx2hQ4d7m3a')
        .argument('<id>', 'ID shown by `list`')
        .action((id: string, options: JsonOption) => show(id, options, io)),
    )
}

async function list({ json, limit }: JsonOption & { limit: number }, io: CliIo): Promise<void> {
  const answered = await withControl(io, (api) => api.call('Branch/List', { limit }))
  if (json) return printJson(answered, io)
  const { branches = [] } = answered as BranchListResponseJson
  if (branches.length === 0) return printLine('No branches in this project.', io)
  const rows = branches.map((branch) => [
    branch.id ?? '',
    branch.state ?? '',
    `${branch.used ?? 0}/${branch.budget ?? 0}`,
    String(branch.kept_out ?? 0),
    branch.opened_by ?? '',
    branch.worked_in_by ?? '',
    branch.description ?? '',
  ])
  printTable(['ID', 'STATE', 'USED', 'KEPT OUT', 'OPENED BY', 'WORKED IN BY', 'DESCRIPTION'], rows, io)
}

async function show(id: string, { json }: JsonOption, io: CliIo): Promise<void> {
  const answered = await withControl(io, (api) => api.call('Branch/Show', { id }))
  if (json) return printJson(answered, io)
  const { prompt = '', message = '', ...brief } = answered as BranchShowResponseJson
  for (const [name, value] of Object.entries(brief)) printLine(`${name.replaceAll('_', ' ')}: ${value}`, io)
  for (const [name, text] of Object.entries({ prompt, message })) {
    if (text === '') continue
    for (const line of ['', `${name}:`, ...text.split('\n')]) printLine(line, io)
  }
}
