/** `ctxd audit`: what happened. */

import { InvalidArgumentError, Option, type Command } from 'commander'

import { errorCatalogue } from '../../core/errors.ts'
import { nearest } from '../../platform/nearest.ts'
import { newCommand, newGroup, processIo, type CliIo, type JsonOption } from '../ui/output.ts'
import { wholeNumber } from '../ui/whole-number.ts'
import { withRecords } from '../with-runtime.ts'
import { query, show, showRaw, type QueryOptions } from './audit/look.ts'
import { tail, type TailOptions } from './audit/tail.ts'
import { verify } from './audit/verify.ts'

export function auditCommand(io: CliIo = processIo()): Command {
  return newGroup('audit', 'what happened', 'ctxd audit tail')
    .addCommand(
      filtered(
        newCommand(
          'tail',
          'the newest records, and every new one as it is written',
          'ctxd audit tail --agent main',
        )
          .option('-n, --limit <count>', 'how many to begin with', count, 20)
          .option('-f, --follow', 'go on until Ctrl-C; so it does on a terminal')
          .option('--no-follow', 'end with the newest record'),
      ).action((options: TailOptions) => tail(options, io)),
    )
    .addCommand(
      filtered(
        newCommand(
          'query',
          'calls and events that match, newest first',
          'ctxd audit query --decision deny --since 24h',
        )
          .option('--since <when>', 'a time, or how long ago (90s, 15m, 24h, 7d)', when)
          .option('--until <when>', 'likewise', when),
      )
        .option('--crashed', 'calls that never ended')
        .option('--leaks', 'secrets that a tool let through and the pipeline caught, with rule and place')
        .option('-n, --limit <count>', 'at most so many', count, 50)
        .action((options: QueryOptions) => query(options, io)),
    )
    .addCommand(
      newCommand('show', 'everything about one call', 'ctxd audit show 3f0c2a5e-6f3b-4d6e-9a57-0c8f6f1f2b11')
        .argument('<call>', 'the id of the call, or its first 8 characters or more')
        .option('--raw', 'its output before it was scrubbed, from the vault; asks the person at the terminal')
        .action((call: string, options: JsonOption & { raw?: true }) =>
          options.raw ? showRaw(call, options, io) : show(call, options, io),
        ),
    )
    .addCommand(
      newCommand(
        'verify',
        'check that no record was changed, removed, added or moved',
        'ctxd audit verify',
      ).action((options: JsonOption) => verify(options, io)),
    )
    .addCommand(
      newCommand(
        'export',
        'all records with their seals, one JSON object a line',
        'ctxd audit export > audit.jsonl',
      ).action(() => exportAll(io)),
    )
}

function exportAll(io: CliIo): Promise<void> {
  return withRecords(io, ({ audit }) => {
    for (const record of audit.export()) io.stdout.write(`${JSON.stringify(record)}\n`)
  })
}

function filtered(command: Command): Command {
  return command
    .option('--agent <id>', 'calls of this agent')
    .option('--server <name>', 'calls that went to this server, or were meant for it')
    .option('--tool <name>', 'calls of this tool, or meant for it')
    .option('--session <id>', 'calls of this session')
    .addOption(new Option('--decision <decision>', 'how the rules decided').choices(['allow', 'deny']))
    .option('--error <code>', 'calls that ended with this error code', errorCode)
    .addOption(new Option('--kind <kind>', 'only the one or the other').choices(['call', 'event']))
    .option('--event <name>', 'events of this name, such as http-request or trust-given')
}

const count = wholeNumber(1, 100_000)

function errorCode(text: string): string {
  const codes = Object.keys(errorCatalogue)
  if (codes.includes(text)) return text
  const meant = nearest(text, codes)
  throw new InvalidArgumentError(
    meant === undefined ? 'It must be a code such as DENIED_BY_POLICY.' : `Did you mean ${meant}?`,
  )
}

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** ISO 8601. */
function when(text: string): string {
  const [, amount, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? []
  const time = amount === undefined ? Date.parse(text) : Date.now() - Number(amount) * (units[unit] ?? 0)
  if (Number.isNaN(time))
    throw new InvalidArgumentError('It must be a time such as 2026-11-15T10:00:00Z, or 90s, 15m, 24h, 7d.')
  return new Date(time).toISOString()
}
