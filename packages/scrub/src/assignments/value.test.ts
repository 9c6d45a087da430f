import { expect, test } from 'vitest'

import { isPlaceholder, isPublicValue, isSecretValue } from './value.ts'

test.each([
  'aaaaaaaa',
  'abababab',
  'aaaaaaab',
  '----',
  '0123456789',
  '12345678901234567890',
  'deadbeefdeadbeef',
])('%s is a placeholder', (value) => {
  expect(isPlaceholder(value)).toBe(true)
})

test.each(['a', 'aaaaaaab1', '123456789x', 'tr0ub4dor&3'])('%s is not a placeholder', (value) => {
  expect(isPlaceholder(value)).toBe(false)
})

// Each of these once caused catastrophic backtracking.
test.each([
  ['one repeated character', `${'a'.repeat(16_000)}b1`],
  ['repeated digits', `${'1234567890'.repeat(1_600)}x`],
  ['numbers with dots', `1${'.1'.repeat(8_000)}!x9Qz`],
  ['letters and underscores', `${'a_'.repeat(8_000)}!9`],
])('judges a long value in reasonable time: %s', (_, value) => {
  expect(isPlaceholder(value)).toBe(false)
  expect(isPublicValue(value)).toBe(false)
  expect(isSecretValue(value, { name: 'password', style: 'quoted', environment: false })).toBe(true)
})

test.each(['1.20.3', 'v2.0.1-rc1+build.7', '1.2.20240101123456', '10.0.0.1'])('%s is a version', (value) => {
  expect(isPublicValue(value)).toBe(true)
})

test.each(['1.2rc1', '1', '1.2-abcdefghijklmnop'])('%s is not a version', (value) => {
  expect(isPublicValue(value)).toBe(false)
})
