import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { aTool } from '../../../../test/support/door-tools.ts'
import { sampleSecrets } from '../../../../test/support/registry.ts'
import { makeTempHome, type TempHome } from '../../../../test/support/temp-home.ts'
import { composeRuntime, openRecords } from '../../../compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { answer, type Answer } from '../../../core/result.ts'
import { openStore } from '../../../platform/storage/store.ts'
import { runCli } from '@contextd/shared/cli/output'
import { auditCommand } from './audit.ts'

let home: TempHome

/** Two calls through the real pipeline: one that is refused, one that runs and fails. */
beforeEach(async () => {
  home = makeTempHome()
  const runtime = await composeRuntime({ env: home.env, cwd: home.project })
  const client = { name: 'test', version: '1', door: 'cli' } as const
  const session = runtime.sessions.begin(client)
  const { signal } = new AbortController()
  for (const declared of ['nobody', 'main']) {
    const call = { method: 'tool', tool: 'read_more', session, client, signal, claims: { declared } } as const
    await runtime.handle(runtime.newCall({ ...call, arguments: { ref: 'ref_of_nothing' } }))
  }
  await runtime.close()
})
afterEach(() => home.remove())

const json = async (...argv: string[]): Promise<{ entries: { call: string; error?: string }[] }> =>
  JSON.parse((await home.run(auditCommand, ...argv, '--json')).out()) as never

test('query filters records, newest first', async () => {
  const all = await json('query', '--kind', 'call')
  expect(all.entries.map(({ error }) => error)).toEqual(['REF_NOT_FOUND', 'INVALID_AGENT_ID'])
  expect((await json('query', '--agent', 'main')).entries).toHaveLength(1)
  expect((await json('query', '--error', 'INVALID_AGENT_ID')).entries).toHaveLength(1)
  expect((await json('query', '--since', '1h', '--kind', 'call')).entries).toHaveLength(2)
  expect((await json('query', '--until', '2001-01-01')).entries).toEqual([])
  expect((await home.run(auditCommand, 'query', '--agent', 'main')).out()).toContain('contextd.read_more')
  expect((await home.run(auditCommand, 'query', '--crashed')).out()).toBe('No matches.\n')
})

test('query --leaks lists tool, rule and location of secrets that only the pipeline caught', async () => {
  expect((await home.run(auditCommand, 'query', '--leaks')).out()).toBe('No matches.\n')
  const [secret = ''] = sampleSecrets(1)
  const runtime = await composeRuntime({
    env: home.env,
    cwd: home.project,
    log: () => {},
    tools: [aTool('careless', async () => answer({ env: [secret, secret] }))],
  })
  const client = { name: 'test', version: '1', door: 'cli' } as const
  const session = runtime.sessions.begin(client)
  const { signal } = new AbortController()
  await runtime.handle(
    runtime.newCall({ method: 'tool', tool: 'careless', session, client, signal, claims: {} }),
  )
  await runtime.close()
  const { out } = await home.run(auditCommand, 'query', '--leaks')
  const [head, ...rows] = out()
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/))
  expect(head).toEqual(['TIME', 'AGENT', 'TOOL', 'RULE', 'LOCATION', 'COUNT'])
  expect(rows.map((row) => row.slice(1))).toEqual([
    ['default', 'contextd.careless', 'github-pat', 'structured.data.env[0]', '1'],
    ['default', 'contextd.careless', 'github-pat', 'structured.data.env[1]', '1'],
  ])
  expect(await json('query', '--leaks')).toMatchObject({
    entries: [{ tool: 'careless', findings: [{ layer: 'C2', place: 'structured.data.env[0]' }, {}] }],
  })
})

test('show prints everything about a call', async () => {
  const call = (await json('query', '--agent', 'main')).entries[0]?.call ?? ''
  expect(await json('show', call)).toMatchObject({ call, agent: 'main', level: 'declared', status: 'done' })
  expect((await home.run(auditCommand, 'show', call)).out()).toMatch(/^agent {10}main$/m)
  const missing = await home.run(auditCommand, 'show', 'nothing')
  expect([missing.code(), missing.out()]).toEqual([12, ''])
})

test('show prints multi-line text as lines, with the web requests of the call', async () => {
  const request = { method: 'GET', host: 'a.example', port: 443, status: 200, outcome: 'answered' }
  const { id, other } = await withCall(async () => answer('one\ntwo\u001B[2J\nthree\n'), request)
  const lines = (await home.run(auditCommand, 'show', id)).out().split('\n')
  const first = lines.findIndex((line) => line.startsWith('output '))
  expect(lines.slice(first, first + 3)).toEqual([
    'output         one',
    '               two\\u{1b}[2J',
    '               three',
  ])
  expect(lines.filter((line) => line.startsWith('http_request'))).toEqual([
    'http_request   GET a.example:443 200 answered',
    'http_request   UNKNOWN invalid',
  ])
  expect(await json('show', id)).toMatchObject({ http_requests: [request, { outcome: 'invalid' }] })
  expect(await json('show', other)).not.toHaveProperty('http_requests')
})

/** A call whose tool reaches the web, and one at the same time that does not. */
async function withCall(
  work: () => Promise<Answer>,
  request: JsonObject,
): Promise<{ id: string; other: string }> {
  const tool = aTool('web', async (_args, { call }) => {
    for (const details of [request, { method: 'UNKNOWN', outcome: 'invalid' }])
      runtime.audit.event('http-request', { ...details, call: call.id }, { session: call.session })
    return work()
  })
  const quiet = aTool('quiet', work)
  const runtime = await composeRuntime({ env: home.env, cwd: home.project, tools: [tool, quiet] })
  const client = { name: 'test', version: '1', door: 'cli' } as const
  const session = runtime.sessions.begin(client)
  const { signal } = new AbortController()
  const calls = ['web', 'quiet'].map((name) =>
    runtime.newCall({ method: 'tool', tool: name, session, client, signal, claims: {} }),
  )
  await Promise.all(calls.map((call) => runtime.handle(call)))
  await runtime.close()
  const [id = '', other = ''] = calls.map((call) => call.id)
  return { id, other }
}

test('tail prints outcomes in order', async () => {
  const lines = (await home.run(auditCommand, 'tail', '-n', '4')).out().trim().split('\n')
  expect(lines.map((line) => line.split(/ {2,}/).slice(1, 4))).toEqual([
    ['-', 'contextd.read_more', 'INVALID_AGENT_ID'],
    ['main', 'contextd.read_more', 'REF_NOT_FOUND'],
  ])
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /)
})

test('tail --json prints every record unchanged, one per line', async () => {
  const lines = (await home.run(auditCommand, 'tail', '-n', '4', '--json')).out().trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual([
    'intent',
    'outcome',
    'intent',
    'outcome',
  ])
})

test.each([
  [['--agent', 'main'], ['main']],
  [['--error', 'INVALID_AGENT_ID'], ['-']],
  [['--kind', 'event'], []],
  [
    ['--tool', 'read_more'],
    ['-', 'main'],
  ],
  [['--tool', 'other'], []],
])('tail %j prints only those', async (filter, agents) => {
  const lines = (await home.run(auditCommand, 'tail', ...filter)).out().split('\n').filter(Boolean)
  expect(lines.map((line) => line.split(/ {2,}/)[1])).toEqual(agents)
})

test('tail colors outcomes on a terminal, unless colors are disabled', async () => {
  const look = async (env: NodeJS.ProcessEnv): Promise<string> => {
    const fake = fakeIo({ env: { ...home.env, ...env }, cwd: home.project, columns: 100 })
    await runCli(auditCommand(fake.io), fake.io, ['tail', '--no-follow'])
    return fake.out()
  }
  expect(await look({})).toContain('\u001B[33mREF_NOT_FOUND')
  expect(await look({ NO_COLOR: '1' })).not.toContain('\u001B')
})

test.each([40, 60, 80])('tail fits a terminal of %i columns', async (columns) => {
  const fake = fakeIo({ env: { ...home.env, NO_COLOR: '1' }, cwd: home.project, columns })
  await runCli(auditCommand(fake.io), fake.io, ['tail', '--no-follow'])
  const lines = fake.out().split('\n').filter(Boolean)
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) {
    expect(line.length).toBeLessThanOrEqual(columns)
    expect(line).toMatch(/^\d\d:\d\d:\d\d {2}\S/)
  }
})

test('tail describes events, which have no decision', async () => {
  const runtime = await composeRuntime({ env: home.env, cwd: home.project })
  const client = { name: 'test', version: '1', door: 'cli' } as const
  const session = runtime.sessions.begin(client)
  const { signal } = new AbortController()
  await runtime.handle(
    runtime.newCall({ method: 'list', tool: 'tools', session, client, signal, claims: {} }),
  )
  runtime.audit.event('hook-refused', { hook: 'protect', tool: 'Read' })
  runtime.audit.event('config-set', { key: 'client.mode' })
  await runtime.close()
  const lines = (await home.run(auditCommand, 'tail', '-n', '3')).out().trim().split('\n')
  expect(lines.map((line) => line.split(/ +/).slice(2).join(' '))).toEqual([
    expect.stringMatching(/^contextd\.tools (?:allow|done) \d+ ms$/),
    'hook-refused Read',
    'config-set client.mode',
  ])
})

test('tail --follow prints new records until stopped, with a single listener', async () => {
  const listen = vi.spyOn(EventTarget.prototype, 'addEventListener')
  const { io } = fakeIo({ env: home.env })
  let heard = (_line: string): void => {}
  const stdout = { write: (line: string) => heard(line) }
  const following = runCli(auditCommand({ ...io, stdout }), { ...io, stdout }, ['tail', '-n', '1', '-f'])
  const records = openRecords(home.env)
  try {
    let listeners = 0
    for (const name of ['first', 'second', 'third']) {
      const printed = new Promise<void>((resolve) => {
        heard = (line) => line.trimEnd().endsWith(` ${name}`) && resolve()
      })
      records.event(name, {})
      await printed
      const count = listen.mock.calls.filter(([event]) => event === 'abort').length
      if (name === 'first') listeners = count
      expect(count).toBe(listeners)
    }
    process.emit('SIGINT')
    await following
  } finally {
    listen.mockRestore()
    records.close()
  }
})

test('verify reports which record was edited', async () => {
  expect(await json('verify')).toMatchObject({ ok: true, first_bad: null })
  expect((await home.run(auditCommand, 'verify')).out()).toMatch(/^\d+ records, none changed/)
  const store = openStore(`${home.path}/state/contextd.db`)
  for (const { name } of store.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all()) {
    store.prepare(`DROP TRIGGER ${String(name)}`).run()
  }
  store.prepare("UPDATE audit SET tool = 'other' WHERE seq = 2").run()
  store.close()
  const { out, err, code } = await home.run(auditCommand, 'verify', '--json')
  expect(JSON.parse(out())).toMatchObject({ ok: false, first_bad: 2 })
  expect([code(), err()]).toEqual([23, expect.stringContaining('AUDIT_TAMPERED')])
})

test('export prints one record with its seal per line', async () => {
  const lines = (await home.run(auditCommand, 'export')).out().trim().split('\n')
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ seq: expect.any(Number), hash: expect.any(String) })
  expect(lines.length).toBeGreaterThanOrEqual(4)
})

test('export prints exact bytes into a pipe and escapes control characters on a terminal', async () => {
  const runtime = await composeRuntime({ env: home.env, cwd: home.project })
  const client = { name: 'test', version: '1', door: 'cli' } as const
  const { signal } = new AbortController()
  const sly = `one\u202Etwo\u009B31m\u200B${String.fromCodePoint(0xe0041)}`
  const session = runtime.sessions.begin(client)
  await runtime.handle(
    runtime.newCall({
      method: 'tool',
      tool: 'read_more',
      session,
      client,
      signal,
      claims: {},
      arguments: { ref: sly },
    }),
  )
  await runtime.close()
  const piped = (await home.run(auditCommand, 'export')).out()
  expect(piped).toContain(sly)
  const shown = fakeIo({ env: home.env, cwd: home.project, columns: 80 })
  await runCli(auditCommand(shown.io), shown.io, ['export'])
  expect(shown.out()).toContain(String.raw`one\u202etwo\u009b31m\u200b\udb40\udc41`)
  expect(shown.out()).not.toMatch(/[\p{Cf}\u0080-\u009F]/u)
  const recordsIn = (text: string): unknown[] =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
  expect(recordsIn(shown.out())).toEqual(recordsIn(piped))
})

test.each([
  ['--since', 'yesterday-ish'],
  ['--limit', '0'],
  ['--limit', 'many'],
  ['--error', 'OOPS'],
])('%s %s is refused', async (flag, value) => {
  const { code, err } = await home.run(auditCommand, 'query', flag, value)
  expect([code(), err()]).toEqual([2, expect.stringContaining('It must be')])
})

test.each([
  ['--kind', 'calls', 'Allowed choices are call, event.'],
  ['--decision', 'denied', 'Allowed choices are allow, deny.'],
  ['--error', 'DENIED_BY_POLICE', 'Did you mean DENIED_BY_POLICY?'],
])('%s %s is refused with what it may be', async (flag, value, help) => {
  const { code, err, out } = await home.run(auditCommand, 'query', flag, value)
  expect([code(), out(), err()]).toEqual([2, '', expect.stringContaining(help)])
})

test('verify counts a single record correctly', async () => {
  const other = makeTempHome()
  try {
    const records = openRecords(other.env)
    records.event('only', {})
    records.close()
    const { out } = await other.run(auditCommand, 'verify')
    expect(out()).toBe('1 record, none changed, removed, added or moved.\n')
  } finally {
    other.remove()
  }
})

test('show --raw reveals the contents of the vault only to the user at the terminal', async () => {
  home.write('config/config.toml', '[audit]\nvault = true\n')
  const runtime = await composeRuntime({ env: home.env, cwd: home.project })
  const client = { name: 'test', version: '1', door: 'cli' } as const
  const session = runtime.sessions.begin(client)
  const request = { method: 'tool', tool: 'read_more', session, client, claims: {} } as const
  const call = runtime.newCall({
    ...request,
    signal: new AbortController().signal,
    arguments: { ref: 'ref_x' },
  })
  await runtime.handle(call)
  await runtime.close()

  const show = async (answer: string | undefined): Promise<FakeIo> => {
    const fake = fakeIo({ env: home.env, cwd: home.project, answer })
    await runCli(auditCommand(fake.io), fake.io, ['show', call.id, '--raw'])
    return fake
  }
  expect([(await show(undefined)).out(), (await show('n')).out()]).toEqual(['', ''])
  expect((await show('y')).out()).toContain('REF_NOT_FOUND')
  expect((await json('query', '--kind', 'event')).entries[0]).toMatchObject({ event: 'vault-read' })
})
