import { expect, test } from 'vitest'

import type { UpstreamServer } from './server.ts'
import { createFailureBook, type HealthChange } from './failure-book.ts'

const serverOf = (name: string, fingerprint = '1'): UpstreamServer =>
  ({ name, fingerprint }) as UpstreamServer
const server = serverOf('postgres')

function open() {
  const changes: HealthChange[] = []
  return {
    changes,
    book: createFailureBook(
      () => 0,
      (change) => void changes.push(change),
    ),
  }
}

const down = { server: 'postgres', state: 'down', why: 'it ended', since: '1970-01-01T00:00:00.000Z' }

test('reports a server as down once, on its second failed start', () => {
  const { changes, book } = open()
  book.startFailed(server, { why: 'it ended' })
  expect(changes).toEqual([])
  book.startFailed(server, { why: 'it ended' })
  book.startFailed(server, { why: 'it ended' })
  expect(changes).toEqual([down])
})

test('reports a connection that is lost twice', () => {
  const { changes, book } = open()
  book.connectionLost('key', server, 's', { why: 'it ended' })
  book.connectionLost('key', server, 's', { why: 'it ended' })
  expect(changes).toEqual([down])
})

test('reports missing configuration immediately', () => {
  const { changes, book } = open()
  book.notConfigured(server, 'the secret db-password is not set')
  expect(changes).toMatchObject([{ state: 'down', why: 'the secret db-password is not set' }])
})

test('reports once that a server is up again, and nothing for one that was never down', () => {
  const { changes, book } = open()
  book.answered(server)
  book.notConfigured(server, 'x')
  book.answered(server)
  book.answered(server)
  expect(changes.map(({ state }) => state)).toEqual(['down', 'up'])
  book.notConfigured(server, 'x')
  expect(changes.map(({ state }) => state)).toEqual(['down', 'up', 'down'])
})

test('a new version of an entry starts without failures', () => {
  const { changes, book } = open()
  book.notConfigured(server, 'x')
  book.retain((_, fingerprint) => fingerprint === '2')
  book.answered(serverOf('postgres', '2'))
  book.notConfigured(serverOf('postgres', '2'), 'y')
  expect(changes.map(({ state, why }) => [state, why])).toEqual([
    ['down', 'x'],
    ['down', 'y'],
  ])
})

test('records the failure even if the report throws', () => {
  const book = createFailureBook(
    () => 0,
    () => {
      throw new Error('the disk is full')
    },
  )
  book.notConfigured(server, 'x')
  expect(book.findForServer('postgres', () => true)).toMatchObject({ why: 'x' })
})
