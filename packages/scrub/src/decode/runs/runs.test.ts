import { createHash, randomUUID } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { oneSecret, readingsOf } from '../../../test/decode-probe.ts'

const hashes = (encoding: 'hex' | 'base64' | 'base64url', amount: number): string[] =>
  Array.from({ length: amount }, (_, seed) => createHash('sha512').update(`${seed}`).digest(encoding))

describe('what is not encoded text', () => {
  test.each([
    ['hashes', hashes('hex', 300).join('\n')],
    [
      'hashes in base64',
      hashes('base64', 300)
        .map((hash) => `"integrity": "sha512-${hash}",`)
        .join('\n'),
    ],
    ['hashes for URLs', hashes('base64url', 300).join(' ')],
    ['identifiers', Array.from({ length: 100 }, () => randomUUID()).join('\n')],
    ['names', 'getElementsByTagNameAndClass SOME_CONSTANT_NAME_OF_THINGS some-long-kebab-case-name-of-it'],
    ['paths', '/usr/lib/node_modules/someThing/dist/esm/internal/Component.js'],
    ['pictures', `data:image/png;base64,iVBORw0KGgo${hashes('base64', 30).join('').replaceAll('=', '')}`],
    ['fingerprints', 'SHA256:3a:4f:9b:12:8e:77:c0:d1:aa:45:6b:90:fe:21:38:5c:00:91:e4:7d'],
  ])('%s have no other reading', (_, text) => {
    expect(readingsOf(text).filter((reading) => reading.length > 20)).toEqual([])
  })

  test('twin: the same probe sees what is encoded between them', () => {
    const text = `${hashes('base64', 5).join(' ')} ${Buffer.from(oneSecret).toString('base64')} ${hashes('hex', 5).join(' ')}`
    expect(readingsOf(text)).toContain(oneSecret)
  })
})

test('several runs of one text are read one by one', () => {
  const words = ['the first of several', 'the second of several', 'the third of several']
  const text = words.map(
    (word, index) => `key${index}: ${Buffer.from(word).toString(index === 1 ? 'hex' : 'base64')}`,
  )
  expect(readingsOf(text.join('\n'))).toEqual(words)
})

test('bytes with dashes between them', () => {
  const dashed = Buffer.from(oneSecret).toString('hex').match(/../g)!.join('-')
  expect(readingsOf(`id ${dashed.toUpperCase()} end`)).toEqual([oneSecret])
})

test('hexadecimal digits behind a digit too many', () => {
  expect(readingsOf(`f${Buffer.from(oneSecret).toString('hex')}`)).toEqual([oneSecret])
})
