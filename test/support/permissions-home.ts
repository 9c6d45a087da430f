/** A project and a user home to run `ctxd permissions` for. */

import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterAll, afterEach, beforeEach } from 'vitest'

import { permissionsCommand } from '../../src/cli/commands/permissions/permissions.ts'
import { runCli } from '@contextd/shared/cli/output'
import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'

export interface RunOptions {
  /** The user's answer at the terminal; without it there is no terminal. */
  readonly answer?: string | undefined
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** Runs before the user answers. */
  readonly meanwhile?: () => void
}

export interface LintAnswer {
  readonly findings: readonly {
    rule: string
    severity: string
    file: string
    line: number
    column: number
    fixable: boolean
  }[]
  readonly written?: boolean
  readonly backup?: string | null
  readonly changes?: readonly { path: string; diff: readonly string[] }[]
}

export interface PermissionsHome {
  /** Contains everything below, and contextd's files. */
  readonly path: string
  /** Trusted by the client. */
  readonly project: string
  /** The home of the user. */
  readonly person: string
  put(folder: string, name: string, content: string | Buffer | object): string
  run(argv: readonly string[], options?: RunOptions): Promise<FakeIo>
  lint(...argv: string[]): Promise<LintAnswer>
}

/** The settings of a project or a user. */
export const settings = '.claude/settings.json'
/** The `.mcp.json` of a project. */
export const servers = { mcpServers: { probe: { command: 'probe' } } }
/** Settings with a deny rule that the client ignores: an error with a fix. */
export const dropped = '{\n  "permissions": { "deny": ["mcp__probe(*)"] }\n}\n'

/** For all tests of a file: the paths stay the same, and the contents are reset for each test. */
export function usePermissionsHome(): PermissionsHome {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-home-')))
  const [project, person] = [join(path, 'project'), join(path, 'person')]
  const put: PermissionsHome['put'] = (folder, name, content) => {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    const isText = typeof content === 'string' || Buffer.isBuffer(content)
    writeFileSync(file, isText ? content : `${JSON.stringify(content, null, 2)}\n`)
    return file
  }
  const run: PermissionsHome['run'] = async (argv, { answer, env, cwd = project, meanwhile } = {}) => {
    const fake = fakeIo({ env: { CONTEXTD_HOME: path, HOME: person, ...env }, cwd, answer })
    const io = meanwhile === undefined ? fake.io : slow(fake.io, meanwhile)
    await runCli(permissionsCommand(io), io, argv)
    return fake
  }
  const remove = (place: string): void => rmSync(place, { recursive: true, force: true })
  beforeEach(() => {
    mkdirSync(project)
    put(person, '.claude.json', { projects: { [project]: { hasTrustDialogAccepted: true } } })
  })
  afterEach(() => readdirSync(path).forEach((name) => remove(join(path, name))))
  afterAll(() => remove(path))
  return {
    path,
    project,
    person,
    put,
    run,
    lint: async (...argv) => JSON.parse((await run(['lint', '--json', ...argv])).out()) as LintAnswer,
  }
}

function slow(io: FakeIo['io'], meanwhile: () => void): FakeIo['io'] {
  const terminal = io.openTerminal?.()
  if (terminal === undefined) return io
  const readLine: typeof terminal.readLine = () => {
    meanwhile()
    return terminal.readLine()
  }
  return { ...io, openTerminal: () => ({ ...terminal, readLine }) }
}
