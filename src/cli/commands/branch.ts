/** `ctxd branch`: the subtasks agents opened in this project, and what they kept out of somebody's context. */

import type { Command } from 'commander'

import type { Runtime } from '../../compose.ts'
import { ContextdError } from '../../core/errors.ts'
import {
  newCommand,
  newGroup,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
  type JsonOption,
} from '../ui/output.ts'
import { wholeNumber } from '../ui/whole-number.ts'
import { withRuntime } from '../with-runtime.ts'

export function branchCommand(io: CliIo = processIo()): Command {
  return newGroup('branch', 'subtasks that agents opened', 'ctxd branch list')
    .addCommand(
      newCommand('list', 'the branches of this project, newest first', 'ctxd branch list')
        .option('-n, --limit <count>', 'at most so many', wholeNumber(1, 1_000_000), 20)
        .action((options: JsonOption & { limit: number }) => list(options, io)),
    )
    .addCommand(
      newCommand('show', 'what a branch was for and what came of it', 'ctxd branch show br_9Kx2hQ4d7m3a')
        .argument('<id>', 'as `list` shows it')
        .action((id: string, options: JsonOption) => show(id, options, io)),
    )
}

function list({ json, limit }: JsonOption & { limit: number }, io: CliIo): Promise<void> {
  return withRuntime(io, ({ memory }) => {
    const found = memory.branches.list(limit)
    if (json) return printJson({ branches: found.map((branch) => briefJson(branch, memory)) }, io)
    if (found.length === 0) return printLine('No branch was opened in this project.', io)
    const rows = found.map(({ id, state, used, budget, keptOut, openedBy, workedBy, description }) => [
      id,
      state,
      `${used}/${budget}`,
      String(keptOut),
      openedBy,
      workedBy ?? '',
      readable(description, memory),
    ])
    printTable(['ID', 'STATE', 'USED', 'KEPT OUT', 'OPENED BY', 'WORKED IN BY', 'DESCRIPTION'], rows, io)
  })
}

function show(id: string, { json }: JsonOption, io: CliIo): Promise<void> {
  return withRuntime(io, ({ memory }) => {
    const branch = memory.branches.find(id)
    if (branch === undefined) {
      const hint = '`ctxd branch list` shows the branches of this project.'
      throw new ContextdError('NOT_FOUND', { what: 'branch of that id in this project', hint })
    }
    const { prompt, message } = branch
    const texts = { prompt: readable(prompt, memory), message: readable(message, memory) }
    const brief = briefJson(branch, memory)
    if (json) return printJson({ ...brief, ...texts }, io)
    for (const [name, value] of Object.entries(brief)) printLine(`${name.replaceAll('_', ' ')}: ${value}`, io)
    for (const [name, text] of Object.entries(texts)) {
      if (text === '') continue
      for (const line of ['', `${name}:`, ...text.split('\n')]) printLine(line, io)
    }
  })
}

type Memory = Runtime['memory']
type BranchRecord = ReturnType<Memory['branches']['list']>[number]

function briefJson(branch: BranchRecord, memory: Memory) {
  const { id, state, description, session, parent, depth, openedBy, workedBy, ended } = branch
  return {
    id,
    state,
    description: readable(description, memory),
    session,
    ...(parent !== undefined && { parent }),
    depth,
    opened_by: openedBy,
    ...(workedBy !== undefined && { worked_in_by: workedBy }),
    budget: branch.budget,
    used: branch.used,
    kept_out: branch.keptOut,
    created_at: new Date(branch.created).toISOString(),
    ends_at: new Date(branch.ends).toISOString(),
    ...(ended !== undefined && { ended_at: new Date(ended).toISOString() }),
  }
}

function readable(text: string, memory: Memory): string {
  return memory.operatorIn().keeping.recall(text)
}
