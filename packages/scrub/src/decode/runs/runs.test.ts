import { createHash, randomUUID } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { sampleSecret, viewTextsOf } from '../../../test/decode-probe.ts'

const hashes = (encoding: 'hex' | 'base64' | 'base64url', amount: number): string[] =>
  Array.from({ length: amount }, (_, seed) => createHash('sha512').update(`${seed}`).digest(encoding))

describe('text that is not encoded', () => {
  test.each([
    ['hashes', hashes('hex', 300).join('\n')],
    [
      'hashes in base64',
      hashes('base64', 300)
        .map((hash) => `"integrity": "sha512-${hash}",`)
        .join('\n'),
    ],
    ['base64url hashes', hashes('base64url', 300).join(' ')],
    ['identifiers', Array.from({ length: 100 }, () => randomUUID()).join('\n')],
    ['names', 'getElementsByTagNameAndClass SOME_CONSTANT_NAME_OF_THINGS some-long-kebab-case-name-of-it'],
    ['paths', '/usr/lib/node_modules/someThing/dist/esm/internal/Component.js'],
    ['images', `data:image/png;base64,iVBORw0KGgo${hashes('base64', 30).join('').replaceAll('=', '')}`],
    ['fingerprints', 'SHA256:3a:4f:9b:12:8e:77:c0:d1:aa:45:6b:90:fe:21:38:5c:00:91:e4:7d'],
  ])('%s are not decoded', (_, text) => {
    expect(viewTextsOf(text).filter((reading) => reading.length > 20)).toEqual([])
  })

  test('control: encoded text between them is decoded', () => {
    const text = `${hashes('base64', 5).join(' ')} ${Buffer.from(sampleSecret).toString('base64')} ${hashes('hex', 5).join(' ')}`
    expect(viewTextsOf(text)).toContain(sampleSecret)
  })
})

test('decodes several runs in one text separately', () => {
  const words = ['the first of several', 'the second of several', 'the third of several']
  const text = words.map(
    (word, index) => `key${index}: ${Buffer.from(word).toString(index === 1 ? 'hex' : 'base64')}`,
  )
  expect(viewTextsOf(text.join('\n'))).toEqual(words)
})

test('decodes bytes separated by dashes', () => {
  const dashed = Buffer.from(sampleSecret).toString('hex').match(/../g)!.join('-')
  expect(viewTextsOf(`id ${dashed.toUpperCase()} end`)).toEqual([sampleSecret])
})

test('decodes hexadecimal digits after an extra digit', () => {
  expect(viewTextsOf(`f${Buffer.from(sampleSecret).toString('hex')}`)).toEqual([sampleSecret])
})
