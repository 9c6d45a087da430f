import { createHmac } from 'node:crypto'

import { expect, test } from 'vitest'

import { createSealer } from './chain.ts'

const key = Buffer.alloc(32, 7)
const recordKey = createHmac('sha256', key).update('contextd audit record').digest()

test.each([
  ['nothing', 32, ''],
  ['a usual record', 32, '[1,"intent","ä€😀"]'],
  ['the longest usual one', 32, '€'.repeat(5461)],
  ['a longer one', 32, 'x'.repeat(5462)],
  ['a very long one', 32, 'x'.repeat(100_000)],
  ['one behind a seal that is too short', 5, 'text'],
  ['one behind a seal that is too long', 500, 'text'],
])('the seal is the HMAC of the previous seal and the text: %s', (_, sealBytes, text) => {
  const sealer = createSealer(key)
  // A longer record before, which must leave nothing behind.
  sealer.record(Buffer.alloc(32, 1), 'y'.repeat(5000))
  const previous = Buffer.alloc(sealBytes, 9)
  const expected = createHmac('sha256', recordKey).update(previous).update(text).digest()
  expect(sealer.record(previous, text)).toEqual(expected)
})
