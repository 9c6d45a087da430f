import { expect, test } from 'vitest'

import { parseJsonSpans, type StringNode } from './json-spans.ts'
import { dataKindAt, dataUrlKindAt, isBase64Pdf, mediaKindOf } from './media.ts'

test.each([
  ['image/png', 'opaque'],
  ['IMAGE/JPEG', 'opaque'],
  ['audio/wav', 'opaque'],
  ['video/mp4', 'opaque'],
  ['application/pdf', 'opaque'],
  ['text/plain; charset=utf-8', 'text'],
  ['image/svg+xml', 'text'],
  ['application/json', 'text'],
  ['application/vnd.api+json', 'text'],
  ['application/zip', 'other'],
  ['imagery/png', 'other'],
  ['', 'other'],
])('%s is %s', (type, kind) => {
  expect(mediaKindOf(type)).toBe(kind)
})

test.each([
  ['data:image/png;base64,aW1hZ2U=', 'opaque'],
  ['DATA:image/png;BASE64,aW1hZ2U=', 'opaque'],
  ['data:text/plain;charset=utf-8;base64,dGV4dA==', 'text'],
  ['data:;base64,dGV4dA==', 'other'],
  ['data:image/png,text', undefined],
  ['data:image/png;base64', undefined],
  ['https://example.com/data:image/png;base64,aW1hZ2U=', undefined],
  [`data:image/png;${'x'.repeat(300)};base64,aW1hZ2U=`, undefined],
])('the kind of %s is %s', (url, kind) => {
  for (const text of [JSON.stringify(url), JSON.stringify(url).replaceAll('/', '\\/')]) {
    expect(dataUrlKindAt(text, parseJsonSpans(text) as StringNode)).toBe(kind)
  }
})

const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]),
  Buffer.alloc(40, 'IHDR'),
])
const wav = Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0'), Buffer.alloc(40)])
const program = 'const greeting = "Grüße"\n'.repeat(20)

test.each([
  ['image/png', png, 'opaque'],
  ['audio/wav', wav, 'opaque'],
  ['application/pdf', Buffer.from(`%PDF-1.7\n${program}`), 'opaque'],
  ['video/mp2t', Buffer.from(program), 'text'],
  ['image/png', Buffer.from(program), 'text'],
  ['application/zip', Buffer.from(program), 'other'],
] as const)('%s of %j is %s', (type, bytes, kind) => {
  const base64 = bytes.toString('base64')
  for (const head of ['', `data:${type};base64,`]) {
    const text = JSON.stringify(head + base64).replaceAll('/', '\\/')
    const node = parseJsonSpans(text) as StringNode
    expect(head === '' ? dataKindAt(text, node, type) : dataUrlKindAt(text, node)).toBe(kind)
  }
})

test('a base64 PDF is recognized by its first bytes', () => {
  const isPdf = (content: string): boolean => {
    const text = JSON.stringify(Buffer.from(content).toString('base64'))
    return isBase64Pdf(text, parseJsonSpans(text) as StringNode)
  }
  expect(isPdf('%PDF-1.7\n')).toBe(true)
  expect(isPdf('x%PDF-1.7\n')).toBe(false)
})
