import { expect, test } from 'vitest'

import type { Client } from '../../core/call.ts'
import { createCallerSessions, type CallerSessions } from './caller-sessions.ts'
import { localCaller, tokenCaller } from './callers.ts'

const client: Client = { name: 'test', version: '1', door: 'grpc' }
const person = localCaller(client)
const agent = tokenCaller(client, { id: 't', agent: 'main' })
const halfHour = 30 * 60_000

function book(): { sessions: CallerSessions; ended: string[]; clock: { now: number } } {
  const ended: string[] = []
  const clock = { now: 0 }
  let count = 0
  const runtime = {
    sessions: { begin: () => `s${++count}`, join: () => '', end: (id: string) => void ended.push(id) },
    log: () => {},
  }
  return { sessions: createCallerSessions(runtime, () => clock.now), ended, clock }
}

test('a session continues while used and ends after half an hour', async () => {
  const { sessions, ended, clock } = book()
  expect(sessions.of(person)).toBe('s1')
  clock.now += halfHour - 1
  await sessions.sweep()
  expect(sessions.of(person)).toBe('s1')
  clock.now += halfHour
  await sessions.sweep()
  expect(ended).toEqual(['s1'])
  expect(sessions.of(person)).toBe('s2')
  await sessions.close()
  expect(ended).toEqual(['s1', 's2'])
})

test('a longer call keeps it open', async () => {
  const { sessions, ended, clock } = book()
  const release = sessions.hold(sessions.of(person))
  clock.now += 2 * halfHour
  await sessions.sweep()
  expect(ended).toEqual([])
  release()
  clock.now += halfHour
  await sessions.sweep()
  expect(ended).toEqual(['s1'])
})

test('callers do not share sessions, nor do agents with the same credentials', () => {
  const { sessions } = book()
  const callers = [person, agent, localCaller(client, { agent: 'main' }), localCaller(client, { agent: 'b' })]
  const used = callers.map((caller) => sessions.of(caller))
  expect(new Set(used).size).toBe(4)
  expect(callers.map((caller) => sessions.of(caller))).toEqual(used)
})

test('a started session is known to its owner only, for any of its agents', async () => {
  const { sessions, ended } = book()
  const session = sessions.start(person.claims, client)
  expect(sessions.of({ ...person, session })).toBe(session)
  expect(sessions.of(localCaller(client, { agent: 'main', session }))).toBe(session)
  expect(() => sessions.of({ ...agent, session })).toThrow('unknown or has ended')
  expect(await sessions.end(agent.claims, session)).toBe(false)
  expect(sessions.list('token t')).toEqual([])
  expect(sessions.list()).toHaveLength(1)
  expect(await sessions.end(person.claims, session)).toBe(true)
  expect(ended).toEqual([session])
})

test('a caller with many names has a limited number of rolling sessions, and keeps started ones', () => {
  const { sessions, ended, clock } = book()
  const started = sessions.start(person.claims, client)
  for (let n = 0; n < 200; n++) {
    clock.now += 1
    sessions.of(localCaller(client, { agent: `a${n}` }))
  }
  expect(sessions.list()).toHaveLength(65)
  expect(ended).not.toContain(started)
  const last = sessions.of(localCaller(client, { agent: 'a199' }))
  expect(ended).not.toContain(last)
  expect(sessions.of(localCaller(client, { agent: 'a0' }))).not.toBe('s2')
})

test('a token is one caller, whatever name it declares', () => {
  const { sessions } = book()
  const named = tokenCaller(client, { id: 't', agent: 'main' }, { agent: 'someone' })
  expect(sessions.of(named)).toBe(sessions.of(agent))
})

test('starting too many sessions ends the oldest', () => {
  const { sessions, ended, clock } = book()
  for (let n = 0; n < 66; n++) {
    clock.now += 1
    sessions.start(person.claims, client)
  }
  expect(ended).toEqual(['s1', 's2'])
})
