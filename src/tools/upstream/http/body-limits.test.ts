import { describe, expect, test } from 'vitest'

import { eventLimit, wholeLimit } from './body-limits.ts'

const bytes = (text: string): Buffer => Buffer.from(text)

test('a body is limited across its chunks', () => {
  const count = wholeLimit(10)
  count(bytes('12345'))
  count(bytes('12345'))
  expect(() => count(bytes('1'))).toThrow('it sent a message of more than 10 bytes')
})

describe('an event stream', () => {
  const still = (): number => 0

  test.each([
    ['\n', '\n\n'],
    ['\r\n', '\r\n\r\n'],
    ['\r', '\r\r'],
  ])('limits each event, with lines that end in %j', (line, end) => {
    const count = eventLimit(20, still)
    for (let at = 0; at < 100; at += 1) count(bytes(`data: 12345${end}`))
    count(bytes(`data: 1${line}`))
    expect(() => count(bytes(`data: 2${line}data: 3${line}`))).toThrow(
      'it sent a message of more than 20 bytes',
    )
  })

  test('does not depend on chunk boundaries', () => {
    const count = eventLimit(20, still)
    for (const byte of `data: 12345\r\n\r\n`.repeat(50)) count(bytes(byte))
    expect(() => count(bytes('a'.repeat(21)))).toThrow()
  })

  test('allows a burst of events', () => {
    let now = 0
    const count = eventLimit(100, () => now)
    count(bytes('\n\n'.repeat(10_000)))
    // A pause refills the allowance.
    now += 20_000
    count(bytes('\n\n'.repeat(9000)))
    expect(() => count(bytes('\n\n'.repeat(10_000)))).toThrow('it sends more than 2000 events per second')
  })

  test('allows any number of events within the rate', () => {
    let now = 0
    const count = eventLimit(100, () => now)
    for (let second = 0; second < 600; second += 1) {
      count(bytes('data: x\n\n'.repeat(1500)))
      now += 1000
    }
  })
})
