import { expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { createDeliveryQueue } from './delivery-queue.ts'

function open(maxPerWebhook = 10) {
  const store = temporaryStore()
  const clock = { now: 1000 }
  let ids = 0
  const options = {
    store,
    tenant: 'local',
    clock: () => clock.now,
    newId: () => `d${(ids += 1)}`,
    maxPerWebhook,
  }
  const queue = createDeliveryQueue(options)
  const put = (webhook = 'w', event = 'refusal'): void =>
    queue.put(webhook, { event, at: 0, fields: { agent: 'main' } })
  return { queue, put, clock, store, reopen: () => createDeliveryQueue(options) }
}

test('what is put in is due at once, with a body that stays the same', () => {
  const { queue, put, reopen } = open()
  put()
  const first = queue.due('w')
  expect(first).toEqual({
    id: 'd1',
    webhook: 'w',
    event: 'refusal',
    body: '{"id":"d1","event":"refusal","at":"1970-01-01T00:00:00.000Z","agent":"main"}',
    attempts: 0,
    createdAt: 1000,
  })
  expect(reopen().due('w')).toEqual(first)
  expect(queue.due('other')).toBeUndefined()
})

test('what was taken is gone', () => {
  const { queue, put } = open()
  put()
  queue.delivered('d1')
  expect([queue.due('w'), queue.counts()]).toEqual([undefined, { waiting: 0, dead: 0 }])
})

test('what failed comes again at its time, and others before it', () => {
  const { queue, put, clock } = open()
  put()
  put()
  queue.postpone('d1', 'it answered 500', 5000)
  expect(queue.due('w')?.id).toBe('d2')
  queue.delivered('d2')
  expect(queue.due('w')).toBeUndefined()
  clock.now = 5000
  expect(queue.due('w')).toMatchObject({ id: 'd1', attempts: 1, problem: 'it answered 500' })
})

test('a clock that was far ahead holds up nothing once it is right', () => {
  const { queue, put, clock } = open()
  const day = 86_400_000
  put()
  queue.postpone('d1', 'it answered 503', clock.now + day)
  expect(queue.due('w')).toBeUndefined()
  clock.now += 400 * day
  put()
  queue.postpone('d2', 'it answered 500', clock.now + 5000)
  clock.now = 1000
  expect(queue.due('w')?.id).toBe('d2')
  queue.delivered('d2')
  expect(queue.due('w')).toBeUndefined()
})

test('what is given up is dead with its reason until somebody wants it tried again', () => {
  const { queue, put } = open()
  put()
  queue.bury('d1', 'it answered 500')
  expect(queue.due('w')).toBeUndefined()
  expect(queue.dead()).toMatchObject([{ id: 'd1', attempts: 1, problem: 'it answered 500', endedAt: 1000 }])
  expect([queue.revive('nothing'), queue.revive('d1'), queue.revive('d1')]).toEqual([false, true, false])
  expect(queue.due('w')).toMatchObject({ id: 'd1', attempts: 0 })
})

test('a full queue gives up its oldest, of that address only', () => {
  const { queue, put } = open(2)
  put()
  put()
  put('other')
  expect(queue.trim('w')).toBe(0)
  put()
  expect([queue.trim('w'), queue.trim('other')]).toEqual([1, 0])
  expect(queue.dead()).toMatchObject([{ id: 'd1', problem: 'the queue was full' }])
  expect(queue.counts('w')).toEqual({ waiting: 2, dead: 1 })
  expect(queue.counts('other')).toEqual({ waiting: 1, dead: 0 })
})

test('of the dead no more are kept than may wait', () => {
  const { queue, put, clock } = open(2)
  for (let n = 0; n < 10; n += 1) {
    clock.now += 1
    put()
    queue.trim('w')
  }
  expect(queue.dead().map(({ id }) => id)).toEqual(['d8', 'd7'])
  expect(queue.dead(1)).toHaveLength(1)
  expect(queue.counts()).toEqual({ waiting: 2, dead: 2 })
})

test('everything that waits for an address can be given up at once', () => {
  const { queue, put } = open()
  put()
  put()
  put('other')
  expect(queue.buryAll('w', 'gone')).toBe(2)
  expect(queue.counts()).toEqual({ waiting: 1, dead: 2 })
})
