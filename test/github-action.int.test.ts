/** The action for pull requests: its script, started like by the runner, and its description. */

import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'

const folder = resolve('integrations', 'github-action')
const secret = makeSample('ghp_{alnum:36}', seededRandom(9)).text

const openDeny = { permissions: { deny: ['mcp__db__drop(*)'] } }
const closedDeny = { permissions: { deny: ['mcp__db', 'mcp__db__*'] } }
const server = { mcpServers: { db: { command: 'db-server' } } }

interface RunResult {
  readonly code: number | null
  readonly log: string
  readonly outputs: Readonly<Record<string, string>>
}

function makeRepository(files: Readonly<Record<string, string | object>>): {
  root: string
  run: (env?: NodeJS.ProcessEnv) => RunResult
} {
  const root = mkdtempSync(join(tmpdir(), 'contextd-action-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const project = join(root, 'repository')
  for (const [name, content] of Object.entries(files)) {
    const path = join(project, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  return {
    root: project,
    run(env = {}) {
      const output = join(root, 'output')
      writeFileSync(output, '')
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'run.mjs')], {
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH,
          HOME: root,
          GITHUB_WORKSPACE: project,
          RUNNER_TEMP: root,
          GITHUB_OUTPUT: output,
          ...env,
        },
      })
      const outputs = readFileSync(output, 'utf8').trim().split('\n')
      return {
        code: status,
        log: stdout + stderr,
        outputs: Object.fromEntries(outputs.map((line) => line.split(/=(.*)/s).slice(0, 2))),
      }
    },
  }
}

function gitIn(cwd: string, ...args: string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
  return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8' }).trim()
}

describe('the script', () => {
  test('reports an ineffective deny and a secret, and fails the job', () => {
    const { run } = makeRepository({
      '.mcp.json': server,
      '.claude/settings.json': openDeny,
      'deploy.sh': `export GITHUB_TOKEN=${secret}\n`,
    })
    const { code, log, outputs } = run()
    expect(code, log).toBe(0)
    expect(outputs).toMatchObject({ secrets: '1', failed: 'true' })
    expect(Number(outputs['permission-findings'])).toBeGreaterThan(0)
    expect(log).toMatch(/^\.claude\/settings\.json:4:\d+: error /m)
    expect(log).not.toContain(secret)
    for (const name of ['permissions-sarif', 'secrets-sarif']) {
      const report = JSON.parse(readFileSync(outputs[name] ?? '', 'utf8')) as {
        runs: { results: object[] }[]
      }
      expect(report.runs[0]?.results.length).toBeGreaterThan(0)
    }
  })

  test('uploads at most what code scanning accepts, the most severe findings, and counts all', () => {
    // Each but the last is overridden, which is an error; unknown keys are a note.
    const settings = `{"unknown":0,${Array(25_002).fill('"again":0').join()}}`
    const { run } = makeRepository({ '.claude/settings.json': settings })
    const { log, outputs } = run({ CONTEXTD_SECRETS: 'false' })
    expect(outputs).toMatchObject({ 'permission-findings': '25001', failed: 'true' })
    expect(log).toContain('25003 findings: the report has the 25000 most severe ones')
    const text = readFileSync(outputs['permissions-sarif'] ?? '', 'utf8')
    const levels = (JSON.parse(text) as { runs: { results: { level: string }[] }[] }).runs[0]?.results.map(
      ({ level }) => level,
    )
    expect([levels?.length, new Set(levels)]).toEqual([25_000, new Set(['error'])])
  })

  test('passes for the corrected project', () => {
    const { run } = makeRepository({ '.mcp.json': server, '.claude/settings.json': closedDeny })
    const { code, log, outputs } = run()
    expect(code, log).toBe(0)
    expect(outputs).toMatchObject({ 'permission-findings': '0', secrets: '0', failed: 'false' })
  })

  test.each([
    ['error', 'true'],
    ['warning', 'true'],
    ['never', 'false'],
  ])('fail-on %s: %s', (failOn, failed) => {
    const { run } = makeRepository({ '.mcp.json': server, '.claude/settings.json': openDeny })
    expect(run({ CONTEXTD_FAIL_ON: failOn }).outputs.failed).toBe(failed)
  })

  test.each([
    ['nothing', '', '1', 'true'],
    ['a rule', 'mcp-rule-parentheses\n', '0', 'false'],
    ['a rule in a file', '\n  mcp-rule-parentheses:.claude/settings.json  \n', '0', 'false'],
    ['a rule in another file', 'mcp-rule-parentheses:.claude/settings.local.json', '1', 'true'],
    ['others', 'hook-fails-open\nunknown-tool', '1', 'true'],
  ])('ignores %s', (_case, ignore, count, failed) => {
    const { run } = makeRepository({ '.mcp.json': server, '.claude/settings.json': openDeny })
    expect(run({ CONTEXTD_IGNORE: ignore }).outputs).toMatchObject({ 'permission-findings': count, failed })
  })

  test('ignores configuration elsewhere on the machine', () => {
    const repository = makeRepository({ 'opencode.json': {}, '../own/opencode.json': { permissions: {} } })
    const own = join(repository.root, '..', 'own')
    const places = {
      OPENCODE_CONFIG: join(own, 'opencode.json'),
      OPENCODE_CONFIG_DIR: own,
      XDG_CONFIG_HOME: own,
    }
    expect(repository.run(places)).toMatchObject({ code: 0, outputs: { 'permission-findings': '0' } })
    const result = makeRepository({ 'opencode.json': { permissions: {} } }).run(places)
    expect(result.outputs).toMatchObject({ 'permission-findings': '1', failed: 'true' })
  })

  test('runs either check alone', () => {
    const { run } = makeRepository({ '.mcp.json': server, '.claude/settings.json': openDeny })
    expect(run({ CONTEXTD_PERMISSIONS: 'false' }).outputs).toMatchObject({
      'permissions-sarif': '',
      failed: 'false',
    })
  })

  test('file names are never interpreted as commands by the runner', () => {
    const { run } = makeRepository({ '::add-path::x.sh': `TOKEN=${secret}\n` })
    const lines = run({ CONTEXTD_PERMISSIONS: 'false' }).log.split('\n')
    const begin = lines.findIndex((line) => line.startsWith('::stop-commands::'))
    const found = lines.findIndex((line) => line.startsWith('::add-path::x.sh'))
    const end = lines.indexOf(`::${lines[begin]?.slice('::stop-commands::'.length)}::`)
    expect([begin < found, found < end]).toEqual([true, true])
  })

  test('rejects unknown input instead of checking nothing', () => {
    const { run } = makeRepository({ 'a.txt': 'a' })
    expect(run({ CONTEXTD_FAIL_ON: 'sometimes' }).code).toBe(2)
    expect(run({ CONTEXTD_IGNORE: 'no-such-rule' }).code).toBe(2)
    expect(run({ CONTEXTD_IGNORE: '--help' }).code).toBe(2)
    const nowhere = run({ CONTEXTD_PATH: 'nowhere' })
    expect([nowhere.code, nowhere.log]).toEqual([2, expect.stringContaining('No folder nowhere')])
    expect(run().code).toBe(0)
  })

  test('git is not run in a folder that looks like a nested repository', () => {
    const { root, run } = makeRepository({ 'sub/new.sh': `TOKEN=${secret}\n` })
    const sub = join(root, 'sub')
    const own = join(sub, '.git')
    const ran = join(root, 'ran')
    gitIn(sub, 'init', '-q')
    gitIn(sub, 'commit', '-q', '--allow-empty', '-m', 'nothing since')
    const base = gitIn(sub, 'rev-parse', 'HEAD')
    const settings = {
      'core.repositoryFormatVersion': '1',
      'core.worktree': sub,
      'extensions.partialClone': 'origin',
      'remote.origin.promisor': 'true',
      'remote.origin.url': `ext::touch ${ran}`,
      'protocol.ext.allow': 'always',
    }
    for (const [name, value] of Object.entries(settings)) gitIn(own, 'config', '-f', 'config', name, value)
    for (const name of readdirSync(own)) renameSync(join(own, name), join(sub, name))
    rmdirSync(own)
    for (const one of [base, 'f'.repeat(40)])
      expect(run({ CONTEXTD_PATH: 'sub', CONTEXTD_BASE: one }).outputs).toMatchObject({ secrets: '1' })
    expect(existsSync(ran)).toBe(false)
    // Control: an unprotected git command runs it.
    spawnSync('git', ['cat-file', '-e', 'f'.repeat(40)], { cwd: sub })
    expect(existsSync(ran)).toBe(true)
  })

  test('scans what the pull request adds, and everything if that is unknown', () => {
    const { root, run } = makeRepository({ 'old.sh': `TOKEN=${secret}\n` })
    const git = (...args: string[]): string => gitIn(root, ...args)
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'before')
    const base = git('rev-parse', 'HEAD')
    writeFileSync(join(root, 'new.sh'), 'echo harmless\n')
    git('add', '.')
    git('commit', '-qm', 'the pull request')
    expect(run({ CONTEXTD_BASE: base }).outputs).toMatchObject({ secrets: '0', failed: 'false' })
    const elsewhere = run({ CONTEXTD_BASE: 'f'.repeat(40) })
    expect(elsewhere.outputs).toMatchObject({ secrets: '1', failed: 'true' })
    expect(elsewhere.log).toContain('all files are scanned')
  })
})

interface Step {
  readonly id?: string
  readonly run?: string
  readonly uses?: string
  readonly if?: string
  readonly env?: Readonly<Record<string, string>>
}

describe('the description', () => {
  const text = readFileSync(join(folder, 'action.yml'), 'utf8')
  const action = parse(text) as {
    inputs: Record<string, { default: string }>
    runs: { using: string; steps: Step[] }
  }
  const { steps } = action.runs

  test('uses only existing inputs, and passes each to a step', () => {
    const used = new Set(Array.from(text.matchAll(/inputs\.([\w-]+)/g), ([, name = '']) => name))
    expect([...used].sort()).toEqual(Object.keys(action.inputs).sort())
  })

  test('has no expression inside a script', () => {
    const scripts = steps.flatMap(({ run }) => run ?? [])
    expect(scripts.length).toBeGreaterThan(0)
    for (const script of scripts) expect(script).not.toContain('${{')
  })

  test('fails only after the reports are uploaded', () => {
    expect(action.runs.using).toBe('composite')
    const last = steps.at(-1)
    expect(last).toMatchObject({ run: 'exit 1', if: "steps.check.outputs.failed == 'true'" })
    expect(steps.filter(({ uses }) => uses?.startsWith('github/codeql-action/upload-sarif@'))).toHaveLength(2)
  })

  test('passes every variable that the script reads', () => {
    const script = readFileSync(join(folder, 'run.mjs'), 'utf8')
    const read = new Set(Array.from(script.matchAll(/\bCONTEXTD_(?!HOME)[A-Z_]+/g), ([name]) => name))
    expect(Object.keys(steps[0]?.env ?? {}).sort()).toEqual([...read].sort())
  })
})
