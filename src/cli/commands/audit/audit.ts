/** `ctxd audit`: the audit log. */

import { InvalidArgumentError, Option, type Command } from 'commander'

import { errorCatalogue } from '../../../core/errors/errors.ts'
import { nearest } from '@contextd/shared/text/nearest'
import { newCommand, newGroup, processIo, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { wholeNumber } from '@contextd/shared/cli/whole-number'
import { when } from '../../support/when.ts'
import { withRecords } from '../../support/with-runtime.ts'
import { query, show, showRaw, type QueryOptions } from './look.ts'
import { tail, type TailOptions } from './tail.ts'
import { verify } from './verify.ts'

export function auditCommand(io: CliIo = processIo()): Command {
  return newGroup('audit', 'read and verify the audit log', 'ctxd audit tail')
    .addCommand(
      filtered(
        newCommand(
          'tail',
          'print the newest records, then new ones as they arrive',
          'ctxd audit tail --agent main',
        )
          .option('-n, --limit <count>', 'number of existing records to print', count, 20)
          .option('-f, --follow', 'follow until Ctrl-C; the default on a terminal')
          .option('--no-follow', 'stop after the newest record'),
      ).action((options: TailOptions) => tail(options, io)),
    )
    .addCommand(
      filtered(
        newCommand(
          'query',
          'list matching calls and events, newest first',
          'ctxd audit query --decision deny --since 24h',
        )
          .option('--since <when>', 'start: a time, or an age (90s, 15m, 24h, 7d)', when)
          .option('--until <when>', 'end, in the same format', when),
      )
        .option('--crashed', 'calls that never finished')
        .option('--leaks', 'secrets that a tool missed and the pipeline caught, with rule and location')
        .option('-n, --limit <count>', 'maximum number of records', count, 50)
        .action((options: QueryOptions) => query(options, io)),
    )
    .addCommand(
      newCommand(
        'show',
        'show everything about one call',
        'ctxd audit show 3f0c2a5e-6f3b-4d6e-9a57-0c8f6f1f2b11',
      )
        .argument('<call>', 'call ID, or at least its first 8 characters')
        .option('--raw', 'its unscrubbed output, from the vault; asks for approval on the terminal')
        .action((call: string, options: JsonOption & { raw?: true }) =>
          options.raw ? showRaw(call, options, io) : show(call, options, io),
        ),
    )
    .addCommand(
      newCommand(
        'verify',
        'verify that no record was changed, removed, added or moved',
        'ctxd audit verify',
      ).action((options: JsonOption) => verify(options, io)),
    )
    .addCommand(
      newCommand(
        'export',
        'export all records with their seals, one JSON object per line',
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
    .option('--agent <id>', 'calls by this agent')
    .option('--server <name>', 'calls to this server, or intended for it')
    .option('--tool <name>', 'calls to this tool, or intended for it')
    .option('--session <id>', 'calls in this session')
    .addOption(new Option('--decision <decision>', 'policy decision').choices(['allow', 'deny']))
    .option('--error <code>', 'calls that failed with this error code', errorCode)
    .addOption(new Option('--kind <kind>', 'only calls or only events').choices(['call', 'event']))
    .option('--event <name>', 'events with this name, such as http-request or trust-given')
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
