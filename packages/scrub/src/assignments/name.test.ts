import { expect, test } from 'vitest'

import { classifyName, nameWords } from './name.ts'

test.each([
  ['dbPassword', ['db', 'password']],
  ['DB_PASSWORD', ['db', 'password']],
  ['XMLHttpToken', ['xml', 'http', 'token']],
  ['x-api-key', ['x', 'api', 'key']],
  ['APIKey2', ['api', 'key']],
])('splits %s into %j', (name, words) => {
  expect(nameWords(name)).toEqual(words)
})

test.each([
  ['password', 'password'],
  ['spring.datasource.password', 'password'],
  ['PGPASSWORD', 'password'],
  ['DATABASEPASSWORD', 'password'],
  ['api_key', 'secret'],
  ['clientSecret', 'secret'],
  ['mysecrettoken', 'secret'],
  ['JSESSIONID', 'session'],
  ['session_id', 'session'],
  ['access_key_id', 'secret'],
  ['password_file', 'none'],
  ['token_url', 'none'],
  ['tokenizer', 'none'],
  ['max_tokens', 'none'],
  ['public_key', 'none'],
  ['client_id', 'none'],
  ['keyboard', 'none'],
  ['author', 'none'],
])('%s is classified as %s', (name, expected) => {
  expect(classifyName(name)).toBe(expected)
})
