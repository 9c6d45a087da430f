import { createHash } from 'node:crypto'

import { expect, test } from 'vitest'

import { readEmbeddingTable } from './static-table.ts'

const words = Buffer.from('lock\nkey\n##s\n')
const scales = Buffer.from(new Float32Array([0.5, 1, 2]).buffer)
const vectors = Buffer.from(new Int8Array([1, 2, -127, 127, 0, -1]).buffer)
const body = Buffer.concat([words, scales, vectors])

function file(changes: object = {}, content = body): Buffer {
  const sha256 = createHash('sha256').update(content).digest('hex')
  const sizes = { dimension: 2, words: 3, wordBytes: words.length, maxTokens: 9 }
  const header = Buffer.from(JSON.stringify({ model: 'small-1', ...sizes, sha256, ...changes }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(header.length)
  return Buffer.concat([Buffer.from('CTXDTAB1'), length, header, content])
}

test('reads words, scales and vectors', () => {
  const table = readEmbeddingTable(file())
  expect(table).toMatchObject({ model: 'small-1', dimension: 2, maxTokens: 9 })
  expect([...table.rows]).toEqual([
    ['lock', 0],
    ['key', 1],
    ['##s', 2],
  ])
  expect([...table.scales]).toEqual([0.5, 1, 2])
  expect([...table.vectors]).toEqual([1, 2, -127, 127, 0, -1])
})

const changed = Buffer.from(body)
changed[body.length - 1] = 3

test.each([
  ['no content', Buffer.alloc(0), /not a table of this version/],
  ['another kind of file', Buffer.from('{"model": "small-1"}'), /not a table of this version/],
  [
    'a later version',
    Buffer.from(file().toString('latin1').replace('TAB1', 'TAB2'), 'latin1'),
    /this version/,
  ],
  ['only its first bytes', file().subarray(0, 10), /header is damaged/],
  ['a truncated header', file().subarray(0, 40), /header is damaged/],
  ['a truncated end', file().subarray(0, -1), /checksum is wrong/],
  [
    'a changed byte',
    file({ sha256: createHash('sha256').update(body).digest('hex') }, changed),
    /checksum is wrong/,
  ],
  ['inconsistent sizes', file({ words: 4 }), /sizes are wrong/],
  ['negative sizes', file({ dimension: -2 }), /sizes are wrong/],
])('a file with %s is rejected with the reason', (_, bytes, reason) => {
  expect(() => readEmbeddingTable(bytes)).toThrow(reason)
})
