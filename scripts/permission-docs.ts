import { existsSync, lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { extname, join } from 'node:path'

import type { LintFinding } from '@contextd/permissions'
import { docsOf } from '@contextd/permissions/internal/rule-page'
import { listedRules, type ListedLintRule } from '@contextd/permissions/rules'
import {
  environmentIn,
  fixturesFolder,
  openFixture,
} from '../packages/permissions/test/permission-fixture.ts'

export const overviewPage = 'docs/reference/permissions.md'

const clients = { 'claude-code': 'Claude Code', opencode: 'OpenCode' } as const

/** The table of all rules, below the introduction of docs/reference/permissions.md. */
export function ruleTable(): string {
  const rows = listedRules.map(
    ({ id, severity, title, client }) =>
      `| [\`${id}\`](permissions/${id}.md) | ${clients[client]} | ${severity} | ${title} |`,
  )
  return `| rule | client | severity | what it finds |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

/** The page of every rule, by its path. */
export async function rulePages(): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  for (const rule of listedRules) pages.set(docsOf(rule.id), await rulePage(rule))
  return pages
}

async function rulePage({ id, severity, title, why, client }: ListedLintRule): Promise<string> {
  const reported = (await findingsIn(id)).map(
    ({ finding, place }) =>
      `${place}: ${finding.severity} ${id}: ${finding.message}\n    fix: ${finding.fix.replaceAll('\n', '\n         ')}`,
  )
  return [
    `# ${title}`,
    `\`${id}\`, ${severity}, ${clients[client]}. One of the [rules](../permissions.md) of \`ctxd permissions lint\`.`,
    why.trim(),
    '## Bad',
    ...examples(id, 'bad'),
    'The linter reports:',
    fenced(reported.join('\n'), 'text'),
    '## Good',
    ...examples(id, 'ok'),
  ]
    .join('\n\n')
    .concat('\n')
}

interface ReportedFinding {
  readonly finding: LintFinding
  readonly place: string
}

async function findingsIn(id: string): Promise<ReportedFinding[]> {
  const fixture = await openFixture(id, 'bad')
  try {
    const shown = (text: string): string =>
      text
        .replaceAll(`${fixture.root}/project/`, '')
        .replaceAll(`${fixture.root}/project`, '.')
        .replaceAll(`${fixture.root}/home`, '~')
        .replaceAll(`${fixture.root}/managed`, '/etc/claude-code')
    return fixture
      .lint()
      .filter(({ rule }) => rule === id)
      .map((finding) => ({
        finding: { ...finding, message: shown(finding.message), fix: shown(finding.fix) },
        place: shownPath(fixture.placeOf(finding)),
      }))
  } finally {
    fixture.remove()
  }
}

function examples(id: string, kind: 'bad' | 'ok'): string[] {
  const folder = join(fixturesFolder, id, kind)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => name.includes('/')).flatMap((name) => example(folder, name))
  const shown = [...variables(folder), ...files]
  if (existsSync(join(folder, 'untrusted'))) return [...shown, 'The workspace is not trusted yet.']
  const isUntrustedBefore = existsSync(join(fixturesFolder, id, 'bad', 'untrusted'))
  return isUntrustedBefore ? [...shown, 'The user has trusted the workspace.'] : shown
}

function variables(folder: string): string[] {
  const lines = Object.entries(environmentIn(folder)).map(([name, value]) => `${name}='${value}'`)
  return lines.length === 0 ? [] : ['The environment', fenced(lines.join('\n'), 'text')]
}

function example(folder: string, name: string): string[] {
  const file = join(folder, name)
  const stats = lstatSync(file)
  if (stats.isSymbolicLink()) return [`\`${shownPath(name)}\`, a link to \`${readlinkSync(file)}\``]
  if (!stats.isFile()) return []
  return [`\`${shownPath(name)}\``, fenced(readFileSync(file, 'utf8'), languages[extname(name)] ?? 'text')]
}

/** Languages whose blocks the docs tests do not run. */
const languages: Readonly<Record<string, string>> = {
  '.json': 'json',
  '.jsonc': 'jsonc',
  '.md': 'markdown',
}

/** The path that a fixture's file would have on a real machine. */
function shownPath(path: string): string {
  return path
    .replace(/^project\//, '')
    .replace(/^home\//, '~/')
    .replace(/^managed\//, '/etc/claude-code/')
}

function fenced(text: string, language: string): string {
  const maxTicks = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([ticks]) => ticks.length))
  const fence = '`'.repeat(maxTicks + 1)
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}
