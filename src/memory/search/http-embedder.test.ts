import { expect, test } from 'vitest'

import { prefixFor } from './http-embedder.ts'

test.each([
  ['nomic-embed-text:v1.5', 'search_query: ', 'search_document: '],
  ['intfloat/multilingual-e5-large', 'query: ', 'passage: '],
  ['e5-small-v2', 'query: ', 'passage: '],
  ['intfloat/e5-mistral-7b-instruct', '', ''],
  ['BAAI/bge-small-en-v1.5', 'Represent this sentence for searching relevant passages: ', ''],
  ['mxbai-embed-large', 'Represent this sentence for searching relevant passages: ', ''],
  ['bge-m3', '', ''],
  ['text-embedding-3-small', '', ''],
  ['the5-model', '', ''],
])('prefixes for %s', (model, query, document) => {
  expect(prefixFor(model, 'query')).toBe(query)
  expect(prefixFor(model, 'document')).toBe(document)
})
