import { expect, test } from 'vitest'

import { createBoundedQueue } from './grpc-events.ts'

async function read<T>(queue: AsyncIterable<T>): Promise<{ events: T[]; error?: unknown }> {
  const events: T[] = []
  try {
    for await (const event of queue) events.push(event)
    return { events }
  } catch (error) {
    return { events, error }
  }
}

test('events come in order, also those told while somebody reads', async () => {
  const queue = createBoundedQueue<number>(() => {})
  queue.push(1)
  const reading = read(queue)
  queue.push(2)
  await Promise.resolve()
  queue.push(3)
  setImmediate(() => {
    queue.push(4)
    queue.end()
    queue.push(5)
  })
  expect(await reading).toEqual({ events: [1, 2, 3, 4] })
})

test('an error comes after what was told before it', async () => {
  const queue = createBoundedQueue<number>(() => {})
  queue.push(1)
  queue.end('broken')
  queue.end()
  expect(await read(queue)).toEqual({ events: [1], error: 'broken' })
})

test('who reads too slowly is told so, and whoever tells is stopped', async () => {
  let stopped = 0
  const queue = createBoundedQueue<number>(() => (stopped += 1))
  for (let event = 0; event < 10_000; event++) queue.push(event)
  expect(stopped).toBe(0)
  for (let event = 0; event < 10; event++) queue.push(event)
  expect(stopped).toBe(1)
  const { events, error } = await read(queue)
  expect(events).toHaveLength(10_000)
  expect(error).toMatchObject({ code: 'CALLER_LIMITED' })
})

test('there is room until much is waiting, and again once it was taken', async () => {
  const queue = createBoundedQueue<number>(() => {})
  queue.push(0)
  expect(queue.room()).toBeUndefined()
  for (let event = 1; event < 1000; event++) queue.push(event)
  const room = queue.room()
  const reader = queue[Symbol.asyncIterator]()
  expect(await reader.next()).toMatchObject({ value: 0 })
  await room
  expect(queue.room()).toBeUndefined()
  for (let event = 0; event < 1000; event++) queue.push(event)
  const endless = queue.room()
  queue.end()
  await endless
})
