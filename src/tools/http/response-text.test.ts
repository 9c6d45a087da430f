import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { readableBody } from './response-text.ts'

const latin = Buffer.from('caf\xe9', 'latin1')

test.each<[string, Buffer, string, string]>([
  ['JSON', Buffer.from('{"a":"ü"}'), 'application/json', '{"a":"ü"}'],
  ['HTML, as it is', Buffer.from('<p>hi</p>'), 'text/html; charset=UTF-8', '<p>hi</p>'],
  ['text without a type', Buffer.from('plain'), '', 'plain'],
  ['nothing', Buffer.alloc(0), 'image/png', ''],
  ['a named charset', latin, 'text/plain; charset="iso-8859-1"', 'café'],
  ['an old charset nobody named', latin, 'text/html', 'café'],
  ['UTF-16 with its mark', Buffer.from('\ufeffhi', 'utf16le'), 'application/xml', 'hi'],
  ['a drawing in XML', Buffer.from('<svg/>'), 'image/svg+xml', '<svg/>'],
])('%s is read', (_, body, contentType, text) => {
  expect(readableBody(body, { contentType })).toEqual({ text })
})

test.each<[string, Buffer, string, string]>([
  ['an image', Buffer.from('GIF89a'), 'Image/GIF', 'image/gif, 6 bytes'],
  ['what holds zeros', Buffer.of(1, 0, 2), 'application/x-thing', 'application/x-thing, 3 bytes'],
  ['what is no UTF-8', latin, 'application/x-thing; v=1', 'application/x-thing, 4 bytes'],
  ['a charset nobody knows', latin, 'text/plain; charset=klingon', 'text/plain, 4 bytes'],
  ['a type that is none', Buffer.of(0), 'evil\nline', 'unknown format, 1 byte'],
])('%s is described', (_, body, contentType, description) => {
  expect(readableBody(body, { contentType })).toEqual({ description })
})

test('what is still packed is described', () => {
  const { description } = readableBody(Buffer.from('text'), { contentType: 'text/plain', packed: true })
  expect(description).toMatch(/^text\/plain, 4 bytes, compressed/)
})

test('a character cut in two is left out where the body was cut, and only there', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), (text, at) => {
      const body = Buffer.from(text)
      const cut = body.subarray(0, at % body.length)
      const { text: read } = readableBody(cut, { contentType: 'text/plain; charset=utf-8', truncated: true })
      expect(text.replace(/^\ufeff/, '').startsWith(read!)).toBe(true)
    }),
  )
  const half = Buffer.from('ü').subarray(0, 1)
  expect(readableBody(half, { contentType: 'text/plain; charset=utf-8' }).text).toBeUndefined()
})
