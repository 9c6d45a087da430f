import { expect, test } from 'vitest'

import { createCallerLimits } from './grpc-limits.ts'

function limitsAt(perMinute: number, atOnce: number) {
  let now = 0
  const limits = createCallerLimits({ perMinute, atOnce, clock: () => now })
  return { enter: limits.enter, wait: (ms: number) => (now += ms) }
}

test('limits calls per minute for each caller, with a refill over time', () => {
  const { enter, wait } = limitsAt(60, 10)
  for (let call = 0; call < 60; call++) enter('one')()
  expect(() => enter('one')).toThrow('60 calls a minute')
  enter('another')()
  wait(999)
  expect(() => enter('one')).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ retry_after_ms: 1 }) }),
  )
  wait(1)
  enter('one')()
  expect(() => enter('one')).toThrow('60 calls a minute')
})

test('a clock that goes back neither adds nor removes allowance', () => {
  const { enter, wait } = limitsAt(2, 10)
  enter('one')()
  wait(-60_000)
  enter('one')()
  expect(() => enter('one')).toThrow('2 calls a minute')
})

test('limits concurrent calls; one that ends makes room, once', () => {
  const { enter } = limitsAt(1000, 2)
  const leave = enter('one')
  enter('one')
  expect(() => enter('one')).toThrow('2 calls at once')
  enter('another')
  leave()
  leave()
  enter('one')
  expect(() => enter('one')).toThrow('2 calls at once')
})

test('removes idle callers, and keeps the count of others', () => {
  const { enter, wait } = limitsAt(1, 5)
  enter('busy')
  for (let caller = 0; caller < 2000; caller++) {
    enter(`caller ${caller}`)()
    wait(60_000)
  }
  enter('busy')
  for (let more = 0; more < 3; more++) {
    wait(60_000)
    enter('busy')
  }
  wait(60_000)
  expect(() => enter('busy')).toThrow('5 calls at once')
})
