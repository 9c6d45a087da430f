import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { makeTempHome, type TempHome } from '../../../../test/support/temp-home.ts'
import { LOCAL_TENANT } from '../../../core/call.ts'
import { openStore } from '../../../platform/storage/store.ts'
import { readClientTls } from '../../../platform/tls/client-files.ts'
import { runCli } from '@contextd/shared/cli/output'
import { tlsCommand } from './tls.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

async function run(
  argv: readonly string[],
  options: { answer?: string | undefined; env?: object } = {},
): Promise<FakeIo> {
  const fake = fakeIo({
    env: { ...home.env, ...options.env },
    cwd: home.project,
    answer: 'answer' in options ? options.answer : 'y',
  })
  await runCli(tlsCommand(fake.io), fake.io, argv)
  return fake
}

const json = async (...argv: string[]): Promise<Record<string, unknown>> => {
  const { out, err } = await run([...argv, '--json'])
  expect(err()).not.toMatch(/^[A-Z_]+:/)
  return JSON.parse(out()) as Record<string, unknown>
}

interface Listed {
  readonly authority: { readonly fingerprint: string; readonly rotation: string }
  readonly certificates: readonly { serial: string; kind: string; name: string; state: string }[]
}
const list = async (): Promise<Listed> => (await json('list')) as unknown as Listed
const states = async (): Promise<string[]> =>
  (await list()).certificates.map(({ kind, name, state }) => `${kind} ${name} ${state}`)

/** The recorded events. */
function events(): string[] {
  const store = openStore(join(home.path, 'state/contextd.db'))
  try {
    const rows = store
      .rows('audit_entries', { tenant: LOCAL_TENANT })
      .all({ kind: 'event' }, { orderBy: 'seq' })
    return rows.map(({ event }) => String(event)).filter((event) => /certificate|tls/.test(event))
  } finally {
    store.close()
  }
}

test('init creates an authority and a server certificate, once', async () => {
  expect((await run(['list'])).out()).toBe('No certificates yet. `ctxd tls init` creates an authority.\n')
  const made = await run(['init', '--host', 'Build-1.example.org'])
  expect([made.out(), made.code()]).toEqual([
    expect.stringMatching(
      /^Created a certificate authority and a server certificate\.\nServer: build-1\.example\.org, localhost, 127\.0\.0\.1, ::1/,
    ),
    0,
  ])
  expect(made.asked()).toMatch(/Create it, with a certificate for build-1\.example\.org, .*\? \[y\/N\]/)
  const before = await list()
  expect(await states()).toEqual(['server build-1.example.org valid'])
  const again = await run(['init'], { answer: undefined })
  expect([again.out(), again.code()]).toEqual([
    expect.stringMatching(/^The certificates are already set up\.\n/),
    0,
  ])
  expect(await list()).toEqual(before)
  expect(events()).toEqual(['tls-set-up'])
})

test('init adds another name to the server certificate', async () => {
  await run(['init'])
  const { fingerprint } = (await list()).authority
  const more = await json('init', '--host', 'second.example.org')
  expect(more).toMatchObject({
    outcome: 'extended',
    hosts: expect.arrayContaining(['second.example.org', 'localhost']),
  })
  expect(await states()).toEqual(['server localhost replaced', 'server second.example.org valid'])
  expect((await list()).authority.fingerprint).toBe(fingerprint)
  expect(await json('init', '--host', 'second.example.org')).toMatchObject({ outcome: 'there' })
})

test.each(['host:7392', '*.example.org', 'a b'])('%s is not a host', async (host) => {
  const { err, code } = await run(['init', '--host', host])
  expect([err(), code()]).toEqual([expect.stringMatching(/^USAGE: --host must be/), 2])
  expect(existsSync(join(home.path, 'state/tls'))).toBe(false)
})

test('reports a damaged folder instead of replacing it; --force renames it', async () => {
  await run(['init'])
  await run(['issue', '--agent', 'main', '--out', 'tls'])
  const folder = join(home.path, 'state/tls')
  writeFileSync(join(folder, 'server.key'), '')
  const { err, code } = await run(['init'])
  expect([err(), code()]).toEqual([
    expect.stringMatching(/^TLS_FOLDER_DAMAGED: .*server\.key is empty\n.*--force/),
    74,
  ])
  expect(readFileSync(join(folder, 'server.key'), 'utf8')).toBe('')
  const refused = await run(['init', '--force'], { answer: 'n' })
  expect([refused.code(), readFileSync(join(folder, 'server.key'), 'utf8')]).toEqual([22, ''])
  const forced = await run(['init', '--force'])
  expect(forced.asked()).toMatch(/renamed to .*tls\.\d{8}T\d{6}Z\.\n1 certificate of callers become invalid/)
  const aside = readdirSync(join(home.path, 'state')).find((name) => name.startsWith('tls.'))
  expect(readdirSync(join(home.path, 'state', aside!))).toHaveLength(4)
  expect(await states()).toEqual([
    'server localhost replaced',
    'agent main revoked',
    'server localhost valid',
  ])
})

test('issue writes what a caller needs, and prints how to use it', async () => {
  await run(['init', '--host', 'build-1.example.org'])
  const { out, asked } = await run(['issue', '--agent', 'main', '--days', '7', '--out', 'main-tls'])
  const folder = join(home.project, 'main-tls')
  expect(out()).toMatch(
    /^[0-9a-f]{16}: cert\.pem, key\.pem and ca\.pem are in .*main-tls, valid until 2\d{3}-.*Z\.\nCopy the folder to the other machine, and set there: CONTEXTD_ADDR=build-1\.example\.org:7392 CONTEXTD_TLS=.*main-tls\n$/,
  )
  expect(asked()).toContain('Anyone with the key is agent main, from any machine, for 7 days.')
  expect(statSync(join(folder, 'key.pem')).mode & 0o777).toBe(0o600)
  expect(readClientTls(folder).cert).toContain('BEGIN CERTIFICATE')
  const key = readFileSync(join(folder, 'key.pem'), 'utf8').split('\n')[1]!
  expect(readFileSync(join(home.path, 'state/contextd.db')).includes(key)).toBe(false)
  expect(await json('issue', '--operator', 'ada', '--out', 'ada')).toMatchObject({
    kind: 'operator',
    name: 'ada',
    serial: expect.stringMatching(/^[0-9a-f]{16}$/),
    address: 'build-1.example.org:7392',
    folder: join(home.project, 'ada'),
  })
  expect(await states()).toEqual([
    'server build-1.example.org valid',
    'agent main valid',
    'operator ada valid',
  ])
  expect(events()).toEqual(['tls-set-up', 'certificate-issued', 'certificate-issued'])
})

test.each([
  [['issue', '--out', 'o'], 'USAGE: either --agent or --operator', 2],
  [['issue', '--agent', 'main', '--operator', 'ada', '--out', 'o'], 'USAGE: either --agent or --operator', 2],
  [['issue', '--operator', 'a/b', '--out', 'o'], 'USAGE: --operator must consist', 2],
  [
    ['issue', '--agent', 'mian', '--out', 'o'],
    'NOT_FOUND: There is no agent mian in the rules\nDid you mean main?',
    12,
  ],
  [['issue', '--agent', 'main', '--days', '0', '--out', 'o'], 'USAGE', 2],
  [['issue', '--agent', 'main', '--days', '366', '--out', 'o'], 'USAGE', 2],
  [['issue', '--agent', 'main'], 'USAGE', 2],
  [['issue', '--agent', 'main', '--out', 'a-file'], 'USAGE: --out must be a folder', 2],
] as const)('%j is refused', async (argv, words, exit) => {
  await run(['init'])
  writeFileSync(join(home.project, 'a-file'), '')
  const { err, code } = await run(argv)
  expect([err().slice(0, words.length), code()]).toEqual([words, exit])
  expect([existsSync(join(home.project, 'o')), await states()]).toEqual([false, ['server localhost valid']])
})

test('a certificate that could not be written is not valid', async () => {
  await run(['init'])
  mkdirSync(join(home.project, 'out/key.pem'), { recursive: true })
  const { code } = await run(['issue', '--agent', 'main', '--out', 'out'])
  expect(code()).not.toBe(0)
  expect(await states()).toEqual(['server localhost valid', 'agent main revoked'])
})

test('issue requires init first', async () => {
  const { err, code } = await run(['issue', '--agent', 'main', '--out', 'o'])
  expect([err(), code()]).toEqual([
    expect.stringMatching(/^TLS_NOT_SET_UP: .*\nRun `ctxd tls init`\.\n$/),
    78,
  ])
})

test('revoke revokes one certificate, in any notation of its serial', async () => {
  await run(['init'])
  const { serial } = (await json('issue', '--agent', 'main', '--out', 'a')) as { serial: string }
  await json('issue', '--agent', 'main', '--out', 'b')
  const written = serial.toUpperCase().replace(/..(?=.)/g, '$&:')
  expect(await json('revoke', written)).toEqual({ serial, revoked: true })
  expect(await states()).toEqual(['server localhost valid', 'agent main revoked', 'agent main valid'])
  for (const again of [serial, '00']) {
    const { err, code } = await run(['revoke', again])
    expect([err(), code()]).toEqual([expect.stringContaining('no live certificate '), 12])
  }
  const [server] = (await list()).certificates
  expect((await run(['revoke', server!.serial])).err()).toMatch(/^USAGE: .*rotate/)
  expect(events().at(-1)).toBe('certificate-revoked')
})

test('rotate keeps old certificates valid until it is finished', async () => {
  await run(['init'])
  await run(['issue', '--agent', 'main', '--out', 'a'])
  expect((await run(['rotate', '--finish'])).out()).toBe('No rotation in progress.\n')
  const { fingerprint } = (await list()).authority
  expect((await run(['rotate'])).out()).toMatch(/^The new authority is active\./)
  expect((await run(['list'])).err()).toContain('note: a rotation is in progress')
  const open = await list()
  expect([open.authority.rotation, open.authority.fingerprint === fingerprint]).toEqual(['open', false])
  expect((await run(['rotate'], { answer: undefined })).out()).toMatch(/^A rotation is in progress\./)
  await run(['issue', '--agent', 'default', '--out', 'b'])
  expect((await states()).slice(1)).toEqual([
    'agent main valid',
    'server localhost valid',
    'agent default valid',
  ])
  const finished = await run(['rotate', '--finish'])
  expect(finished.asked()).toMatch(
    / {2}[0-9a-f]{16} {2}agent main\nRetire the old authority and 1 certificate it issued\?/,
  )
  expect(finished.out()).toBe('The old authority is retired, with 1 certificate.\n')
  expect((await states()).slice(1)).toEqual([
    'agent main revoked',
    'server localhost valid',
    'agent default valid',
  ])
  expect(await list()).toMatchObject({ authority: { rotation: 'none' } })
  expect(events()).toEqual([
    'tls-set-up',
    'certificate-issued',
    'tls-rotation-started',
    'certificate-issued',
    'tls-rotation-finished',
  ])
})

const changes = [
  [['init', '--force']],
  [['init', '--host', 'more.example.org']],
  [['issue', '--agent', 'main', '--out', 'o']],
  [['revoke', 'SERIAL']],
  [['rotate']],
] as const

test.each(changes)(
  '%j needs the operator: not in the shell of an agent, without a terminal or a yes',
  async (argv) => {
    await run(['init'])
    const { serial } = (await json('issue', '--agent', 'main', '--out', 'a')) as { serial: string }
    const line = argv.map((word) => (word === 'SERIAL' ? serial : word))
    const before = await list()
    for (const options of [{ env: { CLAUDECODE: '1' } }, { answer: undefined }, { answer: 'n' }] as const) {
      const { err, code } = await run(line, options)
      expect([err(), code()]).toEqual([expect.stringMatching(/^(?:OPERATOR|APPROVAL)_REQUIRED/), 22])
    }
    expect(await list()).toEqual(before)
    expect((await run(line)).code()).toBe(0)
    expect(await list()).not.toEqual(before)
  },
)

test('list fits the terminal and reports what expires soon', async () => {
  await run(['init'])
  const { serial } = (await json('issue', '--agent', 'main', '--out', 'a')) as { serial: string }
  const store = openStore(join(home.path, 'state/contextd.db'))
  const now = Date.now()
  const nearlyOver = { not_before: now - 86_000_000, not_after: now + 600_000 }
  store.rows('certificates', { tenant: LOCAL_TENANT }).update(nearlyOver, { serial })
  store.close()
  const { out, err } = await run(['list'])
  expect(out()).toMatch(/^SERIAL +KIND +NAME +STATE +UNTIL\n/)
  expect(out()).toMatch(new RegExp(`${serial} +agent +main +ends soon +2`))
  expect(err()).toBe('note: 1 certificate of callers will expire soon: `ctxd tls issue`\n')
})
