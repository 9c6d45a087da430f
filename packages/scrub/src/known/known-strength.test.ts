import { describe, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { isDistinctive } from './known-strength.ts'

describe('is distinctive', () => {
  test.each([
    'Tr0ub4dor&3',
    'correct-horse-battery-staple-9',
    'correct horse battery staple',
    'Summer2024!',
    'dragon1988',
    'ghp_{alnum:36}',
    '{hex:32}',
    '{uuid}',
    '{alnum:8}',
    '{base64:40}',
    '/{base64:20}/{base64:20}',
    'x9$K!q2@',
    'пароль123',
    'xkcd fqzw mnbv plkj',
    'https://hooks.example.com/services/{alnum:24}',
    'postgres://app:{alnum:12}@db.example.com/app',
    '$ecret-{alnum:8}',
    'eyJ{word:30}.eyJ{word:60}.{word:43}',
  ])('%s', (recipe) => {
    expect(isDistinctive(makeSample(recipe, seededRandom(1)).text)).toBe(true)
  })

  test('a multi-line key and a long line', () => {
    const random = seededRandom(2)
    const line = (): string => makeSample('{base64:64}', random).text
    expect(isDistinctive(Array.from({ length: 20 }, line).join('\n'))).toBe(true)
    expect(isDistinctive(Array.from({ length: 20 }, line).join(''))).toBe(true)
  })
})

describe('is not distinctive', () => {
  test.each([
    '',
    'hunter2',
    'abc123!',
    'changeme',
    'Password123!',
    'localhost',
    'production',
    'true',
    'undefined',
    'internationalization',
    'createConnectionPool',
    'API_KEY_PRODUCTION',
    'my-secret-name',
    'your-api-key-goes-here-please',
    'aaaaaaaaaaaaaaaa1',
    '12345678901234',
    '2024-01-15T10:30:00Z',
    '1.2.3-beta.4',
    'v20.20.2',
    '192.168.100.200',
    '2001:db8::8a2e:370:7334',
    '/usr/local/lib/node_modules',
    'C:\\Program Files\\nodejs',
    'db-primary.internal.example.com:5432',
    'someone@example.com',
    'https://example.com/docs/getting-started',
    '${DATABASE_PASSWORD}',
    '<your-token-here>',
    'process.env.API_TOKEN_2',
    '{{ secrets.TOKEN_2024 }}',
    '================',
    '--------> ',
  ])('%s', (value) => {
    expect(isDistinctive(value)).toBe(false)
  })

  test('one repeated character', () => {
    expect(isDistinctive('x'.repeat(100_000))).toBe(false)
  })
})
