import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { runOnTerminal } from '@contextd/shared/testing/terminal'
import { VERSION } from '@contextd/shared/version'

const program = fileURLToPath(new URL('../../dist/contextd-scrub.js', import.meta.url))
const pat = makeSample('ghp_{alnum:36}', seededRandom(61)).text

let home: string
let project: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'contextd-scrub-'))
  project = join(home, 'project')
  write('project/app.log', `token ${pat}\n`)
})
afterEach(() => rmSync(home, { recursive: true }))

function write(path: string, text: string): void {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

interface RunResult {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(argv: readonly string[], input = '', extraEnv: NodeJS.ProcessEnv = {}): RunResult {
  const env = { HOME: home, PATH: process.env.PATH, ...extraEnv }
  return spawnSync(process.execPath, [program, ...argv], { cwd: project, env, input, encoding: 'utf8' })
}

describe('without a command', () => {
  it('filters stdin', () => {
    expect(run([], `a ${pat} b`)).toEqual(expect.objectContaining({ status: 0, stdout: 'a [SECRET_1] b' }))
  })

  it('filters a file, with the options of scrub', () => {
    expect(run(['app.log']).stdout).toBe('token [SECRET_1]\n')
    expect(JSON.parse(run(['--json', 'app.log']).stdout)).toMatchObject({
      text: 'token [SECRET_1]\n',
      findings: [{ rule: 'github-pat', start: 6, end: 46 }],
    })
  })

  it('reports on a terminal that it waits for input', async () => {
    const env = { HOME: home, PATH: process.env.PATH }
    const command = `${process.execPath} ${program}`
    const { output } = await runOnTerminal(command, [[/--help lists the commands/, '\u0004']], {
      env,
      cwd: project,
    })
    expect(output).toContain('reading text from the terminal')
  })
})

test('help and version', () => {
  expect(run(['--help'])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('npx @contextd/scrub') as string,
  })
  expect(run(['--version'])).toMatchObject({ status: 0, stdout: `${VERSION}\n` })
})

describe('exit codes', () => {
  test.each([
    ['a clean file', ['scan', 'clean.txt'], 0],
    ['a secret', ['scan', 'app.log'], 1],
    ['a secret, in a text', ['detect', 'test', '-'], 1],
    ['an unknown option', ['scan', '--frobnicate'], 2],
    ['too many arguments', ['app.log', 'app.log'], 2],
    ['a missing file', ['missing.log'], 12],
    ['a missing rules file', ['--config', 'missing.toml', 'app.log'], 78],
    ['a broken rules file', ['scan', '--config', 'broken.toml', 'app.log'], 78],
  ])('%s', (_, argv, status) => {
    write('project/clean.txt', 'nothing\n')
    write('project/broken.toml', '[[rules]\n')
    expect(run(argv, `a ${pat} b`)).toMatchObject({ status })
  })

  it('come with a code and a hint, as JSON with --json', () => {
    expect(run(['scan', '--fromat', 'json']).stderr).toContain('(Did you mean --format?)')
    expect(JSON.parse(run(['--json', 'missing.log']).stderr)).toMatchObject({
      error: { code: 'NOT_FOUND', hint: 'Check the spelling of missing.log.' },
    })
  })
})

describe('rules', () => {
  const acme = '[[rules]]\nid = "acme"\nregex = "acme_[a-z0-9]{12}"\n'
  const allowAll = `${acme}[extend]\nuseDefault = true\n[[allowlists]]\nregexes = [".*"]\n`

  it('of a given file extend the built-in ones, and cannot unmask', () => {
    write('project/acme.toml', allowAll)
    expect(run(['--config', 'acme.toml'], `acme_0123456789ab ${pat}`).stdout).toBe('[SECRET_1] [SECRET_2]')
  })

  it('of the project apply to a scan only if passed explicitly', () => {
    write('project/.gitleaks.toml', allowAll)
    const untrusted = run(['scan', 'app.log'])
    expect(untrusted).toMatchObject({ status: 1 })
    expect(untrusted.stderr).toMatch(/\.gitleaks\.toml is not trusted .*--config/)
    expect(run(['scan', 'app.log', '--config', '.gitleaks.toml'])).toMatchObject({ status: 0 })
    expect(run(['scan', 'app.log'], '', { GITLEAKS_CONFIG: '.gitleaks.toml' })).toMatchObject({ status: 0 })
  })

  it('of the project do not apply to the filter', () => {
    write('project/.gitleaks.toml', allowAll)
    expect(run([], `acme_0123456789ab ${pat}`).stdout).toBe('acme_0123456789ab [SECRET_1]')
  })

  it('are listed and explained', () => {
    write('project/acme.toml', acme)
    const { rules } = JSON.parse(run(['detect', 'list', '--json', '--config', 'acme.toml']).stdout) as {
      rules: { id: string; from: string }[]
    }
    expect(rules[0]).toMatchObject({ id: 'acme', from: expect.stringMatching(/acme\.toml:1$/) as string })
    expect(rules.length).toBeGreaterThan(1000)
    expect(run(['detect', 'explain', '-'], pat).stdout).toContain('detected by its prefix')
  })
})

it("does not read or write contextd's files", () => {
  write('.config/contextd/config.toml', 'this is [no configuration')
  write('.config/contextd/gitleaks.toml', '[[rules]]\nid = "acme"\nregex = "acme_[a-z0-9]{12}"\n')
  const files = (): string => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort().join('\n')
  const before = files()
  expect(run([], 'acme_0123456789ab')).toMatchObject({ status: 0, stdout: 'acme_0123456789ab' })
  expect(run(['scan', 'app.log'])).toMatchObject({ status: 1 })
  expect(files()).toBe(before)
})

it('writes a report, but not for an agent', () => {
  const report = join(project, 'scan.sarif')
  const argv = ['scan', 'app.log', '--format', 'sarif', '--output', 'scan.sarif']
  expect(run(argv, '', { CLAUDECODE: '1' })).toMatchObject({ status: 22 })
  expect(existsSync(report)).toBe(false)
  expect(run(argv)).toMatchObject({ status: 1 })
  expect(existsSync(report)).toBe(true)
})
