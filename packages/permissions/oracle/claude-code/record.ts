/** What the client was seen to do: kept in the repository, compared with later clients and with `explain`. */

import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { visibleText } from '@contextd/shared/text/visible-text'
import type { Outcome } from './scene.ts'

/** By what was asked. */
export type Outcomes = Readonly<Record<string, Outcome>>

/** What is recorded of a scene, whichever client plays it. */
export interface RecordedScene {
  readonly name: string
  readonly probes: readonly { readonly asked: string; readonly undocumented?: string | undefined }[]
  /** For all of its probes. */
  readonly undocumented?: string | undefined
}

export interface Observed {
  readonly version: string
  /** By the name of the scene. */
  readonly scenes: Readonly<Record<string, Outcomes>>
}

export interface Difference {
  readonly scene: string
  readonly asked: string
  readonly left: Outcome | undefined
  readonly right: Outcome | undefined
}

/** Where the record of a client is kept, and how it is made again. */
export interface Oracle {
  readonly client: string
  readonly observed: string
  readonly page: string
  readonly title: string
  /** Plays every scene with another version of the client. */
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

/** Keeps to the order of the scenes, and nothing of those that are no more. */
export function writeObserved(
  oracle: Oracle,
  { version, scenes: seen }: Observed,
  scenes: readonly RecordedScene[],
): void {
  const known = scenes
    .filter(({ name }) => seen[name] !== undefined)
    .map(({ name }) => [name, seen[name]!] as const)
  const observed = { version, scenes: Object.fromEntries(known) }
  writeFileSync(oracle.observed, `${JSON.stringify(observed, null, 2)}\n`)
  writeFileSync(oracle.page, oraclePage(oracle, observed, scenes))
}

/** Cells in which the two are not of one mind; those that the right one lacks do not count. */
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

/** The cells for which there is no word of the client's makers: the next version may do otherwise. */
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
  return `# What ${title} is held against

The real ${client} is asked what it does, in ${scenes.length} configurations with ${cells} calls, and \`explain\` must
say the same of each. Last seen with ${client} ${version}. The calls below are those about which the client's
documentation says nothing: they are true of this version, and another may do otherwise.

\`${command}\` asks another version
(or the program at a path) and prints what changed; with \`CONTEXTD_ORACLE=record\` it writes the record and this page
anew. Without either, a part of the calls is made.

${sections.join('\n')}`
}

/** Calls with the same reason and the same end share a row. */
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
