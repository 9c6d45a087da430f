/** Copies of the setups in `fixtures/`, to be read and repaired. */

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'

import { isVariable } from '../src/files/client-files.ts'
import type { LintFinding } from '../src/findings/finding.ts'
import { lint } from '../src/lint.ts'
import { readSetups, type Setups } from '../src/read-setups.ts'
import { findSecretsIn } from '../src/findings/masked.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'

/** Relative to the repository root, where tests and scripts run. */
export const fixturesFolder = resolve('packages/permissions/fixtures')

export interface Fixture {
  /** Contains `project`, `home` and `managed`. */
  readonly root: string
  /** Reads the current files. */
  read(): Setups
  /** Runs all rules on the current files. */
  lint(): LintFinding[]
  /** Relative to the root, with line and column: `project/.claude/settings.json:4:7`. */
  placeOf(finding: LintFinding): string
  remove(): void
}

export async function openFixture(rule: string, kind: 'bad' | 'ok'): Promise<Fixture> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-permissions-')))
  cpSync(join(fixturesFolder, rule, kind), root, { recursive: true, verbatimSymlinks: true })
  const [project, home] = [join(root, 'project'), join(root, 'home')]
  for (const folder of [project, home]) mkdirSync(folder, { recursive: true })
  replacePlaceholders(project, home)
  if (!existsSync(join(root, 'untrusted'))) trust(project, home)
  else if (!existsSync(join(home, '.claude.json'))) writeFileSync(join(home, '.claude.json'), '{}')
  const env = { HOME: home, CONTEXTD_HOME: join(root, 'contextd'), ...environmentIn(root) }
  const secretsIn = await findSecretsIn()
  const read = (): Setups => readSetups({ env, cwd: project, managed: join(root, 'managed'), secretsIn })
  return {
    root,
    read,
    lint: () => lint(read()),
    placeOf: ({ file, line, column }) =>
      `${isVariable(file) ? file : relative(root, file)}:${line}:${column}`,
    remove: () => rmSync(root, { recursive: true }),
  }
}

/** Environment variables that the client would be started with. */
export function environmentIn(root: string): Record<string, string> {
  const file = join(root, 'environment.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
}

/** The client's own files contain absolute paths. */
function replacePlaceholders(project: string, home: string): void {
  const plugins = join(home, '.claude', 'plugins')
  const registers = existsSync(plugins) ? readdirSync(plugins).filter((name) => name.endsWith('.json')) : []
  for (const file of [join(home, '.claude.json'), ...registers.map((name) => join(plugins, name))]) {
    if (!existsSync(file)) continue
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll('$PROJECT', project).replaceAll('$HOME', home))
  }
}

function trust(project: string, home: string): void {
  const file = join(home, '.claude.json')
  const before: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const state = objectOr(before)
  const projects = objectOr(state.projects)
  const own = { ...objectOr(projects[project]), hasTrustDialogAccepted: true }
  writeFileSync(file, JSON.stringify({ ...state, projects: { ...projects, [project]: own } }, null, 2))
}

function objectOr(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
