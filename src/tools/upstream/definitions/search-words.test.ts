import { expect, it } from 'vitest'

import { isSlipOf, stem, indexTerms } from './search-words.ts'

it.each([
  ['browser_take_screenshot', ['browser', 'tak', 'screenshot']],
  ['readTextFile', ['read', 'text', 'fil']],
  ['HTTPServer.getURL', ['http', 'server', 'get', 'url']],
  ['gzip-file', ['gzip', 'fil']],
  ['The files of the user', ['fil', 'user']],
  ['', []],
])('splits %j', (text, words) => {
  expect(indexTerms(text)).toEqual(words)
})

it.each([
  ['create', 'creates', 'created', 'creating', 'creation'],
  ['directory', 'directories'],
  ['search', 'searches', 'searching', 'searched'],
  ['stop', 'stops', 'stopped', 'stopping'],
  ['pass', 'passes', 'passed', 'passing'],
  ['delete', 'deletion', 'deleting'],
  ['file', 'files'],
])('takes the forms of %s for one word', (word, ...forms) => {
  expect(new Set(forms.map(stem))).toEqual(new Set([stem(word)]))
})

it('knows a slip of the finger from another word', () => {
  expect(isSlipOf('tabel', 'table')).toBe(true)
  expect(isSlipOf('tabl', 'table')).toBe(true)
  expect(isSlipOf('tablee', 'table')).toBe(true)
  expect(isSlipOf('cable', 'table')).toBe(true)
  expect(isSlipOf('table', 'table')).toBe(false)
  expect(isSlipOf('cabel', 'table')).toBe(false)
  expect(isSlipOf('tab', 'table')).toBe(false)
})
