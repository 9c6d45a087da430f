import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { plainJson } from './jsonc.ts'

it.each([
  ['{"a": 1}', { a: 1 }],
  ['\uFEFF// first\n{ "a": [1, 2, /* two */ ], // last\n}', { a: [1, 2] }],
  ['{"a": "// no /* comment */ ,]", "b": "\\",}",}', { a: '// no /* comment */ ,]', b: '",}' }],
  ['/**/[/*,*/1,\n//]\n]/**/', [1]],
])('%j is read', (text, value) => {
  expect(JSON.parse(plainJson(text))).toEqual(value)
})

it.each(['{"a": 1,,}', '[,]x', '{"a" 1}', '[1 2]', '/* {}', '"\\'])(
  '%j is no JSON after it, either',
  (text) => {
    expect(() => JSON.parse(plainJson(text))).toThrow(SyntaxError)
  },
)

it('leaves plain JSON as it is', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(plainJson(text)).toBe(text)
    }),
  )
})

it('reads in linear time what was made to take long', () => {
  for (const part of [',/*', '\\"', '"\\', ',  ', '/*/', ',//']) {
    expect(plainJson(part.repeat(300_000)).length).toBeGreaterThan(0)
  }
})
