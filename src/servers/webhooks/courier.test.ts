import { randomBytes } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { temporaryAudit } from '../../../test/support/audit.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { FetchProblem } from '../../tools/http/fetch-problem.ts'
import { createCourier, type Courier } from './courier.ts'
import { createDeliveryQueue } from './delivery-queue.ts'
import type { Post, Posted } from './post.ts'
import { createWebhookBook } from './webhook-book.ts'

const refused = {
  kind: 'outcome',
  tenant: 'local',
  project: '/p',
  session: 's',
  agent: 'main',
  user: 'ada',
  decision: 'deny',
  error: 'DENIED_BY_POLICY',
} as const

interface Sent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
}

type Answer = (sent: Sent) => Posted | Promise<Posted>

function open({
  maxPerWebhook = 100,
  maxAttempts = 3,
}: { maxPerWebhook?: number; maxAttempts?: number } = {}) {
  const audit = temporaryAudit()
  const { store, keysDir } = audit.files
  const clock = (): number => audit.clock.now
  const sent: Sent[] = []
  const events: JsonObject[] = []
  const complaints: string[] = []
  const world: { answer: Answer } = { answer: () => ({ status: 200 }) }
  const post: Post = async (url, { headers, body }, signal) => {
    const one = { url, headers, body: JSON.parse(body) as JsonObject }
    sent.push(one)
    const cut = new Promise<never>((_, reject) =>
      signal?.addEventListener('abort', () =>
        reject(new FetchProblem('cancelled', 'the request was cancelled')),
      ),
    )
    return Promise.race([world.answer(one), cut])
  }
  const parts = { store, tenant: 'local', clock }
  const book = createWebhookBook({ ...parts, keysDir, randomBytes })
  let ids = 0
  const queue = createDeliveryQueue({ ...parts, newId: () => `d${(ids += 1)}`, maxPerWebhook })
  const newCourier = (): Courier =>
    createCourier({
      ...parts,
      book,
      queue,
      post,
      maxAttempts,
      random: () => 1,
      log: (_, message) => complaints.push(message),
      onEvent: (name, details) => void events.push({ name, ...details }),
    })
  const courier = newCourier()
  const refuse = (): void => void audit.log.append({ ...refused, time: clock() })
  const tell = async (by: Courier = courier): Promise<void> => {
    await by.look()
    await by.idle()
  }
  return { audit, book, queue, courier, newCourier, sent, events, complaints, world, refuse, tell }
}

test('delivers an event once, to its subscribers', async () => {
  const { book, sent, refuse, tell, queue } = open()
  refuse()
  const { id } = book.add('https://a.example/hook', ['refusal']).webhook
  book.add('https://b.example/', ['server-down'])
  refuse()
  await tell()
  await tell()
  expect(sent).toEqual([
    {
      url: 'https://a.example/hook',
      headers: expect.objectContaining({
        'contextd-event': 'refusal',
        'contextd-delivery': 'd1',
        'contextd-timestamp': '1000',
        'contextd-signature': expect.stringMatching(/^v1=[0-9a-f]{64}$/),
      }),
      body: expect.objectContaining({ id: 'd1', event: 'refusal', agent: 'main', error: 'DENIED_BY_POLICY' }),
    },
  ])
  expect(queue.counts(id)).toEqual({ waiting: 0, dead: 0 })
})

test('retries a failed attempt with the same id and a new time, until it is accepted', async () => {
  const { book, sent, refuse, tell, world, audit } = open()
  book.add('https://a.example/', ['refusal'])
  refuse()
  world.answer = () => ({ status: 500 })
  await tell()
  await tell()
  expect(sent).toHaveLength(1)
  audit.clock.now += 5000
  world.answer = () => ({ status: 204 })
  await tell()
  expect(sent.map(({ headers }) => [headers['contextd-delivery'], headers['contextd-timestamp']])).toEqual([
    ['d1', '1000'],
    ['d1', '1005'],
  ])
  expect(sent[1]!.body).toEqual(sent[0]!.body)
  audit.clock.now += 10_000_000
  await tell()
  expect(sent).toHaveLength(2)
})

test('after the last attempt an event is dead and recorded; a retry has all its attempts again', async () => {
  const { book, queue, sent, refuse, tell, world, audit, events, complaints } = open({ maxAttempts: 2 })
  const { id } = book.add('https://a.example/', ['refusal']).webhook
  refuse()
  world.answer = () => {
    throw new FetchProblem('unreachable', 'nothing accepts connections there')
  }
  await tell()
  audit.clock.now += 10_000_000
  await tell()
  await tell()
  const problem = 'nothing accepts connections there'
  expect(queue.dead()).toMatchObject([{ id: 'd1', attempts: 2, problem }])
  expect(events).toEqual([
    {
      name: 'webhook-given-up',
      webhook: id,
      delivery: 'd1',
      event: 'refusal',
      attempts: 2,
      count: 1,
      problem,
    },
  ])
  expect(complaints).toEqual(['events for a webhook were dropped'])
  world.answer = () => ({ status: 200 })
  queue.revive('d1')
  await tell()
  expect([sent.length, queue.counts()]).toEqual([3, { waiting: 0, dead: 0 }])
})

test('410 disables a webhook and drops its events; others continue', async () => {
  const { book, queue, sent, refuse, tell, world, events } = open()
  const gone = book.add('https://gone.example/', ['refusal']).webhook.id
  book.add('https://here.example/', ['refusal'])
  refuse()
  refuse()
  world.answer = ({ url }) => ({ status: url.includes('gone') ? 410 : 200 })
  await tell()
  refuse()
  await tell()
  expect(sent.filter(({ url }) => url.includes('gone'))).toHaveLength(1)
  expect(sent.filter(({ url }) => url.includes('here'))).toHaveLength(3)
  expect(book.find(gone)?.disabled?.why).toBe('it answered 410: gone')
  expect(queue.counts(gone)).toEqual({ waiting: 0, dead: 2 })
  expect(new Set(queue.dead().map(({ attempts }) => attempts))).toEqual(new Set([0, 1]))
  expect(events).toEqual([
    { name: 'webhook-disabled', webhook: gone, problem: 'it answered 410: gone', count: 2 },
  ])
})

describe('Retry-After', () => {
  test.each([
    [503, 3600],
    [429, 3600],
    [500, 5],
  ])('of a %i is respected for %i s', async (status, seconds) => {
    const { book, sent, refuse, tell, world, audit } = open()
    book.add('https://a.example/', ['refusal'])
    refuse()
    world.answer = () => ({ status, retryAfter: '3600' })
    await tell()
    audit.clock.now += seconds * 1000 - 1
    await tell()
    expect(sent).toHaveLength(1)
    audit.clock.now += 1
    await tell()
    expect(sent).toHaveLength(2)
  })
})

test('a redirect is a failure with an explanation', async () => {
  const { book, queue, refuse, tell, world } = open({ maxAttempts: 1 })
  book.add('https://a.example/', ['refusal'])
  refuse()
  world.answer = () => ({ status: 302 })
  await tell()
  expect(queue.dead()).toMatchObject([{ problem: 'it answered 302; redirects are not followed' }])
})

test('a webhook that does not respond delays no other', async () => {
  const { book, sent, refuse, courier, world } = open()
  book.add('https://slow.example/', ['refusal'])
  book.add('https://fast.example/', ['refusal'])
  refuse()
  refuse()
  let fast: () => void = () => {}
  let slow: () => void = () => {}
  const twice = new Promise<void>((resolve) => (fast = resolve))
  const asked = new Promise<void>((resolve) => (slow = resolve))
  let taken = 0
  world.answer = ({ url }) => {
    if (url.includes('slow')) {
      slow()
      return new Promise<Posted>(() => {})
    }
    if ((taken += 1) === 2) fast()
    return { status: 200 }
  }
  await courier.look()
  await Promise.all([twice, asked])
  await courier.look()
  expect(sent.filter(({ url }) => url.includes('slow'))).toHaveLength(1)
  await courier.close()
})

test('a delivery interrupted by shutdown is repeated after the next start, without counting as an attempt', async () => {
  const { book, queue, sent, refuse, courier, newCourier, tell, world } = open({ maxAttempts: 1 })
  book.add('https://a.example/', ['refusal'])
  refuse()
  const arrived = new Promise<void>((resolve) => {
    world.answer = () => {
      resolve()
      return new Promise<Posted>(() => {})
    }
  })
  await courier.look()
  await arrived
  await courier.close()
  expect(queue.counts()).toEqual({ waiting: 1, dead: 0 })
  world.answer = () => ({ status: 200 })
  await tell(newCourier())
  expect(sent.map(({ body }) => body.id)).toEqual(['d1', 'd1'])
  expect(queue.counts()).toEqual({ waiting: 0, dead: 0 })
})

test('delivers later what another process recorded in the meantime', async () => {
  const { book, sent, audit, tell } = open()
  book.add('https://a.example/', ['refusal'])
  audit.reopen().append({ ...refused, time: 5 })
  await tell()
  expect(sent).toMatchObject([{ body: { at: '1970-01-01T00:00:00.005Z' } }])
})

test('drops the oldest events if there are too many, and reports that once per batch', async () => {
  const { book, queue, sent, refuse, tell, events, world } = open({ maxPerWebhook: 10 })
  const { id } = book.add('https://a.example/', ['refusal']).webhook
  for (let n = 0; n < 25; n += 1) refuse()
  world.answer = () => ({ status: 200 })
  await tell()
  expect(events).toEqual([
    { name: 'webhook-given-up', webhook: id, count: 15, problem: 'the queue was full' },
  ])
  expect(sent.map(({ body }) => body.record)).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24, 25])
  expect(queue.counts()).toEqual({ waiting: 0, dead: 10 })
})

test('continues after a batch', async () => {
  const { book, sent, refuse, tell, audit } = open({ maxPerWebhook: 10_000 })
  book.add('https://a.example/', ['refusal'])
  for (let n = 0; n < 1200; n += 1) audit.log.event('daemon-started')
  refuse()
  await tell()
  expect(sent).toHaveLength(1)
})

test('skips gaps in the sequence numbers of records', async () => {
  const { book, sent, refuse, tell, audit } = open()
  book.add('https://a.example/', ['refusal'])
  refuse()
  audit.intruder.prepare('UPDATE audit SET seq = 9007199254740000').run()
  await tell()
  expect(sent).toHaveLength(1)
})

test('sends nothing to a webhook whose secret cannot be decrypted', async () => {
  const { book, queue, sent, refuse, tell, audit } = open({ maxAttempts: 1 })
  book.add('https://a.example/', ['refusal'])
  audit.intruder.prepare('UPDATE webhooks SET secret = zeroblob(60)').run()
  refuse()
  await tell()
  expect(sent).toEqual([])
  expect(queue.dead()).toMatchObject([{ problem: 'its secret cannot be opened' }])
})

test('does not send again and again if results cannot be stored', async () => {
  const { book, sent, refuse, tell, audit, complaints } = open()
  book.add('https://a.example/', ['refusal'])
  refuse()
  audit.intruder.exec(
    "CREATE TRIGGER full BEFORE DELETE ON webhook_deliveries BEGIN SELECT raise(ABORT, 'the disk is full'); END",
  )
  await tell()
  await tell()
  expect(sent).toHaveLength(1)
  expect(complaints).toEqual(['the result of a webhook delivery could not be stored'])
  audit.intruder.exec('DROP TRIGGER full')
  audit.clock.now += 60_000
  await tell()
  await tell()
  expect(sent).toHaveLength(2)
})
