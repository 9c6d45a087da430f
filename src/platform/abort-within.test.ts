import { setTimeout as sleep } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { abortWithin } from './abort-within.ts'

test('aborts after the timeout', async () => {
  const signal = abortWithin(1, new AbortController().signal)
  expect(signal.aborted).toBe(false)
  while (!signal.aborted) await sleep(1)
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
})

test('aborts with the first signal, for the same reason', () => {
  const [one, other] = [new AbortController(), new AbortController()]
  const signal = abortWithin(60_000, one.signal, other.signal)
  other.abort('enough')
  one.abort('too late')
  expect(signal.reason).toBe('enough')
  expect(abortWithin(60_000, AbortSignal.abort('before')).reason).toBe('before')
})
