import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { runOnTerminal } from '@contextd/shared/testing/terminal'
import { VERSION } from '@contextd/shared/version'

const program = fileURLToPath(new URL('../../dist/contextd-permissions.js', import.meta.url))
const broken = '{"permissions": {"deny": ["mcp__db__drop(*)"]}}\n'
const fixed = '{"permissions": {"deny": ["mcp__db__drop"]}}\n'

let home: string
let project: string
let settings: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'contextd-permissions-'))
  project = join(home, 'work/project')
  settings = write('work/project/.claude/settings.json', broken)
})
afterEach(() => rmSync(home, { recursive: true }))

function write(path: string, text: string): string {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

interface RunResult {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

const envWith = (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  HOME: home,
  PATH: process.env.PATH,
  ...more,
})

function run(argv: readonly string[], more: NodeJS.ProcessEnv = {}): RunResult {
  return spawnSync(process.execPath, [program, ...argv], {
    cwd: project,
    env: envWith(more),
    encoding: 'utf8',
  })
}

test('help and version', () => {
  const help = run(['--help'])
  expect(help).toMatchObject({ status: 0 })
  expect(help.stdout).toContain('npx @contextd/permissions lint')
  expect(run(['--version'])).toMatchObject({ status: 0, stdout: `${VERSION}\n` })
})

describe('lint', () => {
  it('prints findings and how to read about them', () => {
    const { status, stdout } = run(['lint'])
    expect(status).toBe(1)
    expect(stdout).toContain('.claude/settings.json:1:27: error mcp-rule-parentheses')
    expect(stdout).toContain('see: npx @contextd/permissions rules mcp-rule-parentheses')
  })

  it('reports JSON and SARIF', () => {
    expect(JSON.parse(run(['lint', '--json']).stdout)).toMatchObject({
      findings: [{ rule: 'mcp-rule-parentheses', line: 1, fixable: true }],
      files: 1,
    })
    expect(JSON.parse(run(['lint', '--format', 'sarif']).stdout)).toMatchObject({ version: '2.1.0' })
  })

  it('has no --connect, so it starts no servers', () => {
    expect(run(['lint', '--connect'])).toMatchObject({ status: 2 })
  })

  it('masks secrets in what it prints', () => {
    const { text: pat } = makeSample('ghp_{alnum:36}', seededRandom(71))
    write(
      'work/project/.claude/settings.json',
      JSON.stringify({ permissions: { deny: [`mcp__db__drop(${pat})`] } }),
    )
    const { stdout } = run(['lint', '--fix', '--dry-run'])
    expect(stdout).toContain('mcp__db__drop([SECRET])')
    expect(stdout).not.toContain(pat)
  })
})

describe('lint --fix', () => {
  const backups = (): string => join(home, '.local/state/contextd-permissions/backups')

  it('shows the change with --dry-run and writes nothing', () => {
    const { status, stdout } = run(['lint', '--fix', '--dry-run'])
    expect(status).toBe(1)
    expect(stdout).toContain('+{"permissions": {"deny": ["mcp__db__drop"]}}')
    expect(readFileSync(settings, 'utf8')).toBe(broken)
    expect(existsSync(backups())).toBe(false)
  })

  it("writes a project's file without a terminal, after a private backup", () => {
    const { status, stderr } = run(['lint', '--fix'])
    expect(status).toBe(0)
    expect(readFileSync(settings, 'utf8')).toBe(fixed)
    const [time = ''] = readdirSync(backups())
    expect(stderr).toContain(`the previous files are in ${join(backups(), time)}`)
    expect(readFileSync(join(backups(), time, settings), 'utf8')).toBe(broken)
    expect(statSync(backups()).mode & 0o777).toBe(0o700)
  })

  it('stores the copy below XDG_STATE_HOME if it is set', () => {
    run(['lint', '--fix'], { XDG_STATE_HOME: join(home, 'state') })
    expect(readdirSync(join(home, 'state/contextd-permissions/backups'))).toHaveLength(1)
    expect(existsSync(backups())).toBe(false)
  })

  it("prompts before it writes the user's own file", async () => {
    const own = write('.claude/settings.json', broken)
    const fix = (answer: string) =>
      runOnTerminal(`${process.execPath} ${program} lint --fix`, [[/\[y\/N\] $/, `${answer}\n`]], {
        env: envWith({}),
        cwd: project,
      })
    expect(await fix('n')).toMatchObject({ status: 22 })
    expect(readFileSync(own, 'utf8')).toBe(broken)
    expect(run(['lint', '--fix'])).toMatchObject({ status: 22 })
    expect(readFileSync(own, 'utf8')).toBe(broken)
    expect(await fix('y')).toMatchObject({ status: 0 })
    expect(readFileSync(own, 'utf8')).toBe(fixed)
  })

  it('is refused to an agent', () => {
    expect(run(['lint', '--fix'], { CLAUDECODE: '1' })).toMatchObject({ status: 22 })
    expect(readFileSync(settings, 'utf8')).toBe(broken)
    expect(run(['lint'], { CLAUDECODE: '1' })).toMatchObject({ status: 1 })
  })
})

test('explain names the rule that decides', () => {
  write('work/project/.claude/settings.json', '{"permissions": {"deny": ["Bash(rm *)"]}}')
  expect(run(['explain', 'Bash(rm x)']).stdout).toMatch(/^deny: Bash\(rm x\)\n {2}by deny Bash\(rm \*\)/)
  expect(JSON.parse(run(['explain', 'Bash(ls)', '--json']).stdout)).toMatchObject({ tool: 'Bash(ls)' })
})

test('rules lists them, and explains one', () => {
  expect(run(['rules']).stdout).toMatch(/^mcp-rule-parentheses +claude-code +error /m)
  expect(run(['rules', 'mcp-rule-parentheses']).stdout).toMatch(/^mcp-rule-parentheses, error, claude-code$/m)
})

describe('exit codes', () => {
  test.each([
    ['no command', [], 2],
    ['an unknown command', ['lnit'], 2],
    ['an unknown rule', ['rules', 'mcp-rule-parenthesis'], 12],
    ['an unknown tool', ['explain', 'nothing:here'], 12],
    ['a missing folder', ['lint', 'missing'], 12],
  ])('%s', (_, argv, status) => {
    expect(run(argv)).toMatchObject({ status, stdout: '' })
  })

  it('come with suggestions, as JSON with --json', () => {
    expect(run(['lnit']).stderr).toContain('Did you mean lint?')
    expect(JSON.parse(run(['rules', 'mcp-rule-parenthesis', '--json']).stderr)).toMatchObject({
      error: { code: 'NOT_FOUND', hint: 'Did you mean mcp-rule-parentheses?' },
    })
  })
})
