import { expect, test } from 'vitest'

import { readJson, type StringNode } from './json-spans.ts'
import { dataUrlKindAt, isBase64Pdf, mediaKindOf } from './media.ts'

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
    expect(dataUrlKindAt(text, readJson(text) as StringNode)).toBe(kind)
  }
})

test('a PDF in base64 is known by its first bytes', () => {
  const isPdf = (content: string): boolean => {
    const text = JSON.stringify(Buffer.from(content).toString('base64'))
    return isBase64Pdf(text, readJson(text) as StringNode)
  }
  expect(isPdf('%PDF-1.7\n')).toBe(true)
  expect(isPdf('x%PDF-1.7\n')).toBe(false)
})
