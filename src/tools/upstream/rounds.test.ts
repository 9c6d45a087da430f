import { setTimeout as sleep } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { createRounds } from './rounds.ts'

function rounds(max = 10, timeoutMs = 60_000) {
  const givenUp: string[] = []
  return { givenUp, ...createRounds<string>({ max, timeoutMs, onAbandon: (one) => givenUp.push(one) }) }
}

const call = aCall({ session: 's', principal: { agent: 'a', level: 'attested' }, server: 'x', tool: 't' })

test('a waiting request is returned once, for the same caller and tool', () => {
  const { put, take } = rounds()
  const name = put(call, 'kept')
  expect(take(aCall({ ...call, session: 'other' }), name)).toBeUndefined()
  expect(take(aCall({ ...call, principal: { agent: 'b', level: 'attested' } }), name)).toBeUndefined()
  expect(take(aCall({ ...call, tool: 'other' }), name)).toBeUndefined()
  expect(take(call, 'a name that was never given')).toBeUndefined()
  expect(take(call, name)).toBe('kept')
  expect(take(call, name)).toBeUndefined()
})

test('abandons the oldest if too many are waiting', () => {
  const { put, take, givenUp } = rounds(2)
  const names = ['one', 'two', 'three'].map((value) => put(call, value))
  expect(givenUp).toEqual(['one'])
  expect(names.map((name) => take(call, name))).toEqual([undefined, 'two', 'three'])
})

test('abandons requests after a timeout', async () => {
  const { put, givenUp } = rounds(10, 5)
  put(call, 'forgotten')
  while (givenUp.length === 0) await sleep(1)
  expect(givenUp).toEqual(['forgotten'])
})
