import { expect, test } from 'vitest'

import { matchesTemplate } from './resource-owner.ts'

test.each([
  ['test://template/{id}/data', 'test://template/7/data'],
  ['file:///{+path}', 'file:///a/b/c'],
  ['a{b}c{d}e', 'axcye'],
  ['plain://address', 'plain://address'],
])('%s makes %s', (template, uri) => {
  expect(matchesTemplate(template, uri)).toBe(true)
})

test.each([
  ['test://template/{id}/data', 'test://template/7/other'],
  ['test://template/{id}/data', 'other://template/7/data'],
  ['ab{x}bc', 'abc'],
  ['a{b}c{d}e', 'axe'],
  ['plain://address', 'plain://address/more'],
  [undefined, 'anything'],
  [7, '7'],
])('%s does not make %s', (template, uri) => {
  expect(matchesTemplate(template, uri)).toBe(false)
})
