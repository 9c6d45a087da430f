import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'

import { expect, test, vi } from 'vitest'

import { doorRuntime } from '../../../test/support/door-runtime.ts'
import { aTool } from '../../../test/support/door-tools.ts'
import { asksData, initialize, opened, openStdioDoor } from '../../../test/support/stdio-door.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { answer } from '../../core/result.ts'
import { serveMcpStdio } from './stdio.ts'

const echo = aTool('echo', async (args) => answer(args))

/** A small buffer, regardless of Node's default pipe size. */
const narrowPipe = (): PassThrough => new PassThrough({ highWaterMark: 16_384 })

const slow = (finish: Promise<unknown>) => aTool('slow', async () => (await finish, answer('done')))

test.each(['hang-up', 'SIGINT', 'SIGTERM'])(
  '%s: running calls are answered, then all is closed',
  async (how) => {
    let finish: (value?: unknown) => void = () => {}
    const runtime = doorRuntime({ tools: [slow(new Promise((resolve) => (finish = resolve)))] })
    const door = await opened(openStdioDoor(runtime))
    door.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow', _meta: asksData } })
    if (how === 'hang-up') door.hangUp()
    else door.signal(how)
    setImmediate(() => finish())
    await door.ended
    expect(await door.answer(1)).toMatchObject({ result: { structuredContent: { data: 'done' } } })
    expect(runtime.closed()).toBe(true)
  },
)

test('a client that does not read gets what fits, and cannot delay the end', async () => {
  const runtime = doorRuntime({ tools: [echo] })
  const [stdin, stdout, signals] = [new PassThrough(), narrowPipe(), new EventEmitter()]
  const ended = serveMcpStdio(runtime, { stdin, stdout, signals, graceMs: 60_000 })
  stdin.write(`${JSON.stringify(initialize)}\n`)
  for (let id = 0; id < 200; id += 1) {
    const params = { name: 'echo', arguments: { text: 'x'.repeat(500) }, _meta: asksData }
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`)
  }
  // The last call was made, and its answer waits behind a full pipe.
  await vi.waitFor(() => expect(runtime.seen).toHaveLength(200), 30_000)
  await vi.waitFor(() => expect(stdout.writableNeedDrain).toBe(true), 30_000)
  expect(stdout.listenerCount('drain')).toBe(1)
  signals.emit('SIGTERM')
  await ended
  expect(runtime.closed()).toBe(true)
})

test('a client that reads late gets everything before the end', async () => {
  const runtime = doorRuntime({ tools: [echo] })
  const [stdin, stdout, signals] = [new PassThrough(), narrowPipe(), new EventEmitter()]
  let over = false
  const ended = serveMcpStdio(runtime, { stdin, stdout, signals, graceMs: 60_000 }).then(() => (over = true))
  stdin.write(`${JSON.stringify(initialize)}\n`)
  const params = { name: 'echo', arguments: { text: 'x'.repeat(100_000) }, _meta: asksData }
  stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`)
  await vi.waitFor(() => expect(stdout.writableNeedDrain).toBe(true), 30_000)
  expect(over).toBe(false)
  let text = ''
  stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await ended
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as JsonObject).id),
  ).toEqual(['init', 1])
})

test('cancels what does not finish within the grace period', async () => {
  let told: unknown
  const stuck = aTool('stuck', (_, { call }) => {
    call.signal.addEventListener('abort', () => (told = call.signal.reason))
    return new Promise(() => {})
  })
  const runtime = doorRuntime({ tools: [stuck] })
  const door = await opened(openStdioDoor(runtime, 20))
  door.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'stuck' } })
  door.hangUp()
  await door.ended
  expect(told).toMatchObject({ code: 'CANCELLED' })
  expect(runtime.closed()).toBe(true)
  expect(door.received.some(({ id }) => id === 1)).toBe(false)
})
