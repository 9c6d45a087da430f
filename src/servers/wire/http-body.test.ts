import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'

import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { readRequestBody, type BodyLimits } from './http-body.ts'

function aRequest(headers: Record<string, string> = {}): PassThrough & IncomingMessage {
  return Object.assign(new PassThrough(), { headers }) as unknown as PassThrough & IncomingMessage
}

const upTo = (maxBytes: number): BodyLimits => ({
  maxBytes,
  bodyMs: 100_000,
  bodyIdleMs: 100_000,
  keep: () => {},
})

test('reads a body in any chunks, up to the limit', async () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 30_000 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 0, max: 90_000 }), async (parts, limit) => {
      const request = aRequest()
      const read = readRequestBody(request, upTo(limit))
      for (const part of parts) request.write(part)
      request.end()
      const whole = Buffer.concat(parts)
      if (whole.length > limit) await expect(read).rejects.toMatchObject({ code: 'MESSAGE_TOO_LARGE' })
      else expect((await read).equals(whole)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('copies chunks: later changes to them do not matter', async () => {
  const request = aRequest()
  const read = readRequestBody(request, upTo(1000))
  for (const text of ['{"a":', '1}']) {
    const piece = Buffer.from(text)
    request.emit('data', piece)
    piece.fill(0)
  }
  request.emit('end')
  expect((await read).toString()).toBe('{"a":1}')
})

test('refuses a content-length over the limit before reading', async () => {
  await expect(readRequestBody(aRequest({ 'content-length': '11' }), upTo(10))).rejects.toMatchObject({
    code: 'MESSAGE_TOO_LARGE',
  })
  const allowed = aRequest({ 'content-length': '10' })
  allowed.end('0123456789')
  expect((await readRequestBody(allowed, upTo(10))).toString()).toBe('0123456789')
})

test.each<[string, Partial<BodyLimits>]>([
  ['stops in the middle', { bodyIdleMs: 20 }],
  ['goes on and on', { bodyMs: 20 }],
])('a body that %s is aborted', async (_, limits) => {
  const request = aRequest()
  const read = readRequestBody(request, { ...upTo(1_000_000), ...limits })
  request.write('{')
  // Each pause is within one limit, the total exceeds the other.
  const more = limits.bodyMs === undefined ? undefined : setInterval(() => request.write(' '), 1)
  await expect(read).rejects.toMatchObject({ code: 'REQUEST_INCOMPLETE' })
  clearInterval(more)
  const whole = aRequest()
  const wanted = readRequestBody(whole, { ...upTo(1_000_000), ...limits })
  whole.end('{}')
  expect((await wanted).toString()).toBe('{}')
})
