import { expect, test } from 'vitest'

import { createHttpSessions } from './http-sessions.ts'

const minute = 60_000

function setUp(maxPerToken = 3) {
  let now = 0
  const ended: string[] = []
  const closed: string[] = []
  const busy = new Set<string>()
  const locked = new Set<string>()
  const failures: string[] = []
  const sessions = createHttpSessions({
    clock: () => now,
    idleMs: 30 * minute,
    maxPerToken,
    busy: (id) => busy.has(id),
    onEnd: (id) => {
      if (locked.has(id)) throw new Error('the store is locked')
      ended.push(id)
    },
    onFailure: (error) => failures.push(String(error)),
  })
  const open = (token: string, id: string): void => sessions.open(token, id, () => void closed.push(id))
  const pass = (ms: number): void => void (now += ms)
  return { sessions, ended, closed, busy, locked, failures, open, pass }
}

test('a session belongs to the token that opened it', () => {
  const { sessions, open } = setUp()
  open('a', 's1')
  expect(sessions.owns('a', 's1')).toBe(true)
  expect(sessions.owns('b', 's1')).toBe(false)
  expect(sessions.owns('a', 'unknown')).toBe(false)
})

test("an open listener keeps its token's rolling session, even if that starts later", async () => {
  const { sessions, pass, ended } = setUp()
  const release = sessions.holdRolling('a')
  expect(sessions.rolling('a', () => 'r1')).toBe('r1')
  pass(60 * minute)
  await sessions.sweep()
  expect(sessions.rolling('a', () => 'r2')).toBe('r1')
  pass(20 * minute)
  release()
  pass(20 * minute)
  await sessions.sweep()
  expect(ended).toEqual([])
  pass(20 * minute)
  await sessions.sweep()
  expect(ended).toEqual(['r1'])
})

test('an idle session ends, once', async () => {
  const { sessions, open, pass, ended, closed } = setUp()
  open('a', 'old')
  pass(20 * minute)
  open('a', 'young')
  pass(10 * minute)
  await sessions.sweep()
  await sessions.sweep()
  expect({ ended, closed }).toEqual({ ended: ['old'], closed: ['old'] })
  expect(sessions.owns('a', 'old')).toBe(false)
  expect(sessions.owns('a', 'young')).toBe(true)
})

test('use, an open stream and a running call keep it open', async () => {
  const { sessions, open, pass, busy, ended } = setUp()
  for (const id of ['used', 'streaming', 'running']) open('a', id)
  const release = sessions.hold('streaming')
  busy.add('running')
  pass(29 * minute)
  sessions.owns('a', 'used')
  pass(minute)
  await sessions.sweep()
  expect(ended).toEqual([])
  release()
  busy.clear()
  pass(30 * minute)
  await sessions.sweep()
  expect(ended.sort()).toEqual(['running', 'streaming', 'used'])
})

test('too many sessions of one token end its least recently used one only', () => {
  const { sessions, open, pass, ended } = setUp(2)
  open('b', 'other')
  for (const id of ['one', 'two', 'three']) {
    pass(1)
    open('a', id)
  }
  expect(ended).toEqual(['one'])
  const release = sessions.hold('two')
  pass(1)
  open('a', 'four')
  expect(ended).toEqual(['one', 'three'])
  release()
  expect(sessions.size()).toBe(3)
})

test('a token has one rolling session until it is idle', async () => {
  const { sessions, pass, ended } = setUp()
  let made = 0
  const begin = (): string => `rolling-${(made += 1)}`
  expect(sessions.rolling('a', begin)).toBe('rolling-1')
  pass(29 * minute)
  expect(sessions.rolling('a', begin)).toBe('rolling-1')
  expect(sessions.rolling('b', begin)).toBe('rolling-2')
  expect(sessions.owns('a', 'rolling-2')).toBe(false)
  pass(30 * minute)
  await sessions.sweep()
  expect(ended.sort()).toEqual(['rolling-1', 'rolling-2'])
  expect(sessions.rolling('a', begin)).toBe('rolling-3')
})

test('closing ends all sessions', async () => {
  const { sessions, open, ended, closed } = setUp()
  open('a', 's1')
  open('b', 's2')
  await sessions.close()
  expect({ ended, closed, size: sessions.size() }).toEqual({
    ended: ['s1', 's2'],
    closed: ['s1', 's2'],
    size: 0,
  })
})

test('a session whose end cannot be recorded stays open, and ends at the next sweep', async () => {
  const { sessions, open, pass, locked, failures, ended, closed } = setUp()
  open('a', 'stuck')
  open('a', 'other')
  locked.add('stuck')
  pass(30 * minute)
  await sessions.sweep()
  expect({ ended, closed, failures }).toEqual({
    ended: ['other'],
    closed: ['other'],
    failures: ['Error: the store is locked'],
  })
  await expect(sessions.end('stuck')).rejects.toThrow('locked')
  expect(sessions.size()).toBe(1)
  locked.clear()
  await sessions.sweep()
  expect({ ended, closed, size: sessions.size() }).toEqual({
    ended: ['other', 'stuck'],
    closed: ['other', 'stuck'],
    size: 0,
  })
})

test('reports a session that cannot be ended, and opens the new one anyway', async () => {
  const { sessions, open, locked, failures } = setUp(1)
  open('a', 'old')
  locked.add('old')
  open('a', 'new')
  await Promise.resolve()
  expect(failures).toHaveLength(1)
  expect([sessions.owns('a', 'old'), sessions.owns('a', 'new')]).toEqual([true, true])
})

test('closing continues after one that cannot be ended', async () => {
  const { sessions, open, locked, ended, failures } = setUp()
  open('a', 's1')
  open('b', 's2')
  locked.add('s1')
  await sessions.close()
  expect({ ended, failures: failures.length }).toEqual({ ended: ['s2'], failures: 1 })
})
