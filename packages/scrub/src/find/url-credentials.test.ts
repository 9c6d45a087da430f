import { expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { findUrlCredentials } from './url-credentials.ts'

const secretIn = (text: string): string | undefined => {
  const found = findUrlCredentials(text, text.indexOf('://') + 3)
  return found && text.slice(found.start, found.end)
}

test.each([
  'postgres://admin:«s3cr3t»@db:5432/app',
  'mongodb+srv://u:«p4ss%40word»@cluster0.example.net/?retryWrites=true',
  'redis://:«s3cr3tpw»@localhost:6379/0',
  'https://«{alnum:40}»@github.com/org/repo.git',
  'https://«{alnum:40}»:x-oauth-basic@github.com/org/repo.git',
  'amqp://user:«p@ss1word»@rabbit/vhost',
  'ftp://bob:«hunter22»@ftp.example.com',
])('finds the secret in %s', (recipe) => {
  const { text, secret } = makeSample(recipe, seededRandom(1))
  expect(secretIn(text)).toBe(secret)
})

test.each([
  'https://example.com/a:b@c',
  'https://github.com/@scope/package',
  'postgres://user:password@localhost/db',
  'postgres://user:${PASSWORD}@localhost/db',
  'https://user@example.com',
  'http://localhost:8080/path?mail=a@b.c',
  'git://github.com/org/repo.git#semver:^1.0.0',
])('finds nothing in %s', (text) => {
  expect(secretIn(text)).toBeUndefined()
})
