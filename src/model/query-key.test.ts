import { expect, test } from 'vitest'

import { withoutKey } from './query-key.ts'

test('removes only the key from a query', () => {
  expect(withoutKey('/v1beta/models?key=k7&alt=sse&monkey=x')).toBe('/v1beta/models?key=&alt=sse&monkey=x')
  expect(withoutKey('/v1/messages?beta=true')).toBe('/v1/messages?beta=true')
})
