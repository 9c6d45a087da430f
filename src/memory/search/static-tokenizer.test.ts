import { expect, test } from 'vitest'

import { tokenize } from './static-tokenizer.ts'

const words = [
  'get',
  'user',
  'by',
  'id',
  'javascript',
  'java',
  'script',
  'http',
  'server',
  'sha',
  'sha256',
  '256',
  'hash',
]
const more = ['cafe', 'mu', '##tex', '##es', 's', '##h', '##a', 'a']
const names = [...words, ...more]
const rows = new Map(names.map((name, row) => [name, row]))

function tokens(text: string, most = 100): string[] {
  return tokenize(text, rows, most).map((row) => names[row]!)
}

test.each([
  ['getUserById', ['get', 'user', 'by', 'id']],
  ['GET_USER_BY_ID', ['get', 'user', 'by', 'id']],
  ['src/http/server.get', ['http', 'server', 'get']],
  ['HTTPServer', ['http', 'server']],
  ['JavaScript java script', ['javascript', 'java', 'script']],
  ['sha256Hash', ['sha256', 'hash']],
  ['hash256', ['hash', '256']],
  ['sha1', ['sha']],
  ['Café cafe\u0301 ＣＡＦＥ', ['cafe', 'cafe', 'cafe']],
  ['mutexes mutex', ['mu', '##tex', '##es', 'mu', '##tex']],
  ['by — id', ['by', 'id']],
])('%s is split into %j', (text, expected) => {
  expect(tokens(text).filter((name) => name !== 's')).toEqual(expected)
})

test.each(['', ' \n\t', '…', '日本語', '1999', 'zzz', 'a'.repeat(25), 'sh'.repeat(50), '\ud83d'])(
  '%j has no known words',
  (text) => {
    expect(tokens(text)).toEqual([])
  },
)

test('only the beginning of a long text is used', () => {
  expect(tokens('getUserById getUserById', 6)).toEqual(['get', 'user', 'by', 'id', 'get', 'user'])
  expect(tokens(`${' '.repeat(40_000)}get`)).toEqual([])
  expect(tokens(`${' '.repeat(30_000)}get`)).toEqual(['get'])
})
