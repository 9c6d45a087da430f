import { once } from 'node:events'
import { createServer, connect, type Server, type Socket } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { serveHostChannel, type HostMethod } from './host-channel.ts'

let folder: string
let server: Server
let tool: Socket
let faults: string[]
let methods: Map<string, HostMethod>

/** Both ends of a real socket, as a tool has one. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-channel-'))
  server = createServer()
  await new Promise<void>((resolve) => server.listen(join(folder, 's'), resolve))
  tool = connect(join(folder, 's'))
  tool.on('error', () => {})
  const [channel] = (await once(server, 'connection')) as [Socket]
  faults = []
  methods = new Map<string, HostMethod>([
    ['echo', (params) => params],
    ['big', () => 'x'.repeat(2_000_000)],
    ['refuse', () => Promise.reject(new ContextdError('HOST_NOT_GRANTED', { agent: 'tool', reason: 'no' }))],
    ['crash', () => Promise.reject(new Error('/secret/path'))],
  ])
  serveHostChannel(channel, methods, (why) => faults.push(why))
})
afterEach(() => {
  tool.destroy()
  server.close()
  rmSync(folder, { recursive: true })
})

const byId = (a: JsonObject, b: JsonObject): number =>
  JSON.stringify(a.id).localeCompare(JSON.stringify(b.id))

/** Also by an error, which is how the other end of a cut line looks. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

async function answers(count: number): Promise<JsonObject[]> {
  let text = ''
  const lines: JsonObject[] = []
  for await (const chunk of tool as AsyncIterable<Buffer>) {
    text += chunk.toString()
    const parts = text.split('\n')
    text = parts.pop() ?? ''
    for (const part of parts) lines.push(JSON.parse(part) as JsonObject)
    if (lines.length >= count) break
  }
  return lines
}

const request = (id: number | string, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`

it('answers each request by its id', async () => {
  tool.write(`${request(1, 'echo', { a: 1 })}${request('x', 'echo', { b: 'ü' })}`)
  expect((await answers(2)).sort(byId)).toEqual([
    { jsonrpc: '2.0', id: 'x', result: { b: 'ü' } },
    { jsonrpc: '2.0', id: 1, result: { a: 1 } },
  ])
})

it('takes lines in pieces', async () => {
  const line = request(1, 'echo', { text: 'ü'.repeat(100) })
  for (const byte of Buffer.from(line)) {
    tool.write(Buffer.from([byte]))
    if (byte % 7 === 0) await turn()
  }
  expect(await answers(1)).toMatchObject([{ id: 1, result: { text: 'ü'.repeat(100) } }])
})

it('says what went wrong, and no more than that', async () => {
  tool.write(
    `no json\n{"id": 2}\n[]\n${request(3, 'nope')}${request(4, 'refuse')}${request(5, 'crash')}${request(6, 'big')}`,
  )
  const errors = (await answers(7))
    .sort(byId)
    .map(({ id, error }) => [id, (error as JsonObject).code, (error as JsonObject).data])
  expect(errors).toEqual([
    [2, -32600, undefined],
    [3, -32601, undefined],
    [4, -32006, { code: 'HOST_NOT_GRANTED', hint: expect.any(String) as string }],
    [5, -32603, undefined],
    [6, -32603, undefined],
    [null, -32700, undefined],
    [null, -32600, undefined],
  ])
})

it('answers no notification', async () => {
  let heard = 0
  methods.set('note', () => {
    heard += 1
    return {}
  })
  tool.write(`{"jsonrpc": "2.0", "method": "note"}\n${request(1, 'echo')}`)
  expect(await answers(1)).toMatchObject([{ id: 1 }])
  expect(heard).toBe(1)
})

describe('a tool that means no good', () => {
  /** Writes until the other end takes no more, for so many turns. */
  async function flood(line: string, turns = 200): Promise<void> {
    for (let n = 0; n < turns && !tool.destroyed; n++) {
      if (tool.writableLength < 4_000_000) tool.write(line.repeat(1000))
      await turn()
    }
  }

  it('and never reads has no more than 64 requests at work or waiting to be taken', async () => {
    let begun = 0
    methods.set('echo', () => {
      begun += 1
      return 'x'.repeat(100_000)
    })
    tool.pause()
    await flood(request(1, 'echo'))
    // What the socket itself holds was taken by the kernel.
    expect(begun).toBeGreaterThan(0)
    expect(begun).toBeLessThan(64 + 20)
    expect(tool.writableLength).toBeGreaterThan(100_000)
  })

  it('and asks for what never comes has no more than 64 at work', async () => {
    let begun = 0
    methods.set('echo', () => {
      begun += 1
      return new Promise(() => {})
    })
    await flood(request(1, 'echo'))
    expect(begun).toBe(64)
  })

  it('and floods lets the server do its other work', async () => {
    tool.resume()
    let turns = 0
    const flooding = flood(request(1, 'echo', { text: 'x'.repeat(1000) }), 50)
    while (turns < 50) {
      await turn()
      turns += 1
    }
    await flooding
    expect(faults).toEqual([])
  })

  it('and never ends its line is cut off', async () => {
    tool.write('x'.repeat(1_500_000))
    await closed(tool)
    expect(faults).toEqual(['sent a line longer than 1048576 bytes'])
  })

  it('and ends a line of just that length is heard', async () => {
    const text = 'x'.repeat(1_000_000)
    tool.write(request(1, 'echo', { text }))
    expect(await answers(1)).toMatchObject([{ result: { text } }])
  })

  it('and sends without end is cut off', async () => {
    tool.resume()
    const line = `{"jsonrpc": "2.0", "method": "echo", "params": {"text": "${'x'.repeat(1_000_000)}"}}\n`
    const end = closed(tool)
    for (let n = 0; n < 80 && !tool.destroyed; n++) {
      if (!tool.write(line)) await Promise.race([new Promise((resolve) => tool.once('drain', resolve)), end])
    }
    await end
    expect(faults).toEqual(['sent more than 67108864 bytes'])
  })
})
