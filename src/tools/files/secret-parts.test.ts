import { expect, test } from 'vitest'

import { keepsSecretsWhole, maskParts, withoutSecretParts } from './secret-parts.ts'

/** Knows one value, only together with its key. */
const scrub = async (text: string): Promise<string> =>
  text
    .replaceAll('password: >-\n zq2xcd9', 'password: >-\n [SECRET_1]')
    .replaceAll('token=abc', 'token=[SECRET_2]')

test('a line that is masked with its surroundings is not shown, however short it is', async () => {
  const text = 'password: >-\n zq2xcd9\nx: 1'
  expect(await maskParts([' zq2xcd9', 'x: 1', ''], await scrub(`${text}\n`), scrub)).toEqual([
    '[part of a secret]',
    'x: 1',
    '',
  ])
  expect(await withoutSecretParts(' zq2xcd9\nx: 1', 'x: 1\n zq2xcd9', scrub)).toBe(' zq2xcd9\nx: 1')
})

test('a line that holds a whole secret shows its token', async () => {
  expect(await withoutSecretParts('token=abc', 'a\ntoken=abc\nb', scrub)).toBe('token=[SECRET_2]')
})

test('a place that begins or ends inside a secret cuts it', async () => {
  const text = 'x token=abc y'
  expect(await keepsSecretsWhole(text, [{ start: 2, end: 11 }], scrub)).toBe(true)
  expect(await keepsSecretsWhole(text, [{ start: 9, end: 13 }], scrub)).toBe(false)
})
