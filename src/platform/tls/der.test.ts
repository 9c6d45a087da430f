import { expect, test } from 'vitest'

import { bits, der, integer, oid, time } from './der.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

test.each([
  [0, '0400'],
  [127, '047f'],
  [128, '048180'],
  [255, '0481ff'],
  [256, '04820100'],
  [65_535, '0482ffff'],
  [65_536, '0483010000'],
])('a length of %i', (size, head) => {
  expect(hex(der(0x04, Buffer.alloc(size)).subarray(0, head.length / 2))).toBe(head)
})

test.each([
  ['00', '020100'],
  ['0000', '020100'],
  ['7f', '02017f'],
  ['80', '02020080'],
  ['007f', '02017f'],
  ['00ff01', '020300ff01'],
])('the number %s is positive and minimal', (bytes, written) => {
  expect(hex(integer(Buffer.from(bytes, 'hex')))).toBe(written)
})

test.each([
  ['2.5.29.17', '0603551d11'],
  ['1.2.840.10045.4.3.2', '06082a8648ce3d040302'],
  ['1.3.6.1.5.5.7.3.1', '06082b06010505070301'],
])('the object identifier %s', (dotted, written) => {
  expect(hex(oid(dotted))).toBe(written)
})

test('years from 2050 on have four digits', () => {
  expect(time(Date.UTC(2049, 11, 31, 23, 59, 59)).toString('latin1')).toBe('\u0017\r491231235959Z')
  expect(time(Date.UTC(2050, 0, 1)).toString('latin1')).toBe('\u0018\u000F20500101000000Z')
})

test('bit strings specify the unused bits of the last byte', () => {
  expect(hex(bits(Buffer.of(0b0000_0110), 1))).toBe('03020106')
})
