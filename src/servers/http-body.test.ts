import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'

import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { readBody } from './http-body.ts'

function aRequest(headers: Record<string, string> = {}): PassThrough & IncomingMessage {
  return Object.assign(new PassThrough(), { headers }) as unknown as PassThrough & IncomingMessage
}

test('a body is the same in whatever pieces it comes, up to the limit', async () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 30_000 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 0, max: 90_000 }), async (parts, limit) => {
      const request = aRequest()
      const read = readBody(request, limit)
      for (const part of parts) request.write(part)
      request.end()
      const whole = Buffer.concat(parts)
      const body = await read
      if (whole.length > limit) expect(body).toBeUndefined()
      else expect(body?.equals(whole)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('no piece is kept: what becomes of it afterwards does not matter', async () => {
  const request = aRequest()
  const read = readBody(request, 1000)
  for (const text of ['{"a":', '1}']) {
    const piece = Buffer.from(text)
    request.emit('data', piece)
    piece.fill(0)
  }
  request.emit('end')
  expect((await read)?.toString()).toBe('{"a":1}')
})

test('a length over the limit is refused before anything is read', async () => {
  expect(await readBody(aRequest({ 'content-length': '11' }), 10)).toBeUndefined()
  const allowed = aRequest({ 'content-length': '10' })
  allowed.end('0123456789')
  expect((await readBody(allowed, 10))?.toString()).toBe('0123456789')
})
