import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'

import type { JsonObject } from '@contextd/shared/json/value'
import { serveMcpStdio } from '../../src/servers/mcp/stdio.ts'
import type { Runtime } from '../../src/compose.ts'

export interface StdioDoor {
  /** One line; anything but a string is sent as JSON. */
  send(message: unknown): void
  bytes(chunk: Buffer): void
  /** The next message from the server that matches. */
  next(fits: (message: JsonObject) => boolean): Promise<JsonObject>
  answer(id: number | string | null): Promise<JsonObject>
  /** Everything the server wrote so far. */
  readonly received: JsonObject[]
  hangUp(): void
  signal(name: string): void
  readonly ended: Promise<void>
}

/** The stdio server in this process, with pipes on both ends. */
export function openStdioDoor(runtime: Runtime, graceMs = 1000): StdioDoor {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const signals = new EventEmitter()
  const received: JsonObject[] = []
  const waiting = new Set<() => void>()
  let rest = ''
  stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    received.push(...lines.map((line) => JSON.parse(line) as JsonObject))
    for (const look of waiting) look()
  })
  const next: StdioDoor['next'] = (fits) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = received.find(fits)
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  return {
    send: (message) =>
      void stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    bytes: (chunk) => void stdin.write(chunk),
    next,
    answer: (id) => next((message) => message.id === id && message.method === undefined),
    received,
    hangUp: () => void stdin.end(),
    signal: (name) => void signals.emit(name),
    ended: serveMcpStdio(runtime, { stdin, stdout, signals, graceMs }),
  }
}

export const initialize = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'tester', version: '1.2' } },
}

/** The envelope of every 2026-07-28 request. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1.2' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** In a call of a program that reads the data of an answer, and not only its text. */
export const asksData = { 'dev.contextd/structured': true }

/** The server after the handshake of a client of an older revision. */
export async function opened(door: StdioDoor): Promise<StdioDoor> {
  door.send(initialize)
  await door.answer('init')
  door.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return door
}
