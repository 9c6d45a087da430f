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

test('delivers events in order, including those added during reading', async () => {
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

test('delivers an error after the events before it', async () => {
  const queue = createBoundedQueue<number>(() => {})
  queue.push(1)
  queue.end('broken')
  queue.end()
  expect(await read(queue)).toEqual({ events: [1], error: 'broken' })
})

test('a slow reader gets an error, and the producer is stopped', async () => {
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

test('has room until many events wait, and again after they are read', async () => {
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
