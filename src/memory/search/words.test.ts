import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import type { Store } from '../../platform/storage/store.ts'
import { indexedWords, matchExpression } from './words.ts'

const insert = 'INSERT OR REPLACE INTO chunk_words (rowid, path, name, body) VALUES (?, ?, ?, ?)'

/** Whether FTS5 matches the text for the query. */
function finder(store: Store = temporaryStore()): (text: string, query: string) => boolean {
  return (text, query) => {
    store.prepare(insert).run(1, '', '', indexedWords(text))
    const expression = matchExpression(query)
    if (expression === undefined) return false
    return store.prepare('SELECT rowid FROM chunk_words WHERE chunk_words MATCH ?').all(expression).length > 0
  }
}

describe('a text is found', () => {
  test.each([
    ['by one of its words', 'The pool was exhausted', 'connection pool'],
    ['by another form of it', 'retrying the migrations', 'migration retries'],
    ['by a part of an identifier', 'call getUserById first', 'user lookup'],
    ['by the identifier', 'call getUserById first', 'getUserById'],
    ['by the identifier in one word', 'call getUserById first', 'getuserbyid'],
    ['by the parts of the identifier asked for', 'the user of that id', 'getUserById'],
    ['by what follows an abbreviation', 'parse an HTMLElement', 'element'],
    ['by a part of snake case', 'set max_user_watches', 'watches'],
    ['by a part of a path', 'see src/platform/storage/store.ts', 'storage'],
    ['by letters before digits', 'hash it with SHA-256', 'sha256'],
    ['by letters and digits in one', 'hash it with sha256', 'SHA 256'],
    ['without its accents', 'Größe überschritten', 'grosse uberschritten'],
    ['by characters in the middle of a sentence', '数据库连接池耗尽', '连接池'],
    ['by stop words, where nothing else was asked', 'to be or not to be', 'to be'],
  ])('%s', (_, text, query) => expect(finder()(text, query)).toBe(true))
})

describe('a text is not found', () => {
  test.each([
    ['by stop words among other words', 'what to do with the disk', 'what to do with the certificate'],
    ['by the rest of a contraction', 'the s and t of it', "it's cold, isn't it"],
    ['by characters that are not adjacent in it', '数据库', '据数'],
    ['by the syntax of the index', 'plain words', 'body : * NOT NEAR(^'],
    ['by nothing', 'plain words', '  ??? '],
  ])('%s', (_, text, query) => expect(finder()(text, query)).toBe(false))
})

test('any text can be stored and searched for', () => {
  const store = temporaryStore()
  const isFound = finder(store)
  const signs = fc.constantFrom(
    ...Array.from('"\'*^:(){}[]+-~\\\0\n aZ9_é数'),
    'AND',
    'NOT',
    'NEAR',
    '\ud800',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: signs, maxLength: 30 }),
  )
  fc.assert(
    fc.property(texts, texts, (text, query) => {
      isFound(text, query)
      // Any text with words can be found by searching for it. FTS5 knows fewer letters than we do.
      if (/[a-z0-9]/i.test(text)) expect(isFound(text, text)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('a long query is limited to a few distinct words', () => {
  const words = Array.from({ length: 5000 }, (_, i) => `word${String.fromCodePoint(0x3b1 + (i % 20))}x${i}`)
  const terms = matchExpression([...words, ...words].join(' '))?.split(' OR ') ?? []
  expect(terms.length).toBe(32)
  expect(new Set(terms).size).toBe(32)
})

test('the indexed text is bounded for any input', () => {
  const long = 'aB'.repeat(1_000_000)
  expect(indexedWords(long)).toBe('')
  expect(indexedWords('aB '.repeat(1_000_000)).length).toBeLessThan(1_000_000)
})
