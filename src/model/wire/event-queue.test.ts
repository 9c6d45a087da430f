import { expect, test } from 'vitest'

import { createEventQueue } from './event-queue.ts'

const eventOf = (text: string) => ({ raw: Buffer.from(text), data: text })
const taken = (bytes: readonly Buffer[]): string => Buffer.concat(bytes).toString()

test('returns events in order, with replacements, each once', () => {
  const queue = createEventQueue()
  const [one, two, three] = ['1', '2', '3'].map(eventOf)
  for (const event of [one!, two!, three!]) queue.add(event)
  queue.replace(three!, [Buffer.from('c'), Buffer.from('C')])
  queue.replace(one!, [])
  expect(taken(queue.take())).toBe('2cC')
  expect(queue.take()).toEqual([])
  queue.add(eventOf('4'))
  expect(taken(queue.take())).toBe('4')
})
