import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { runCli } from '@contextd/shared/cli/output'
import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from '../../../../test/support/temp-home.ts'
import { auditCommand } from '../audit/audit.ts'
import { rulesCommand } from './rules.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

interface Setting {
  readonly answer?: string
  readonly env?: NodeJS.ProcessEnv
}

async function run(argv: readonly string[], { answer, env }: Setting = {}): Promise<FakeIo> {
  const fake = fakeIo({ env: { ...home.env, ...env }, cwd: home.project, answer })
  await runCli(rulesCommand(fake.io), fake.io, argv)
  return fake
}
const rulesFile = (): string => join(home.path, 'config', 'rules.json')
const stored = (): string => readFileSync(rulesFile(), 'utf8')

const own = `{
  "agents": {
    "main":  { "allow": { "servers": ["web"] } },
    "plan": {}
  }
}
`

test('shows the diff and the effect, asks, writes, and records it', async () => {
  home.write('config/rules.json', own)
  const { out, asked, code } = await run(['allow', 'main', 'db.query'], { answer: 'y' })
  expect(code()).toBe(0)
  expect(asked()).toBe(`Write ${rulesFile()}? [y/N] `)
  expect(out()).toContain('-    "main":  { "allow": { "servers": ["web"] } },')
  expect(out()).toMatch(
    /before deny: no entry of allow\.servers matches the server\n {7}by agents\.main\.allow\.servers\n/,
  )
  expect(out()).toMatch(/after {2}allow: tool allowed by name\n {7}by agents\.main\.allow\.tools\.db\[0\]\n/)
  expect(out()).toContain('Effect:\n  main db.query: deny → allow\nWritten: ')
  expect(stored()).toBe(
    own
      .replace('["web"]', '["web", "db"], "tools": { "db": ["query"] }')
      .replace('{ "db": ["query"] }', '{"db":["query"]}'),
  )
  const audit = await home.run(auditCommand, 'query', '--event', 'rules-changed', '--json')
  expect(JSON.parse(audit.out())).toMatchObject({ entries: [{ details: { file: rulesFile() } }] })
})

test.each(['allow', 'deny'])('%s refuses a tool of contextd without its server', async (kind) => {
  home.write('config/rules.json', own)
  const { err, code } = await run([kind, 'main', 'safe_bash', '--yes'])
  expect(code()).toBe(2)
  expect(err()).toBe(
    `USAGE: safe_bash is a tool of contextd, not a server\nRun \`ctxd rules ${kind} main contextd.safe_bash\`.\n`,
  )
  expect(stored()).toBe(own)
  await run([kind, 'main', 'db', '--yes'])
  expect(stored()).not.toBe(own)
})

test('--yes and --json: no question, one result', async () => {
  const { out, asked } = await run(['grant', 'main', 'http:fetch:x.com', '--yes', '--json'])
  expect(asked()).toBe('')
  expect(JSON.parse(out())).toMatchObject({
    file: rulesFile(),
    changed: true,
    diff: expect.arrayContaining(['--- /dev/null']) as unknown,
    decisions: [{ agent: 'main', server: 'contextd', tool: 'http_fetch', from: 'deny', to: 'allow' }],
    terms: [{ agent: 'main', added: ['http:fetch:x.com'], removed: [] }],
  })
  const again = await run(['grant', 'main', 'http:fetch:x.com', '--yes', '--json'])
  expect(JSON.parse(again.out())).toEqual({ file: rulesFile(), changed: false })
})

test('deny of one tool of contextd changes only that', async () => {
  home.write('config/rules.json', own)
  const { out } = await run(['deny', 'plan', 'contextd.safe_bash', '--yes', '--json'])
  expect(JSON.parse(out())).toMatchObject({
    before: { decision: 'allow' },
    after: { decision: 'deny', rule: 'agents.plan.deny.tools.contextd[0]' },
    decisions: [{ agent: 'plan', server: 'contextd', tool: 'safe_bash', from: 'allow', to: 'deny' }],
    terms: [],
  })
})

test('reveal grants secret:reveal with the rule', async () => {
  const { out } = await run(['reveal', 'main', 'http_fetch', '--host', 'x.com', '--yes'])
  expect(out()).toContain('  main gets secret:reveal\n  main gets reveal http_fetch to x.com\n')
  expect((await home.run(rulesCommand, 'check')).out()).toContain('no problems')
})

test.each<[string, number, string[], Setting]>([
  ['the user refuses', 22, ['allow', 'main', 'db'], { answer: 'n' }],
  ['there is no terminal', 22, ['allow', 'main', 'db'], {}],
  ['an agent runs it', 22, ['allow', 'main', 'db'], { answer: 'y', env: { CLAUDECODE: '1' } }],
  ['an agent runs it with --yes', 22, ['grant', 'main', 'shell:exec', '--yes'], { env: { CLAUDECODE: '1' } }],
  ['the grant matches nothing', 2, ['grant', 'main', 'http:fetch:https://x.com', '--yes'], {}],
  ['it is no capability', 2, ['grant', 'main', 'fly', '--yes'], {}],
  ['the server has no name', 2, ['allow', 'main', '.query', '--yes'], {}],
  ['the agent is unknown', 2, ['deny', 'nobody', 'db', '--yes'], {}],
])('nothing is written if %s', async (_, expected, argv, setting) => {
  home.write('config/rules.json', own)
  const { code } = await run(argv, setting)
  expect([code(), stored()]).toEqual([expected, own])
  // The same file accepts a change.
  await run(['allow', 'main', 'db', '--yes'])
  expect(stored()).not.toBe(own)
})

test('does not overwrite changes made during the prompt', async () => {
  home.write('config/rules.json', own)
  const fake = fakeIo({ env: home.env, cwd: home.project, answer: 'y' })
  const terminal = fake.io.openTerminal?.()
  const readLine = async (): Promise<string> => {
    writeFileSync(rulesFile(), '{ "agents": { "main": {} } }')
    return 'y'
  }
  const io = { ...fake.io, openTerminal: () => terminal && { ...terminal, readLine } }
  await runCli(rulesCommand(io), io, ['allow', 'main', 'db'])
  expect(fake.err()).toContain('changed in the meantime')
  expect(stored()).toBe('{ "agents": { "main": {} } }')
})

test('changes the file of an older gateway in place', async () => {
  const file = home.write('config/.mcp-gateway-rules.json', own)
  await run(['allow', 'main', 'db', '--yes'])
  expect(readFileSync(file, 'utf8')).toBe(own.replace('["web"]', '["web", "db"]'))
  expect(existsSync(rulesFile())).toBe(false)
})
