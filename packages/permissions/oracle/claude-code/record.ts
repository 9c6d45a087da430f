/** Recorded behaviour of a client: stored in the repository, and compared with later versions and with `explain`. */

import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { visibleText } from '@contextd/shared/text/visible-text'
import type { Outcome } from './scene.ts'

/** By question. */
export type Outcomes = Readonly<Record<string, Outcome>>

/** The parts of a scene that are recorded, for any client. */
export interface RecordedScene {
  readonly name: string
  readonly probes: readonly { readonly asked: string; readonly undocumented?: string | undefined }[]
  /** Applies to all probes. */
  readonly undocumented?: string | undefined
}

export interface Observed {
  readonly version: string
  /** By scene name. */
  readonly scenes: Readonly<Record<string, Outcomes>>
}

export interface Difference {
  readonly scene: string
  readonly asked: string
  readonly left: Outcome | undefined
  readonly right: Outcome | undefined
}

/** Where the record of a client is stored, and how to recreate it. */
export interface Oracle {
  readonly client: string
  readonly observed: string
  readonly page: string
  readonly title: string
  /** The command that plays every scene with another version of the client. */
  readonly command: string
}

export const claudeOracle: Oracle = {
  client: 'Claude Code',
  observed: resolve('packages', 'permissions', 'oracle', 'claude-code', 'observed.json'),
  page: resolve('docs', 'reference', 'permissions-oracle.md'),
  title: '`ctxd permissions explain`',
  command: 'CONTEXTD_CLAUDE_VERSION=<version> CONTEXTD_ORACLE=all npm run test:clients -- permissions',
}

export const openCodeOracle: Oracle = {
  client: 'OpenCode',
  observed: resolve('packages', 'permissions', 'oracle', 'opencode', 'observed.json'),
  page: resolve('docs', 'reference', 'permissions-oracle-opencode.md'),
  title: '`ctxd permissions explain --client opencode`',
  command:
    'CONTEXTD_OPENCODE_VERSION=<version> CONTEXTD_ORACLE=all npm run test:clients -- opencode-permissions-oracle',
}

export const readObserved = ({ observed }: Oracle): Observed =>
  JSON.parse(readFileSync(observed, 'utf8')) as Observed

/** In the order of the scenes, without removed ones. */
export function writeObserved(
  oracle: Oracle,
  { version, scenes: recorded }: Observed,
  scenes: readonly RecordedScene[],
): void {
  const known = scenes
    .filter(({ name }) => recorded[name] !== undefined)
    .map(({ name }) => [name, recorded[name]!] as const)
  const observed = { version, scenes: Object.fromEntries(known) }
  writeFileSync(oracle.observed, `${JSON.stringify(observed, null, 2)}\n`)
  writeFileSync(oracle.page, oraclePage(oracle, observed, scenes))
}

/** Cells in which the two differ, except cells that `right` does not have. */
export function differences(left: Observed['scenes'], right: Observed['scenes']): Difference[] {
  return Object.entries(right).flatMap(([scene, outcomes]) =>
    Object.entries(outcomes)
      .map(([asked, outcome]) => ({ scene, asked, left: left[scene]?.[asked], right: outcome }))
      .filter((cell) => cell.left !== cell.right),
  )
}

export function differenceTable(rows: readonly Difference[], left: string, right: string): string {
  const lines = rows.map((row) => [row.scene, row.asked, row.left ?? '-', row.right ?? '-'])
  const table = [['scene', 'call', left, right], ...lines]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((line) => line[column]!.length)))
  return table
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Cells with undocumented behaviour, which may change in the next version. */
export function oraclePage(
  { client, title, command }: Oracle,
  { version, scenes: seen }: Observed,
  scenes: readonly RecordedScene[],
): string {
  const cells = scenes.reduce((sum, { probes }) => sum + probes.length, 0)
  const sections = scenes.flatMap((scene) => {
    const rows = undocumentedRows(scene, seen[scene.name] ?? {})
    return rows.length === 0
      ? []
      : [`## ${scene.name}\n\n| Undocumented | Call | The client |\n|---|---|---|\n${rows.join('\n')}\n`]
  })
  return `# What ${title} is compared with

The real ${client} is run in ${scenes.length} configurations with ${cells} calls, and \`explain\` must
predict each outcome. Last recorded with ${client} ${version}. The calls below are those that the client's
documentation does not cover: another version may behave differently.

\`${command}\` runs another version
(or the program at a path) and prints the differences; with \`CONTEXTD_ORACLE=record\` it updates the record and this
page. Without either, only a subset of the calls is made.

${sections.join('\n')}`
}

/** Calls with the same reason and outcome share a row. */
function undocumentedRows(scene: RecordedScene, outcomes: Outcomes): string[] {
  const rows = new Map<string, string[]>()
  for (const { asked, undocumented = scene.undocumented } of scene.probes) {
    if (undocumented === undefined) continue
    const key = JSON.stringify([undocumented, outcomes[asked] ?? 'unknown'])
    rows.set(key, [...(rows.get(key) ?? []), code(asked)])
  }
  return [...rows].map(([key, calls]) => {
    const [why, outcome] = JSON.parse(key) as [string, string]
    return `| ${inTable(why)} | ${calls.join(', ')} | ${outcome} |`
  })
}

const inTable = (text: string): string => text.replaceAll('|', '\\|')
const code = (text: string): string => {
  const shown = visibleText(inTable(text))
  return shown.includes('`') ? `\`\` ${shown} \`\`` : `\`${shown}\``
}
