import { expect, test } from 'vitest'

import { createHeldBytes } from './held-bytes.ts'

test("counts a caller's bytes until released, for that caller only", () => {
  const held = createHeldBytes(10)
  const first = held.open('a')
  first.add(100)
  first.add(50)
  expect(() => held.open('a').add(20)).toThrow('its limit of 160 bytes')
  // Refused bytes are not counted.
  held.open('a').add(10)
  held.open('b').add(160)
  first.close()
  first.close()
  held.open('a').add(150)
  expect(() => held.open('a').add(1)).toThrow('its limit of 160 bytes')
})

test('a closed message accepts no more bytes', () => {
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
