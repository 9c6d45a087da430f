/** `ctxd usage`: tokens that models used, as their providers reported them through the model door. */

import { Option, type Command } from 'commander'

import { usageGroups, type UsageGroup } from '../../core/model.ts'
import type { UsageSum } from '../../stages/budget/model-usage.ts'
import {
  newCommand,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { wholeNumber } from '@contextd/shared/cli/whole-number'
import { withRecords } from '../support/with-runtime.ts'

interface UsageOptions extends JsonOption {
  readonly days: number
  readonly by: UsageGroup
}

const dayMs = 86_400_000

export function usageCommand(io: CliIo = processIo()): Command {
  return newCommand(
    'usage',
    'report model tokens used through the model door',
    'ctxd usage --days 7 --by agent',
  )
    .option('--days <count>', 'number of days, including today (UTC)', wholeNumber(1, 3650), 7)
    .addOption(new Option('--by <what>', 'group by').choices(usageGroups).default('day'))
    .action((options: UsageOptions) => usage(options, io))
}

/** From the store, which a running daemon updates with every response. */
function usage({ days, by, json }: UsageOptions, io: CliIo): Promise<void> {
  return withRecords(io, ({ modelUsage }) => {
    const sums = modelUsage(Date.now() - (days - 1) * dayMs, by)
    if (json) return printJson({ days, by, usage: sums.map(toJson) }, io)
    if (sums.length === 0) return printLine('No tokens were used through the model door.', io)
    const rows = [...sums, ...(sums.length > 1 ? [totalOf(sums)] : [])].map(toRow)
    printTable([by.toUpperCase(), 'REQUESTS', 'INPUT', 'OUTPUT', 'CACHE READ', 'CACHE WRITE'], rows, io)
  })
}

function toRow({ name, requests, input, output, cacheRead, cacheWrite }: UsageSum): string[] {
  const shown = (count: number): string => count.toLocaleString('en')
  return [
    name || '(unknown)',
    shown(requests),
    shown(input),
    shown(output),
    shown(cacheRead),
    shown(cacheWrite),
  ]
}

function toJson({ name, requests, input, output, cacheRead, cacheWrite }: UsageSum) {
  return { name, requests, input, output, cache_read: cacheRead, cache_write: cacheWrite }
}

function totalOf(sums: readonly UsageSum[]): UsageSum {
  const sum = (key: Exclude<keyof UsageSum, 'name'>): number =>
    sums.reduce((total, one) => total + one[key], 0)
  return {
    name: 'total',
    requests: sum('requests'),
    input: sum('input'),
    output: sum('output'),
    cacheRead: sum('cacheRead'),
    cacheWrite: sum('cacheWrite'),
  }
}
