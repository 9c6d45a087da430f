import { expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { looksRandom, shannonEntropy } from './randomness.ts'

test.each([
  ['aaaa', 0],
  ['abab', 1],
  ['abcd', 2],
])('%s has %i bits per character', (text, bits) => {
  expect(shannonEntropy(text)).toBe(bits)
})

test.each([
  '{hex:32}',
  '{hex:40}',
  '{alnum:20}',
  '{alnum:32}',
  '{lower:24}',
  '{word:43}',
  '{base64:40}',
  '{letters:32}',
])('nearly all of %s look random', (recipe) => {
  const random = seededRandom(7)
  const detected = Array.from({ length: 1000 }, () => makeSample(recipe, random).text).filter(looksRandom)
  expect(detected.length).toBeGreaterThan(985)
})

test.each([
  'getAuthenticationToken',
  'process.env.API_TOKEN',
  'correct-horse-battery-staple',
  'AccessTokenProviderFactoryBean',
  'my_super_secret_password_here',
  '2024-01-15T10:30:00.000Z',
  '10.0.0.1:8080',
  '/usr/local/lib/node_modules/npm',
  'xxxxxxxxxxxxxxxxxxxxxxxx',
  '00000000000000000000000000000000',
  'org.springframework.security.oauth2',
  'ReadonlyArray<SecretRule>',
  'keyboardInterruptHandler',
  'v1.2.3-beta.4',
])('%s does not look random', (text) => {
  expect(looksRandom(text)).toBe(false)
})
