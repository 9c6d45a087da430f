import { isCallToolResult } from '@modelcontextprotocol/client'
import { afterEach, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { fixture, gatewayRuntime, type GatewayRuntime } from '../support/gateway-runtime.ts'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { initialize, openStdioDoor } from '../support/stdio-door.ts'

let gateway: GatewayRuntime
afterEach(() => gateway.close())

const { secret } = makeSample('«ghp_{alnum:36}»', seededRandom(5))
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const picture = (text: string): string =>
  base64(`<svg xmlns="http://www.w3.org/2000/svg"><text x="4" y="12">${text}</text></svg>`)

/** The result that a stdio client receives from a server that sends this content. */
async function answered(content: readonly JsonObject[]): Promise<JsonObject> {
  const env = { CONTENT: JSON.stringify(content) }
  gateway = await gatewayRuntime({ servers: { shots: fixture('any-tools', ['/dev/null', 'take'], { env }) } })
  const door = openStdioDoor(gateway.runtime)
  door.send(initialize)
  await door.answer('init')
  door.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const params = { name: 'execute_tool', arguments: { server: 'shots', tool: 'take', args: {} } }
  door.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const { result } = await door.answer(1)
  expect(isCallToolResult(result)).toBe(true)
  return result as JsonObject
}

test.each<[string, JsonObject]>([
  ['Image', { type: 'image', mimeType: 'image/svg+xml', data: picture(`key ${secret} end`) }],
  ['Audio', { type: 'audio', mimeType: 'audio/wav', data: picture(`key ${secret} end`) }],
  [
    'File',
    {
      type: 'resource',
      resource: { uri: 'file:///notes.bin', mimeType: 'application/octet-stream', blob: picture(secret) },
    },
  ],
])('a block with a secret in its base64 is withheld with a reason: %s', async (what, block) => {
  const { content, isError } = await answered([{ type: 'text', text: 'before' }, block])
  expect(isError).not.toBe(true)
  expect(content).toMatchObject([
    { type: 'text', text: 'before' },
    { type: 'text', text: expect.stringMatching(`^${what} withheld by contextd: .*github-pat`) as string },
  ])
  expect(JSON.stringify(content)).not.toContain(secret)
  expect(JSON.stringify(content)).not.toContain(base64(secret).slice(8, 30))
})

test('blocks without a secret are unchanged', async () => {
  const noise = Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 167 + (i >> 3)) % 256))
  const blocks = [
    { type: 'image', mimeType: 'image/svg+xml', data: picture('a sunny day') },
    { type: 'audio', mimeType: 'audio/wav', data: noise.toString('base64') },
    {
      type: 'resource',
      resource: { uri: 'file:///a.bin', mimeType: 'image/svg+xml', blob: picture('nothing') },
    },
  ]
  const { content } = await answered(blocks)
  expect(content).toEqual(blocks)
})
