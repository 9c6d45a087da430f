import { afterEach, beforeEach, expect, test } from 'vitest'

import { fakeIo } from '@contextd/shared/testing/cli-io'
import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { openRecords } from '../../compose.ts'
import { runCli } from '@contextd/shared/cli/output'
import { modelCommand } from './model.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

const json = async (...argv: string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await home.run(modelCommand, ...argv, '--json')).out()) as Record<string, unknown>
const events = (): unknown[] => {
  const records = openRecords(home.env)
  try {
    return records.store
      .rows('audit', { tenant: 'local' })
      .all({ kind: 'event' })
      .map(({ event, details }) => [event, JSON.parse(String(details))])
  } finally {
    records.close()
  }
}

test('prints the address, the providers, and that there are no keys yet', async () => {
  home.write('config/config.toml', '[model.providers.local]\nurl = "http://127.0.0.1:8080"\napi = "openai"\n')
  expect(await json()).toEqual({
    address: 'http://127.0.0.1:7391/model/',
    running: false,
    providers: [
      { name: 'anthropic', url: 'https://api.anthropic.com', api: 'anthropic' },
      { name: 'openai', url: 'https://api.openai.com', api: 'openai' },
      { name: 'gemini', url: 'https://generativelanguage.googleapis.com', api: 'gemini' },
      { name: 'local', url: 'http://127.0.0.1:8080', api: 'openai' },
    ],
    keys: [],
  })
  const shown = (await home.run(modelCommand)).out()
  expect(shown).toContain('http://127.0.0.1:7391/model/<key>/<provider> (the daemon is not running)')
  expect(shown).toContain('No keys.')
})

test('prints the same base URL for a client until its key is revoked', async () => {
  const url = async (...argv: string[]): Promise<string> =>
    (await home.run(modelCommand, 'url', ...argv)).out()
  const first = await url('codex', '--provider', 'openai')
  expect(first).toMatch(/^http:\/\/127\.0\.0\.1:7391\/model\/ctxm_[\w-]{55}\/openai\n$/)
  expect(await url('codex', '--provider', 'openai')).toBe(first)
  expect(await url('codex')).toBe(first.replace('/openai', '/anthropic'))
  expect(await url('other')).not.toContain(first.split('/')[4])
  const { keys } = (await json()) as { keys: { id: string; client: string }[] }
  expect(keys.map(({ client }) => client)).toEqual(['codex', 'other'])
  const listed = (await home.run(modelCommand)).out()
  expect(listed).toContain('codex')
  expect(listed).not.toContain('ctxm_')

  const { id } = keys[0]!
  expect(await json('revoke', id)).toEqual({ id, revoked: true })
  expect((await home.run(modelCommand, 'revoke', id)).err()).toContain('NOT_FOUND')
  expect(await url('codex', '--provider', 'openai')).not.toBe(first)
  expect(events()).toMatchObject([
    ['model-key-created', { id, client: 'codex' }],
    ['model-key-created', { client: 'other' }],
    ['model-key-revoked', { id }],
    ['model-key-created', { client: 'codex' }],
  ])
})

test('refuses unknown providers, and an unreachable door', async () => {
  expect((await home.run(modelCommand, 'url', 'codex', '--provider', 'evil')).err()).toContain(
    'MODEL_PROVIDER_UNKNOWN',
  )
  home.write('config/config.toml', '[http]\nport = 0\n')
  expect((await home.run(modelCommand, 'url', 'codex')).err()).toContain('http.port is 0')
  expect(await json()).toMatchObject({ keys: [], problem: expect.stringContaining('http.port') })
})

test('agents can neither create nor revoke keys; anyone can view the status', async () => {
  const inAgent = async (...argv: string[]): Promise<string> => {
    const { io, err, out } = fakeIo({ env: { ...home.env, CLAUDECODE: '1' }, cwd: home.project })
    await runCli(modelCommand(io), io, [...argv, '--json'])
    return err() || out()
  }
  expect(await inAgent('url', 'codex')).toContain('OPERATOR_REQUIRED')
  expect(await inAgent('revoke', 'x')).toContain('OPERATOR_REQUIRED')
  expect(await inAgent()).toContain('"keys": []')
})
