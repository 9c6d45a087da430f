import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { pngOf } from '../../../../test/support/document-files.ts'
import { fileSpace, noPdf } from '../../../../test/support/file-space.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../../../core/ports.ts'
import type { Answer } from '../../../core/result.ts'
import { safeRead } from '../../builtin/safe-read.ts'
import { wholeBytes } from '../file-version.ts'
import { maxImageBytes, maxImageSide } from './image.ts'

async function read(content: Buffer, args: JsonObject = {}): Promise<Answer & { data: JsonObject }> {
  const space = fileSpace()
  space.put('file', content)
  const host = { call: space.call(), scrub: async (text: string) => text } as ToolHost
  const answer = (await safeRead(space.files, noPdf).run({ path: 'file', ...args }, host)) as Answer
  return { ...answer, data: (answer.structured as { data: JsonObject }).data }
}

/** Bytes that end one of the four formats, after a head with its size. */
const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080030004001011100', 'hex'),
  Buffer.from('ffda0008010100003f00d2cfffd9', 'hex'),
])
const gif = Buffer.from('47494638396140003000800000ffffff0000002c00000000010001000002024401003b', 'hex')
const webp = Buffer.from(
  '52494646240000005745425056503820180000003001009d012a400030000000000000000000000000000000',
  'hex',
)

test.each([
  ['image/png', pngOf(64, 48)],
  ['image/jpeg', jpeg],
  ['image/gif', gif],
  ['image/webp', webp],
])('%s is returned as an image, whatever the name of the file', async (type, bytes) => {
  const { data, content } = await read(bytes)
  expect(data).toEqual({ type, size: '64 x 48', bytes: bytes.length, hash: expect.any(String) as string })
  expect(content).toEqual([{ type: 'image', mimeType: type, data: bytes.toString('base64') }])
})

test.each([
  ['image/png', pngOf(64, 48).subarray(0, -12)],
  ['image/jpeg', jpeg.subarray(0, -2)],
  ['image/gif', gif.subarray(0, -1)],
  ['image/webp', webp.subarray(0, -1)],
])('an incomplete %s is described: a provider would refuse it in every later request', async (_, bytes) => {
  const { data, content } = await read(bytes)
  expect(data).toMatchObject({ note: 'Not shown: the file is damaged or incomplete.' })
  expect(content).toEqual([])
})

test('a file larger than what is read at once is complete', async () => {
  const large = pngOf(64, 48, [randomBytes(wholeBytes).toString('base64')])
  expect(large.length).toBeGreaterThan(wholeBytes)
  const { content } = await read(large)
  expect(content[0]).toMatchObject({ data: large.toString('base64') })
})

test('the limits are those of the API, to the byte and the pixel', async () => {
  const empty = pngOf(1, 1, [''])
  const filler = 'x'.repeat(maxImageBytes - empty.length)
  const largest = pngOf(1, 1, [filler])
  expect(largest.toString('base64')).toHaveLength(5_242_880)
  expect((await read(largest)).content).toHaveLength(1)
  expect((await read(pngOf(maxImageSide, 1))).content).toHaveLength(1)
  for (const tooLarge of [pngOf(1, 1, [`${filler}x`]), pngOf(maxImageSide + 1, 1)]) {
    const { data, content } = await read(tooLarge)
    expect(data).toMatchObject({ type: 'image/png', note: expect.stringContaining('smaller copy') as string })
    expect(content).toEqual([])
  }
})

test('other formats say what to convert them to; raw describes', async () => {
  const bmp = Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)])
  const { data, content } = await read(bmp)
  expect(data).toMatchObject({ type: 'image/bmp', note: expect.stringContaining('Convert it') as string })
  expect(content).toEqual([])
  expect((await read(pngOf(64, 48), { raw: true })).content).toEqual([])
})
