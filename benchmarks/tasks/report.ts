import { median } from '../support/statistics.ts'
import type { Comparison } from './compare.ts'
import type { Beginning, Cost } from './count.ts'

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
  return [
    '| task | calls: contextd | own | tokens: contextd | own | ratio | time, ratio | on disk |',
    '|---|---|---|---|---|---|---|---|',
    ...[...rows, totals].map(rowOf),
  ].join('\n')
}

/** A table of what requests begin with, by set-up. */
export function beginningsReport(beginnings: Readonly<Record<string, Beginning>>): string {
  return [
    '| tokens before the conversation | definitions of tools | system prompt and instructions | all |',
    '|---|---|---|---|',
    ...Object.entries(beginnings).map(([name, { tools, prompt }]) =>
      rowOf([name, number(tools), number(prompt), number(tools + prompt)]),
    ),
  ].join('\n')
}

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
