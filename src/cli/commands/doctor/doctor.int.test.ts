import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from '../../../../test/support/temp-home.ts'
import { openRecords } from '../../../compose.ts'
import { serveHookSocket } from '../../../servers/local/hook-socket.ts'
import { doctorCommand } from './doctor.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

interface Report {
  ok: boolean
  checks: { id: string; status: string; message: string; fix?: string }[]
}

async function examine(): Promise<{
  report: Report
  code: number
  status: (id: string) => string | undefined
}> {
  const { out, code } = await home.run(doctorCommand, '--json')
  const report = JSON.parse(out()) as Report
  return { report, code: code(), status: (id) => report.checks.find((check) => check.id === id)?.status }
}

test('passes on a fresh machine, with a finding for each check', async () => {
  const { report, code } = await examine()
  expect(report.checks.map(({ id }) => id)).toEqual([
    'node',
    'configuration',
    'servers',
    'rules',
    'store',
    'keys',
    'certificates',
    'sandbox',
    'toolchains',
    'memory',
    'clients',
    'permissions',
    'attestation',
    'moved files',
    'model door',
    'daemon',
  ])
  expect([report.ok, code]).toEqual([true, 0])
  for (const { message } of report.checks) expect(message).not.toBe('')
})

test('reports problems with their fixes, and still runs the other checks', async () => {
  home.write('config/config.toml', '[http]\nprot = 1\n')
  home.write('config/rules.json', '{')
  const { report, code, status } = await examine()
  expect([report.ok, code]).toEqual([false, 1])
  expect([status('configuration'), status('rules'), status('store')]).toEqual(['fail', 'fail', 'ok'])
  expect(report.checks.find(({ id }) => id === 'rules')?.message).toBe(
    'not checked because of the configuration',
  )
  for (const { status: found, fix } of report.checks) if (found === 'fail') expect(fix).toBeTruthy()
})

test('warns about an embedder that does not respond; the built-in one passes', async () => {
  const memoryOf = async () => (await examine()).report.checks.find(({ id }) => id === 'memory')
  expect(await memoryOf()).toMatchObject({ status: 'ok', message: expect.stringContaining('256 dimensions') })
  home.write('config/config.toml', '[memory]\nembedder = "onnx"\nembedder_file = "/nowhere"\n')
  expect(await memoryOf()).toMatchObject({
    status: 'warn',
    message: expect.stringContaining('word search only'),
    fix: expect.stringContaining('reembed'),
  })
})

test('a disabled sandbox is prominent, and toolchains in the home folder are suggested', async () => {
  home.write('config/config.toml', '[sandbox]\nmode = "off"\n')
  mkdirSync(join(home.path, '.nvm/versions/node/v22.0.0/bin'), { recursive: true })
  home.env.HOME = home.path
  const { report } = await examine()
  const check = (id: string) => report.checks.find((each) => each.id === id)
  expect(check('sandbox')).toMatchObject({
    status: 'warn',
    message: expect.stringContaining('SANDBOX IS OFF'),
  })
  expect(check('toolchains')).toMatchObject({
    status: 'warn',
    fix: expect.stringMatching(/config set sandbox.readable '.*v22/),
  })
  // Configured toolchains are not suggested.
  home.write('config/config.toml', `[sandbox]\nreadable = ["~/.nvm"]\n`.replace('~', home.path))
  expect((await examine()).status('toolchains')).toBe('ok')
})

test('fails if other users can access the keys', async () => {
  const keys = join(home.path, 'state', 'keys')
  mkdirSync(keys, { recursive: true, mode: 0o700 })
  expect((await examine()).status('keys')).toBe('ok')
  chmodSync(keys, 0o755)
  expect((await examine()).status('keys')).toBe('fail')
})

test('fails if other users can read a single key file', async () => {
  mkdirSync(join(home.path, 'state', 'keys'), { recursive: true, mode: 0o700 })
  const file = home.write('state/keys/audit.key', 'x'.repeat(32))
  chmodSync(file, 0o600)
  expect((await examine()).status('keys')).toBe('ok')
  chmodSync(file, 0o640)
  const { report } = await examine()
  expect(report.checks.find(({ id }) => id === 'keys')).toEqual({
    id: 'keys',
    status: 'fail',
    message: `${file} is accessible to other users`,
    fix: `chmod 600 ${file}`,
  })
})

test('distinguishes a daemon that is not running, running, or dead with a leftover pid file', async () => {
  const daemon = async (): Promise<unknown> => {
    const { id: _, ...found } = (await examine()).report.checks.at(-1) ?? { id: '' }
    return found
  }
  expect(await daemon()).toEqual({ status: 'ok', message: 'not running' })
  const pidFile = home.write('run/contextd.pid', '4711\n')
  const socket = await serveHookSocket(join(home.path, 'run', 'hook.sock'), {
    status: () => ({ pid: 4711, mcp: 'http://127.0.0.1:7391/mcp' }),
  })
  expect(await daemon()).toEqual({ status: 'ok', message: 'running, pid 4711, http://127.0.0.1:7391/mcp' })
  socket.close()
  expect(await daemon()).toEqual({
    status: 'warn',
    message: `${pidFile} exists, but its daemon does not respond`,
    fix: expect.stringContaining('ctxd start'),
  })
  rmSync(pidFile)
  expect(await daemon()).toEqual({ status: 'ok', message: 'not running' })
})

test('prints several problems one per line, without control characters', async () => {
  home.write('config/config.toml', 'prot = 1\n"\\u001b[2J" = 2\n')
  const lines = (await home.run(doctorCommand)).out().split('\n')
  const at = lines.findIndex((line) => line.startsWith('fail configuration '))
  expect(lines[at]).toContain('config.toml:1:1: ')
  expect(lines[at + 1]).toMatch(/^ {19}.*config\.toml:2:1: /)
  expect(lines.join('')).not.toContain('\u001B')
})

test('prints each check with its fix', async () => {
  home.write('config/rules.json', '{')
  const { out } = await home.run(doctorCommand)
  expect(out()).toMatch(/^fail rules /m)
  expect(out()).toMatch(/^ {5}fix: /m)
})

test('reports refused attestations', async () => {
  expect((await examine()).status('attestation')).toBe('ok')
  const records = openRecords(home.env)
  records.event('attestation-refused', { problem: 'a test', agent: 'main', tool: 'who' })
  records.close()
  expect((await examine()).status('attestation')).toBe('warn')
})

test('lists a moved file with the command that moves it back, until it is gone', async () => {
  const to = home.write("project/it's.blocked-01234567", 'x')
  const path = join(dirname(to), "it's")
  const records = openRecords(home.env)
  records.event('file-moved-aside', { path, to })
  records.close()
  const found = async (): Promise<Report['checks'][number]> =>
    (await examine()).report.checks.find(({ id }) => id === 'moved files')!
  const { status, message } = await found()
  expect(status).toBe('warn')
  execFileSync('sh', ['-c', message.split('\n')[1]!])
  expect(existsSync(path)).toBe(true)
  expect((await found()).status).toBe('ok')
})

test('reports an ineffective deny rule of the client, but not an effective one', async () => {
  const settings = (rule: string): void =>
    void home.write('project/.claude/settings.json', { permissions: { deny: [rule] } })
  settings('mcp__db__drop(*)')
  expect((await examine()).status('permissions')).toBe('fail')
  settings('mcp__db__drop')
  expect((await examine()).status('permissions')).toBe('ok')
})

test('prints a rule with line breaks on one line', async () => {
  home.write('project/.claude/settings.json', { permissions: { deny: ['mcp__db__drop(\n::error::x)'] } })
  const { out } = await home.run(doctorCommand)
  expect(out()).toContain('`mcp__db__drop(\\u{a}::error::x)`')
  expect(out()).not.toMatch(/^\s*::/m)
})
