import { expect, test } from 'vitest'

import type { UpstreamServer } from './server.ts'
import { createFailureBook, type HealthChange } from './failure-book.ts'

const serverOf = (name: string, fingerprint = '1'): UpstreamServer =>
  ({ name, fingerprint }) as UpstreamServer
const server = serverOf('postgres')

function open() {
  const told: HealthChange[] = []
  return {
    told,
    book: createFailureBook(
      () => 0,
      (change) => void told.push(change),
    ),
  }
}

const down = { server: 'postgres', state: 'down', why: 'it ended', since: '1970-01-01T00:00:00.000Z' }

test('one failure may be chance; the second is told, and the third is no news', () => {
  const { told, book } = open()
  book.notStarted(server, { why: 'it ended' })
  expect(told).toEqual([])
  book.notStarted(server, { why: 'it ended' })
  book.notStarted(server, { why: 'it ended' })
  expect(told).toEqual([down])
})

test('a connection that is lost again and again is told too', () => {
  const { told, book } = open()
  book.lost('key', server, 's', { why: 'it ended' })
  book.lost('key', server, 's', { why: 'it ended' })
  expect(told).toEqual([down])
})

test('what only a person can put right is told at once', () => {
  const { told, book } = open()
  book.lacking(server, 'the secret db-password is not set')
  expect(told).toMatchObject([{ state: 'down', why: 'the secret db-password is not set' }])
})

test('it is told once that a server answers again, and nothing of one that was never missed', () => {
  const { told, book } = open()
  book.answered(server)
  book.lacking(server, 'x')
  book.answered(server)
  book.answered(server)
  expect(told.map(({ state }) => state)).toEqual(['down', 'up'])
  book.lacking(server, 'x')
  expect(told.map(({ state }) => state)).toEqual(['down', 'up', 'down'])
})

test('another version of an entry starts anew', () => {
  const { told, book } = open()
  book.lacking(server, 'x')
  book.keepOnly((_, fingerprint) => fingerprint === '2')
  book.answered(serverOf('postgres', '2'))
  book.lacking(serverOf('postgres', '2'), 'y')
  expect(told.map(({ state, why }) => [state, why])).toEqual([
    ['down', 'x'],
    ['down', 'y'],
  ])
})

test('that it cannot be recorded changes nothing', () => {
  const book = createFailureBook(
    () => 0,
    () => {
      throw new Error('the disk is full')
    },
  )
  book.lacking(server, 'x')
  expect(book.ofServer('postgres', () => true)).toMatchObject({ why: 'x' })
})
