import { expect, test } from 'vitest'

import { parseBytes, formatSize, formatTime, millisecondsOf, sizePattern, timePattern } from './quantities.ts'

test.each([
  ['10s', 10_000],
  ['500ms', 500],
  ['1.5 s', 1500],
  ['2m', 120_000],
  [10, 10_000],
  [0.25, 250],
])('%j is %d milliseconds', (text, ms) => {
  if (typeof text === 'string') expect(text).toMatch(timePattern)
  expect(millisecondsOf(text)).toBe(ms)
})

test.each([
  ['64MB', 67_108_864],
  ['1 KB', 1024],
  ['1.5GB', 1_610_612_736],
  ['7B', 7],
  [4096, 4096],
])('%j is %d bytes', (text, bytes) => {
  if (typeof text === 'string') expect(text).toMatch(sizePattern)
  expect(parseBytes(text)).toBe(bytes)
})

test.each(['', 's', '10', '-1s', '10h', '1e9s', '0s', '0.0s', '10s ', '9'.repeat(20) + 's'])(
  '%j is no time',
  (text) => {
    expect(text).not.toMatch(timePattern)
  },
)

test.each(['', '64', '64mb', '-1MB', '0MB', '1TB', '1MB1'])('%j is no size', (text) => {
  expect(text).not.toMatch(sizePattern)
})

test('are said as people say them', () => {
  expect([10_000, 1500, 250].map(formatTime)).toEqual(['10 s', '1.5 s', '250 ms'])
  expect([67_108_864, 1_610_612_736, 1024, 12].map(formatSize)).toEqual(['64 MB', '1.5 GB', '1 KB', '12 B'])
})
