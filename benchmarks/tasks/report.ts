import { median } from '../support/statistics.ts'
import type { Comparison } from './compare.ts'
import type { Cost } from './count.ts'

const tokensIn = ({ inputs, results }: Cost): number => inputs + results
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const number = (value: number): string => value.toLocaleString('en')

/** A table in Markdown. */
export function reportOf(compared: readonly Comparison[]): string {
  const rows = compared.map(({ name, ours, own, differences }) => [
    name,
    number(ours.cost.calls),
    number(own.cost.calls),
    number(tokensIn(ours.cost)),
    number(tokensIn(own.cost)),
    (tokensIn(ours.cost) / tokensIn(own.cost)).toFixed(2),
    (ours.wallMs / own.wallMs).toFixed(2),
    differences.length === 0 ? 'identical' : 'differs',
  ])
  const total = (of: (one: Comparison) => number): number => sum(compared.map(of))
  const tokens = [total(({ ours }) => tokensIn(ours.cost)), total(({ own }) => tokensIn(own.cost))] as const
  const totals = [
    `all ${compared.length}`,
    number(total(({ ours }) => ours.cost.calls)),
    number(total(({ own }) => own.cost.calls)),
    ...tokens.map(number),
    (tokens[0] / tokens[1]).toFixed(2),
    compared.length === 0
      ? '–'
      : median(compared.map(({ ours, own }) => ours.wallMs / own.wallMs)).toFixed(2),
    `${compared.filter(({ differences }) => differences.length === 0).length} identical`,
  ].map((cell) => `**${cell}**`)
  const before = (side: 'ours' | 'own'): string =>
    compared.length === 0 ? '–' : number(Math.round(median(compared.map((one) => one[side].cost.before))))
  return [
    '| task | calls: contextd | own | tokens: contextd | own | ratio | time, ratio | on disk |',
    '|---|---|---|---|---|---|---|---|',
    ...[...rows, totals].map((cells) => `| ${cells.join(' | ')} |`),
    '',
    `Every request begins with ${before('own')} tokens of definitions and instructions of the client, and with ${before('ours')} if contextd is set up.`,
  ].join('\n')
}
