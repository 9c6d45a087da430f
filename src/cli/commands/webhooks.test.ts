import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { webServers } from '../../../test/support/web-servers.ts'
import { openRecords, type Records } from '../../compose.ts'
import { resolvePaths } from '../../platform/files/paths.ts'
import { openWebhooks, type Webhooks } from '../../servers/webhooks/open-webhooks.ts'
import { runCli } from '@contextd/shared/cli/output'
import { webhooksCommand } from './webhooks.ts'

const servers = webServers()
let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

interface Setting {
  readonly answer?: string
  readonly env?: NodeJS.ProcessEnv
}

async function run(argv: string[], { answer, env }: Setting = {}): Promise<FakeIo> {
  const fake = fakeIo({ env: { ...home.env, ...env }, cwd: home.project, answer })
  await runCli(webhooksCommand(fake.io), fake.io, argv)
  return fake
}

function inStore<T>(look: (webhooks: Webhooks, records: Records) => T): T {
  const records = openRecords(home.env)
  try {
    return look(
      openWebhooks(records.store, { keysDir: resolvePaths(home.env).keys, maxPerWebhook: 100 }),
      records,
    )
  } finally {
    records.close()
  }
}

const events = (): unknown[] =>
  inStore((_, { audit }) =>
    audit
      .query({ kind: 'event' })
      .map(({ event, details }) => Object.assign({ event }, details))
      .toReversed(),
  )
const list = async (): Promise<Record<string, unknown>[]> =>
  (JSON.parse((await run(['list', '--json'])).out()) as { webhooks: Record<string, unknown>[] }).webhooks

const address = 'https://hooks.example.com/T000/path-that-is-a-key'

async function add(...more: string[]): Promise<string> {
  const { out } = await run(['add', address, '--json', ...more], { answer: 'y' })
  return (JSON.parse(out()) as { id: string }).id
}

describe('add', () => {
  test('asks, shows the secret once, and never again', async () => {
    const { asked, out, code } = await run(['add', address, '--events', 'refusal,server-down'], {
      answer: 'y',
    })
    expect(asked()).toBe(
      `  ${address}\n  refusal\n  server-down\nSend events to this URL, without contents? [y/N] `,
    )
    expect(out()).toMatch(
      /^[0-9a-f]{12} receives events from now on, while the daemon runs\.\nIts requests .+:\nwhsec_[\w-]{43}\n$/,
    )
    expect(code()).toBe(0)
    const [webhook] = await list()
    expect(webhook).toEqual({
      id: out().slice(0, 12),
      address: 'https://hooks.example.com/…',
      events: ['refusal', 'server-down'],
      state: 'on',
      waiting: 0,
      dead: 0,
      created_at: expect.stringMatching(/Z$/),
    })
    expect(events()).toEqual([
      {
        event: 'webhook-added',
        webhook: webhook?.id,
        origin: 'https://hooks.example.com',
        events: ['refusal', 'server-down'],
      },
    ])
    const shown = (await run(['list'])).out() + JSON.stringify(await list())
    expect(shown).not.toMatch(/whsec|path-that-is-a-key/)
    expect((await run(['list'])).out()).toMatch(/^ID +STATE +WAITING +DEAD +ADDRESS +EVENTS\n/)
  })

  test('subscribes to all events unless some are named', async () => {
    await add()
    expect((await list())[0]?.events).toHaveLength(5)
    expect((await run(['list'])).out()).toMatch(/ all\n$/)
  })

  test.each<[string, string[], number, Setting]>([
    ['the user refuses', ['add', address], 22, { answer: 'n' }],
    ['there is no terminal', ['add', address], 22, {}],
    ['an agent runs it', ['add', address], 22, { answer: 'y', env: { CLAUDECODE: '1' } }],
    [
      'the address is not on this machine and without TLS',
      ['add', 'http://hooks.example.com/'],
      2,
      { answer: 'y' },
    ],
    ['the address is a metadata service', ['add', 'https://169.254.169.254/'], 2, { answer: 'y' }],
    ['there is no such event', ['add', address, '--events', 'refusals'], 2, { answer: 'y' }],
    ['no event is named', ['add', address, '--events', ','], 2, { answer: 'y' }],
  ])('adds nothing: %s', async (_, argv, exit, setting) => {
    const { code, out, err } = await run(argv, setting)
    expect([code(), out(), await list(), events()]).toEqual([exit, '', [], []])
    expect(err()).not.toContain('path-that-is-a-key')
  })

  test('suggests the closest event', async () => {
    const { err } = await run(['add', address, '--events', 'refusals'], { answer: 'y' })
    expect(err()).toContain('Did you mean refusal?')
  })
})

describe('remove', () => {
  test('asks, and leaves nothing', async () => {
    const id = await add()
    inStore(({ queue }) => queue.put(id, { event: 'refusal', at: 0, fields: {} }))
    const { asked, out } = await run(['remove', id], { answer: 'y' })
    expect(asked()).toContain('1 event not delivered yet')
    expect(out()).toBe(`${id} is removed.\n`)
    expect(await list()).toEqual([])
    expect(inStore(({ queue }) => queue.counts())).toEqual({ waiting: 0, dead: 0 })
    expect(events()).toMatchObject([{ event: 'webhook-added' }, { event: 'webhook-removed', webhook: id }])
  })

  test('is for the user only, and requires an existing webhook', async () => {
    const id = await add()
    expect((await run(['remove', id])).code()).toBe(22)
    expect((await run(['remove', 'nothing'], { answer: 'y' })).code()).toBe(12)
    expect(await list()).toHaveLength(1)
  })
})

describe('test', () => {
  const addLocal = async (status: number, seen: unknown[] = []): Promise<string> => {
    const port = await servers.serve((request, response) => {
      seen.push(request.headers['contextd-event'])
      request.resume()
      response.writeHead(status).end()
    })
    return inStore(({ book }) => book.add(`http://127.0.0.1:${port}/`, ['refusal']).webhook.id)
  }

  test('sends immediately, and prints the response', async () => {
    const seen: unknown[] = []
    const id = await addLocal(204, seen)
    expect((await run(['test', id])).out()).toBe('Response status: 204.\n')
    expect(JSON.parse((await run(['test', id, '--json'])).out())).toMatchObject({ webhook: id, status: 204 })
    expect(seen).toEqual(['test', 'test'])
  })

  test('fails if the receiver does not accept it', async () => {
    const { code, err } = await run(['test', await addLocal(500)])
    expect([code(), err()]).toEqual([
      11,
      expect.stringContaining('The event was not accepted: it answered 500'),
    ])
  })

  test('is refused for agents', async () => {
    const seen: unknown[] = []
    const id = await addLocal(204, seen)
    expect((await run(['test', id], { env: { AI_AGENT: 'x' } })).code()).toBe(22)
    expect(seen).toEqual([])
  })
})

describe('dead', () => {
  const bury = (webhook: string): string =>
    inStore(({ queue }) => {
      queue.put(webhook, { event: 'refusal', at: 0, fields: {} })
      const { id } = queue.due(webhook)!
      queue.bury(id, 'it answered 500')
      return id
    })

  test('shows failed events with the reason', async () => {
    expect((await run(['dead'])).out()).toBe('No failed deliveries.\n')
    const webhook = await add()
    const id = bury(webhook)
    expect((await run(['dead'])).out()).toMatch(
      new RegExp(`${id} +${webhook} +refusal +2.+ 1 +it answered 500\n$`),
    )
    expect(JSON.parse((await run(['dead', '--json'])).out())).toEqual({
      total: 1,
      deliveries: [
        {
          id,
          webhook,
          event: 'refusal',
          attempts: 1,
          problem: 'it answered 500',
          created_at: expect.stringMatching(/Z$/),
          given_up_at: expect.stringMatching(/Z$/),
        },
      ],
    })
    expect(await list()).toMatchObject([{ waiting: 0, dead: 1 }])
  })

  test('retries one event, or all', async () => {
    const webhook = await add()
    const [one] = [bury(webhook), bury(webhook), bury(webhook)]
    expect((await run(['dead', '--retry', one])).out()).toBe(
      'To be retried while the daemon runs: 1 event.\n',
    )
    expect(JSON.parse((await run(['dead', '--retry', 'all', '--json'])).out())).toEqual({ retried: 2 })
    expect(await list()).toMatchObject([{ waiting: 3, dead: 0 }])
    expect(events().slice(1)).toEqual([
      { event: 'webhook-retried', count: 1 },
      { event: 'webhook-retried', count: 2 },
    ])
    expect((await run(['dead', '--retry', 'nothing'])).code()).toBe(12)
    expect((await run(['dead', '--retry', 'all'], { env: { CLAUDECODE: '1' } })).code()).toBe(22)
  })

  test('does not retry events of a disabled webhook', async () => {
    const webhook = await add()
    bury(webhook)
    inStore(({ book }) => book.disable(webhook, 'it answered 410: gone'))
    const { out, err } = await run(['dead', '--retry', 'all'])
    expect([out(), err()]).toEqual([
      'To be retried while the daemon runs: 0 events.\n',
      'note: not retried, because the webhook is disabled: 1 event\n',
    ])
    expect((await run(['list'])).err()).toContain('it answered 410: gone')
    expect(await list()).toMatchObject([{ state: 'off', why: 'it answered 410: gone', dead: 1 }])
  })
})
