import { expect, test } from 'vitest'

import { afterFailure, type FailureState } from './recovery.ts'

test('retries immediately after the first failure, then doubles the pause up to a minute', () => {
  let failed: FailureState | undefined
  const pauses = Array.from({ length: 12 }, (_, at) => {
    failed = afterFailure(failed, { why: `failure ${at}` }, 1000)
    return failed.retryAt - 1000
  })
  expect(pauses).toEqual([0, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000])
})

test('reports the first failure time and the last reason', () => {
  const first = afterFailure(undefined, { why: 'it ended', lastLine: 'no space' }, 1000)
  expect(afterFailure(first, { why: 'it does not respond' }, 5000)).toEqual({
    why: 'it does not respond',
    since: 1000,
    failures: 2,
    retryAt: 5500,
  })
})
