import { expect, it } from 'vitest'

import { isTypoOf, stem, indexTerms } from './search-words.ts'

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
])('stems the forms of %s to one word', (word, ...forms) => {
  expect(new Set(forms.map(stem))).toEqual(new Set([stem(word)]))
})

it('distinguishes a typo from another word', () => {
  expect(isTypoOf('tabel', 'table')).toBe(true)
  expect(isTypoOf('tabl', 'table')).toBe(true)
  expect(isTypoOf('tablee', 'table')).toBe(true)
  expect(isTypoOf('cable', 'table')).toBe(true)
  expect(isTypoOf('table', 'table')).toBe(false)
  expect(isTypoOf('cabel', 'table')).toBe(false)
  expect(isTypoOf('tab', 'table')).toBe(false)
})
