import { expect, test } from 'vitest'

import { withoutKey } from './query-key.ts'

test('takes the key out of a query, and nothing else', () => {
  expect(withoutKey('/v1beta/models?key=k7&alt=sse&monkey=x')).toBe('/v1beta/models?key=&alt=sse&monkey=x')
  expect(withoutKey('/v1/messages?beta=true')).toBe('/v1/messages?beta=true')
})
