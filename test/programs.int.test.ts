import { spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from './support/temp-home.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

/** The built program, as a user or a client starts it. */
function run(program: 'contextd' | 'ctxd', args: string[], input = ''): SpawnSyncReturns<string> {
  const file = fileURLToPath(new URL(`../bin/${program}.js`, import.meta.url))
  const env = { PATH: process.env.PATH, NO_COLOR: '1', ...home.env }
  return spawnSync(process.execPath, [file, ...args], { env, cwd: home.project, input, encoding: 'utf8' })
}

const initialize = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})}\n`

test('a stdio server writes only answers to stdout', () => {
  const { status, stdout, stderr } = run('contextd', ['mcp', 'serve'], initialize)
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'contextd' } } })
  expect([status, stderr]).toEqual([0, ''])
})

test.each([
  ['rules', 'config/rules.json', '{', 78, 'RULES_INVALID'],
  ['configuration', 'config/config.toml', '[http]\nprot = 1\n', 78, 'CONFIG_INVALID'],
  [
    'store',
    'state/contextd.db',
    'not a database, and long enough to be looked at '.repeat(20),
    74,
    'STORE_UNAVAILABLE',
  ],
])('broken %s stop the start with a message, not with a stack trace', (_, file, content, exit, code) => {
  home.write(file, content)
  for (const args of [['mcp', 'serve'], ['serve']]) {
    const { status, stdout, stderr } = run('contextd', args, initialize)
    expect([status, stdout]).toEqual([exit, ''])
    expect(stderr).toMatch(new RegExp(`^${code}: `))
    expect(stderr).not.toContain('    at ')
    expect(stderr.length).toBeLessThan(1000)
  }
})

test.each([
  ['contextd', ['--help']],
  ['contextd', ['mcp', 'serve', '--help']],
  ['ctxd', ['--help']],
  ['ctxd', ['help', 'rules']],
] as const)('%s %j helps', (program, args) => {
  const { status, stdout } = run(program, [...args])
  expect(status).toBe(0)
  expect(stdout).toContain('Usage: ')
})

test.each([
  ['contextd', ['mcp', 'serve', '--agnt', 'x'], '--agent'],
  ['ctxd', ['ruels'], '`ctxd rules`'],
] as const)('%s %j is rejected with a suggestion', (program, args, suggestion) => {
  const { status, stdout, stderr } = run(program, [...args])
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`Did you mean ${suggestion}?`)
})

test('the package can be imported by its name', () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const script = `
    import { openContextd, errorCatalogue } from 'contextd'
    console.log(JSON.stringify([typeof openContextd, errorCatalogue.USAGE.exit]))
  `
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
  })
  expect([stderr, stdout]).toEqual(['', '["function",2]\n'])
})
