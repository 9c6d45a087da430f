import { expect, test } from 'vitest'

import { seal, sealBytes, unseal, type Sealed } from './sealing.ts'

const key = Buffer.alloc(32, 1)
const place = ['local', 'row-1']
const bytes = Buffer.from('sealed bytes')

test('opens with the same key and place, and is different every time', () => {
  const [one, other] = [seal(key, bytes, place), seal(key, bytes, place)]
  expect(unseal(key, one, place)).toEqual(bytes)
  expect(one.body).toHaveLength(bytes.length + sealBytes)
  expect([one.nonce, one.body]).not.toEqual([other.nonce, other.body])
})

test.each<[string, (sealed: Sealed) => { sealed?: Sealed; key?: Uint8Array; place?: string[] }]>([
  ['with another key', () => ({ key: Buffer.alloc(32, 2) })],
  ['in another place', () => ({ place: ['local', 'row-2'] })],
  ['in a place that only looks the same', () => ({ place: ['local,row-1'] })],
  ['with another nonce', (sealed) => ({ sealed: { ...sealed, nonce: Buffer.alloc(12) } })],
  [
    'with a byte changed',
    ({ nonce, body }) => ({ sealed: { nonce, body: body.map((b, i) => (i ? b : b ^ 1)) } }),
  ],
  ['cut short', ({ nonce, body }) => ({ sealed: { nonce, body: body.subarray(0, 20) } })],
  ['without its tag', ({ nonce }) => ({ sealed: { nonce, body: new Uint8Array() } })],
])('does not open %s', (_, change) => {
  const sealed = seal(key, bytes, place)
  const given = { sealed, key, place, ...change(sealed) }
  expect(() => unseal(given.key, given.sealed, given.place)).toThrow()
})
