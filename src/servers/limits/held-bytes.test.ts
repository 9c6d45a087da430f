import { expect, test } from 'vitest'

import { createHeldBytes } from './held-bytes.ts'

test('what a caller sends counts until it is let go, for that caller alone', () => {
  const held = createHeldBytes(10)
  const first = held.open('a')
  first.add(100)
  first.add(50)
  expect(() => held.open('a').add(20)).toThrow('its limit of 160 bytes')
  // What was refused is not kept.
  held.open('a').add(10)
  held.open('b').add(160)
  first.close()
  first.close()
  held.open('a').add(150)
  expect(() => held.open('a').add(1)).toThrow('its limit of 160 bytes')
})

test('a message takes nothing more when it is not kept any more', () => {
  const held = createHeldBytes(10)
  const gone = held.open('a')
  gone.add(100)
  gone.add(-40)
  held.open('a').add(100)
  gone.close()
  expect(() => gone.add(100)).toThrow('cancelled')
  held.open('a').add(60)
  expect(() => held.open('a').add(1)).toThrow('its limit of 160 bytes')
})
