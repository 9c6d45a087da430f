import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { Json, JsonObject } from '@contextd/shared/json/value'
import { revertJson } from './revert-json.ts'

it.each<[string, Json, Json, Json, Json]>([
  ['what we added goes', { a: 1, b: 2 }, { a: 1 }, { a: 1, b: 2 }, { a: 1 }],
  ['what others added stays', { a: 1, b: 2, c: 3 }, { a: 1 }, { a: 1, b: 2 }, { a: 1, c: 3 }],
  ['what others made of ours stays', { b: 3 }, {}, { b: 2 }, { b: 3 }],
  ['what we took out comes back', { c: 1 }, { a: 1 }, {}, { c: 1, a: 1 }],
  ['what others took out stays away', {}, { a: 1 }, { a: 2 }, {}],
  ['a value we replaced comes back', { a: 2, z: 1 }, { a: 1 }, { a: 2 }, { a: 1, z: 1 }],
  ['items of a list', { l: ['x', 'our', 'y'] }, { l: ['x'] }, { l: ['x', 'our'] }, { l: ['x', 'y'] }],
  ['a list of ours with something else in it', { l: ['our', 'y'] }, {}, { l: ['our'] }, { l: ['y'] }],
  ['one of two equal items', { l: ['a', 'a', 'b'] }, { l: ['a'] }, { l: ['a', 'a'] }, { l: ['a', 'b'] }],
  ['folders of ours go when they are empty', { p: { q: { our: 1 } } }, {}, { p: { q: { our: 1 } } }, {}],
  ['but not those that were there', { p: { our: 1 }, z: 1 }, { p: {} }, { p: { our: 1 } }, { p: {}, z: 1 }],
])('%s', (_, now, before, after, left) => {
  expect(revertJson(now, before, after)).toEqual(left)
})

it('restores the exact original, and keeps keys added by others', () => {
  const documents = fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
  )
  fc.assert(
    fc.property(documents, documents, (before: JsonObject, after: JsonObject) => {
      expect(revertJson(after, before, after)).toEqual(before)
      expect(revertJson({ ...after, theirs: 1 }, before, after)).toEqual({ ...before, theirs: 1 })
    }),
  )
})
