import { expect, test } from 'vitest'

import { parseServiceAddress } from './service-address.ts'

test('one port of the loopback addresses', () => {
  expect(parseServiceAddress('127.0.0.1:5432')).toEqual({ host: '127.0.0.1', port: 5432 })
  expect(parseServiceAddress('[::1]:65535')).toEqual({ host: '::1', port: 65_535 })
})

test.each([
  'localhost:5432',
  '0.0.0.0:5432',
  '127.0.0.2:5432',
  '127.1:5432',
  '2130706433:5432',
  '0x7f.0.0.1:5432',
  '::1:5432',
  '[::]:5432',
  '[0:0:0:0:0:0:0:1]:5432',
  '[::ffff:127.0.0.1]:5432',
  '10.0.0.1:5432',
  '169.254.169.254:5432',
  'db.example:5432',
  '127.0.0.1:*',
  '*:5432',
  '127.0.0.1',
  '127.0.0.1:80',
  '127.0.0.1:3128',
  '127.0.0.1:65536',
  '127.0.0.1:05432',
  '127.0.0.1:5432\n',
  ' 127.0.0.1:5432',
])('%j is none', (text) => {
  expect(parseServiceAddress(text)).toBeUndefined()
})
