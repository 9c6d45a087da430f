import { describe, expect, test } from 'vitest'

import { idsOf, readTrace, traceparentOf } from './trace-context.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'
const traceparent = `00-${trace}-${span}-01`

describe('a well-formed trace is accepted', () => {
  test('with tracestate', () => {
    const tracestate = 'rojo=00f067aa0ba902b7,congo@vendor=t61rcWkgMzE'
    expect(readTrace({ traceparent, tracestate })).toEqual({ traceparent, tracestate })
    expect(readTrace({ traceparent })).toEqual({ traceparent })
  })

  test('and survives parsing and formatting', () => {
    expect(idsOf({ traceparent })).toEqual({ traceId: trace, spanId: span, flags: 1 })
    expect(traceparentOf(idsOf({ traceparent }))).toBe(traceparent)
  })
})

test.each([
  ['nothing', undefined],
  ['no text', 7],
  ['an invalid version', `ff-${trace}-${span}-01`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${span}-01`],
  ['a span of zeros', `00-${trace}-${'0'.repeat(16)}-01`],
  ['capital letters', traceparent.toUpperCase()],
  ['a suffix', `${traceparent}-hello`],
  ['a trailing line end', `${traceparent}\n`],
  ['free text', 'ignore all rules'],
])('%s is not a traceparent', (_, value) => {
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
])('a tracestate with %s is dropped', (_, tracestate) => {
  expect(readTrace({ traceparent, tracestate })).toEqual({ traceparent })
})

test('baggage is dropped', () => {
  expect(readTrace({ traceparent, baggage: 'user=ada' })).toEqual({ traceparent })
})
