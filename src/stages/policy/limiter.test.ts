import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createLimiter } from './limiter.ts'

function limiterAt(start = 1_000_000) {
  const time = { now: start }
  return { time, limiter: createLimiter(() => time.now) }
}

describe('calls per minute', () => {
  it('slides: a slot is free again one minute after the call that used it', () => {
    const { time, limiter } = limiterAt()
    const limits = { calls_per_minute: 2 }
    expect(limiter.enter([{ caller: 'a', limits }]).ok).toBe(true)
    time.now += 20_000
    expect(limiter.enter([{ caller: 'a', limits }]).ok).toBe(true)
    time.now += 10_000
    expect(limiter.enter([{ caller: 'a', limits }])).toEqual({
      ok: false,
      gate: { caller: 'a', limits },
      by: 'calls_per_minute',
      limit: 2,
      retryAfterMs: 30_000,
    })
    time.now += 29_999
    expect(limiter.enter([{ caller: 'a', limits }]).ok).toBe(false)
    time.now += 1
    expect(limiter.enter([{ caller: 'a', limits }]).ok).toBe(true)
    expect(limiter.enter([{ caller: 'a', limits }]).ok).toBe(false)
  })

  it('is counted per caller', () => {
    const { limiter } = limiterAt()
    expect(limiter.enter([{ caller: 'a', limits: { calls_per_minute: 1 } }]).ok).toBe(true)
    expect(limiter.enter([{ caller: 'a', limits: { calls_per_minute: 1 } }]).ok).toBe(false)
    expect(limiter.enter([{ caller: 'b', limits: { calls_per_minute: 1 } }]).ok).toBe(true)
  })

  it('survives a clock that is set back', () => {
    const { time, limiter } = limiterAt()
    expect(limiter.enter([{ caller: 'a', limits: { calls_per_minute: 1 } }]).ok).toBe(true)
    time.now -= 3_600_000
    expect(limiter.enter([{ caller: 'a', limits: { calls_per_minute: 1 } }]).ok).toBe(true)
    expect(limiter.enter([{ caller: 'a', limits: { calls_per_minute: 1 } }]).ok).toBe(false)
  })

  it('never admits more than the limit in any minute', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 40 }),
        (limit, pauses) => {
          const { time, limiter } = limiterAt()
          const entered: number[] = []
          for (const pause of pauses) {
            time.now += pause
            if (limiter.enter([{ caller: 'a', limits: { calls_per_minute: limit } }]).ok)
              entered.push(time.now)
            const lastMinute = entered.filter((at) => time.now - at < 60_000)
            expect(lastMinute.length).toBeLessThanOrEqual(limit)
          }
        },
      ),
    )
  })
})

describe('concurrency', () => {
  it('counts active calls; leaving twice frees one slot', () => {
    const { limiter } = limiterAt()
    const limits = { concurrency: 2 }
    const first = limiter.enter([{ caller: 'a', limits }])
    expect(limiter.enter([{ caller: 'a', limits }]).ok).toBe(true)
    expect(limiter.enter([{ caller: 'a', limits }])).toMatchObject({ ok: false, by: 'concurrency', limit: 2 })
    if (!first.ok) expect.fail()
    first.leave()
    first.leave()
    expect(limiter.enter([{ caller: 'a', limits }]).ok).toBe(true)
    expect(limiter.enter([{ caller: 'a', limits }]).ok).toBe(false)
  })

  it('does not count a rejected call towards the minute', () => {
    const { limiter } = limiterAt()
    const limits = { concurrency: 1, calls_per_minute: 2 }
    const first = limiter.enter([{ caller: 'a', limits }])
    expect(limiter.enter([{ caller: 'a', limits }])).toMatchObject({ by: 'concurrency' })
    if (first.ok) first.leave()
    expect(limiter.enter([{ caller: 'a', limits }]).ok).toBe(true)
  })
})

it('admits everyone without limits', () => {
  const { limiter } = limiterAt()
  for (let call = 0; call < 100; call++)
    expect(limiter.enter([{ caller: 'a', limits: { timeout_ms: 1 } }]).ok).toBe(true)
})

it('drops idle callers, and only those', () => {
  const { time, limiter } = limiterAt()
  expect(limiter.enter([{ caller: 'inside', limits: { concurrency: 1 } }]).ok).toBe(true)
  for (let caller = 0; caller < 1500; caller++) {
    const admission = limiter.enter([{ caller: `caller-${caller}`, limits: { concurrency: 1 } }])
    if (admission.ok) admission.leave()
  }
  time.now += 60_000
  expect(limiter.enter([{ caller: 'new', limits: { concurrency: 1 } }]).ok).toBe(true)
  expect(limiter.enter([{ caller: 'inside', limits: { concurrency: 1 } }]).ok).toBe(false)
})
