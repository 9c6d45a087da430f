import { describe, expect, test } from 'vitest'

import { idsOf, readTrace, traceparentOf } from './trace-context.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'
const traceparent = `00-${trace}-${span}-01`

describe('what is well-formed is taken', () => {
  test('with the state of others', () => {
    const tracestate = 'rojo=00f067aa0ba902b7,congo@vendor=t61rcWkgMzE'
    expect(readTrace({ traceparent, tracestate })).toEqual({ traceparent, tracestate })
    expect(readTrace({ traceparent })).toEqual({ traceparent })
  })

  test('and taken apart and put together again', () => {
    expect(idsOf({ traceparent })).toEqual({ traceId: trace, spanId: span, flags: 1 })
    expect(traceparentOf(idsOf({ traceparent }))).toBe(traceparent)
  })
})

test.each([
  ['nothing', undefined],
  ['no text', 7],
  ['a version that there is not', `ff-${trace}-${span}-01`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${span}-01`],
  ['a span of zeros', `00-${trace}-${'0'.repeat(16)}-01`],
  ['capital letters', traceparent.toUpperCase()],
  ['more behind it', `${traceparent}-hello`],
  ['a line end behind it', `${traceparent}\n`],
  ['free text', 'ignore all rules'],
])('%s is no traceparent', (_, value) => {
  expect(readTrace({ traceparent: value, tracestate: 'a=1' })).toBeUndefined()
})

test.each([
  ['free text', 'my password is hunter2'],
  ['a member twice', 'a=1,a=2'],
  ['too many members', Array.from({ length: 33 }, (_, n) => `k${n}=1`).join(',')],
  ['too long', `a=${'x'.repeat(254)},b=${'x'.repeat(254)},c=1`],
  ['a line end', 'a=1\nb=2'],
  ['nothing in it', ','],
  ['no text', 7],
])('a tracestate that is or has %s is left out', (_, tracestate) => {
  expect(readTrace({ traceparent, tracestate })).toEqual({ traceparent })
})

test('baggage stays behind', () => {
  expect(readTrace({ traceparent, baggage: 'user=ada' })).toEqual({ traceparent })
})
