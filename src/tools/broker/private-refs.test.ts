import { expect, test } from 'vitest'

import { createPrivateRefs, isPrivateRef, type GivenContext } from './private-refs.ts'

const given = (context: string): GivenContext => ({ session: 's', caller: 'a', context, sha256: 'x' })

test('the same thing has the same ref, and the oldest are forgotten', () => {
  let made = 0
  const refs = createPrivateRefs(() => String(made++).padStart(22, '0'))
  const first = refs.give(given('hash:0'))
  expect(isPrivateRef(first)).toBe(true)
  expect(isPrivateRef('ref_0000000000000000000000')).toBe(false)
  expect(refs.give(given('hash:0'))).toBe(first)
  for (let other = 1; other < 500; other++) refs.give(given(`hash:${other}`))
  expect(refs.find(first)).toEqual(given('hash:0'))
  refs.give(given('hash:500'))
  expect(refs.find(first)).toBeUndefined()
  expect(refs.give(given('hash:0'))).not.toBe(first)
})
