import { deflateSync, gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { decodeText, fileKind } from './file-kind.ts'

const kindOf = (bytes: Buffer) => fileKind(bytes, true)
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(25)
  header.writeUInt32BE(13, 0)
  header.write('IHDR', 4, 'latin1')
  header.writeUInt32BE(width, 8)
  header.writeUInt32BE(height, 12)
  return Buffer.concat([bytes('\x89PNG\r\n\x1a\n'), header, deflateSync(Buffer.alloc(10))])
}

function jpeg(width: number, height: number): Buffer {
  const comment = Buffer.concat([bytes('\xff\xfe'), Buffer.from([0, 12]), bytes('ten bytes.')])
  const frame = Buffer.from([0xff, 0xc2, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3])
  return Buffer.concat([bytes('\xff\xd8'), comment, bytes('\xff'), frame, Buffer.alloc(20)])
}

function webp(form: string, size: Buffer): Buffer {
  return Buffer.concat([bytes(`RIFF\0\0\0\0WEBP${form}\0\0\0\0`), size, Buffer.alloc(20)])
}

test.each([
  ['image/png', png(640, 480), 640, 480],
  ['image/jpeg', jpeg(1920, 1080), 1920, 1080],
  ['image/gif', Buffer.concat([bytes('GIF89a'), Buffer.from([16, 1, 32, 0, 0])]), 272, 32],
  ['image/webp', webp('VP8X', Buffer.from([0, 0, 0, 0, 99, 0, 0, 49, 0, 0])), 100, 50],
  ['image/webp', webp('VP8L', Buffer.from([0x2f, 99, 0x40, 12, 0])), 100, 50],
  ['image/webp', webp('VP8 ', Buffer.from([0, 0, 0, 0x9d, 1, 0x2a, 100, 0, 50, 0])), 100, 50],
  [
    'image/bmp',
    Buffer.concat([bytes('BM'), Buffer.alloc(16), Buffer.from([9, 0, 0, 0, 247, 255, 255, 255])]),
    9,
    9,
  ],
  ['image/x-icon', Buffer.from([0, 0, 1, 0, 1, 0, 32, 0, 0]), 32, 256],
])('%s with its size', (type, data, width, height) => {
  expect(kindOf(data)).toEqual({ kind: 'image', type, width, height })
})

test.each([
  ['ELF program or library', bytes('\x7fELF\x02\x01\x01\0')],
  ['PDF document', bytes('%PDF-1.7\n1 0 obj')],
  ['gzip data', gzipSync('text')],
  ['SQLite database', bytes('SQLite format 3\0')],
  ['WebAssembly module', bytes('\0asm\x01\0\0\0')],
  ['tar archive', Buffer.concat([Buffer.alloc(257), bytes('ustar')])],
  ['unknown', bytes('abc\0def')],
  ['unknown', bytes('\x80\x81\x01\x02')],
])('%s', (type, data) => expect(kindOf(data)).toEqual({ kind: 'binary', type }))

test.each([
  ['utf-8', Buffer.from('Grüße\n\x1b[1mbold\x1b[0m')],
  ['utf-8', Buffer.from('')],
  ['utf-8', Buffer.from('ID3 is about trees, BM is not a picture, PK neither')],
  ['utf-8', Buffer.from('\uFEFFwith a mark')],
  ['latin1', bytes('Gr\xfc\xdfe')],
  ['utf-16le', Buffer.from('\uFEFFGrüße', 'utf16le')],
  ['utf-16be', Buffer.from('\uFEFFGrüße', 'utf16le').swap16()],
])('text in %s', (encoding, data) => expect(kindOf(data)).toEqual({ kind: 'text', encoding }))

test('the first bytes may end in the middle of a character', () => {
  const cut = Buffer.from('Grüß').subarray(0, -1)
  expect(fileKind(cut, false)).toEqual({ kind: 'text', encoding: 'utf-8' })
  expect(fileKind(cut, true)).toEqual({ kind: 'text', encoding: 'latin1' })
})

test('truncated images are still images', () => {
  for (const data of [
    png(1, 1).subarray(0, 12),
    jpeg(1, 1).subarray(0, 8),
    bytes('GIF89a\0'),
    webp('VP8X', bytes('')).subarray(0, 20),
  ]) {
    expect(kindOf(data)).toMatchObject({ kind: 'image' })
    expect(kindOf(data)).not.toHaveProperty('width')
  }
})

test('every encoding is decoded without its byte order mark', () => {
  const little = Buffer.from('\uFEFFGrüße', 'utf16le')
  expect(decodeText(little, 'utf-16le')).toBe('Grüße')
  expect(decodeText(Buffer.from(little).swap16(), 'utf-16be')).toBe('Grüße')
  expect(decodeText(Buffer.concat([Buffer.from(little).swap16(), bytes('x')]), 'utf-16be')).toBe('Grüße')
  expect(decodeText(Buffer.from('\uFEFFGrüße'), 'utf-8')).toBe('Grüße')
  expect(decodeText(bytes('Gr\xfc\xdfe'), 'latin1')).toBe('Grüße')
})
