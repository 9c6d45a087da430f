/** The broker as it is put together for real: what it hands out stands in no file of contextd, and in no log. */

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { dataOf, errorIn } from '../../../test/support/tool-runtime.ts'
import { composeRuntime, openRecords, type Runtime } from '../../compose.ts'
import type { Claims } from '../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Answer, Result } from '../../core/result.ts'
import { loadOrCreateKey } from '../../platform/secrets/keys.ts'
import { hashOfKey, recordOfHash } from './key-hash.ts'

const key = 'ctx_Zq4xW8vT1nB6mK3jH9gF5dS2aP7oU0yR'
const wrongKey = 'ctx_Aa1bB2cC3dD4eE5fF6gG7hH8iI9jJ0kK'
const marker = 'heronmarsh'
/** Longer than one answer, and every line of it recognisable. */
const text = Array.from({ length: 1600 }, (_, index) => `- ${marker}-${index} lives in the marsh\n`).join('')

let home: TempHome
let runtime: Runtime
let session: string
let logged: string
const client = { name: 'claude-code', version: '1', door: 'stdio' } as const

beforeEach(async () => {
  home = makeTempHome()
  logged = ''
  // Above the folder that is searched, so that only copies are found.
  const elsewhere = join(home.path, 'elsewhere')
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, 'catalogue.md'), text)
  mkdirSync(join(home.path, 'config'), { mode: 0o700 })
  writeFileSync(join(home.path, 'config/config.toml'), '[audit]\nvault = true\n')
  writeFileSync(
    join(home.path, 'config/context-map.toml'),
    `base = "${elsewhere}"\n[keys]\n${key} = { path = "catalogue.md", agents = ["contextd:scanner"] }\n`,
    { mode: 0o600 },
  )
  runtime = await composeRuntime({
    env: home.env,
    cwd: home.project,
    log: (...line) => {
      logged += JSON.stringify(line)
    },
  })
  session = runtime.sessions.begin(client)
})
afterEach(() => home.remove())

const send = (tool: string, args: JsonObject, claims: Claims): Promise<Result> =>
  runtime.handle(
    runtime.newCall({
      method: 'tool',
      tool,
      arguments: args,
      session,
      client,
      claims,
      signal: new AbortController().signal,
    }),
  )
const scanner: Claims = { attested: { agent: 'contextd:scanner', instance: 'a1' } }
const main: Claims = { attested: { agent: 'main' } }

/** Every byte of the files that contextd keeps. */
function kept(): string {
  const folder = join(home.path, 'state')
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

test('the agent gets all of it; files, records and log get nothing', async () => {
  const first = await send('load_context', { key }, scanner)
  let whole = dataOf(first) as string
  let last = first
  for (;;) {
    const { refs } = (last as Answer).structured as { refs?: { ref: string; next: number }[] }
    const [rest] = refs ?? []
    if (rest === undefined) break
    last = await send('read_more', { ref: rest.ref, offset: rest.next }, scanner)
    whole += dataOf(last) as string
  }
  expect(whole).toBe(text)
  expect(dataOf(await send('load_context', {}, scanner))).toMatch(marker)

  expect(errorIn(await send('load_context', { key }, main)).code).toBe('CONTEXT_REFUSED')
  expect(errorIn(await send('load_context', {}, main)).code).toBe('CONTEXT_NOT_ASSIGNED')
  expect(errorIn(await send('load_context', { key }, {})).code).toBe('CONTEXT_REFUSED')
  expect(errorIn(await send('load_context', { key: wrongKey }, main)).code).toBe('CONTEXT_KEY_UNKNOWN')
  expect(errorIn(await send('load_context', { kee: key }, main)).code).toBe('INVALID_ARGUMENTS')
  expect(errorIn(await send('load_context', { key: [key] }, main)).code).toBe('INVALID_ARGUMENTS')
  // The probe would notice: other arguments are kept as they came.
  await send('read_more', { ref: 'ref_probe-would-notice' }, main)
  await runtime.close()

  const bytes = kept()
  expect(bytes).toContain('ref_probe-would-notice')
  for (const secret of [key, wrongKey, marker]) {
    expect(bytes.includes(secret), secret).toBe(false)
    expect(logged.includes(secret), secret).toBe(false)
  }
})

test('who asked for what is on record, by the hash that `ctxd context list` shows', async () => {
  await send('load_context', { key }, scanner)
  await send('load_context', { key }, main)
  await send('load_context', {}, scanner)
  await runtime.close()
  const records = openRecords(home.env)
  const calls = records.audit.query({}).filter(({ tool }) => tool === 'load_context')
  records.close()
  const hash = recordOfHash(hashOfKey(key, loadOrCreateKey(join(home.path, 'state/keys/context.key'))))
  const loaded = expect.arrayContaining([`loaded the context ${hash}`])
  expect(calls.toReversed()).toMatchObject([
    { arguments: { context: hash }, decision: 'allow', notes: loaded },
    { arguments: { context: hash }, decision: 'deny', error: 'CONTEXT_REFUSED' },
    { arguments: {}, decision: 'allow', notes: loaded },
  ])
  for (const { output } of calls) expect(output ?? '').not.toContain(marker)
})

test('names of one agent’s context do not reach another', async () => {
  await send('load_context', {}, scanner)
  const secret = `${marker}-7 lives in the marsh`
  const write = await send('safe_write', { path: 'fixture.txt', content: `see ${secret}\n` }, main)
  expect(write).not.toMatchObject({ isError: true })
  const written = readFileSync(join(home.project, 'fixture.txt'), 'utf8')
  expect([written.includes(marker), written]).toEqual([false, 'see [PRIVATE]\n'])
  // The probe would notice: its owner may write it.
  await send('safe_write', { path: 'own.txt', content: `see ${secret}\n` }, scanner)
  expect(readFileSync(join(home.project, 'own.txt'), 'utf8')).toBe(`see ${secret}\n`)
  await runtime.close()
})
