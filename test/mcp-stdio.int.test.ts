import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { bundleScript, type BundledScript } from './support/bundled-script.ts'
import { asksData, initialize } from './support/stdio-door.ts'
import { until } from '@contextd/shared/testing/until'

let program: BundledScript
beforeAll(async () => {
  program = await bundleScript('test/support/fixture-server.ts')
})
afterAll(() => program.remove())

const started: ChildProcessWithoutNullStreams[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

interface Server {
  readonly child: ChildProcessWithoutNullStreams
  /** Every line of stdout, unchanged. */
  readonly lines: string[]
  send(message: unknown): void
  answer(id: unknown): Promise<JsonObject>
}

/** The real server as a client starts it. */
async function start(): Promise<Server> {
  const child = spawn(process.execPath, [program.path], {
    env: { PATH: process.env.PATH },
  })
  started.push(child)
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  const server: Server = {
    child,
    lines,
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    async answer(id) {
      for (;;) {
        const found = lines.map((line) => JSON.parse(line) as JsonObject).find((message) => message.id === id)
        if (found !== undefined) return found
        await once(reader, 'line')
      }
    },
  }
  server.send(initialize)
  await server.answer('init')
  server.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return server
}

const call = (id: number, name: string, args: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, _meta: { progressToken: id, ...asksData } },
})

/** Peak memory of the process, in MB; known on Linux only. */
function peakMemory({ child }: Server): number {
  if (process.platform !== 'linux') return 0
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
}

test('a message of 300 MB is refused, is not kept in memory, and the next one is answered', async () => {
  const server = await start()
  server.send(call(1, 'echo'))
  await server.answer(1)
  const before = peakMemory(server)
  const { stdin } = server.child
  stdin.write('{"method":"tools/call","params":{"name":"echo","arguments":{"text":"')
  const megabyte = Buffer.alloc(1 << 20, 'x')
  for (let sent = 0; sent < 300; sent += 1) {
    if (!stdin.write(megabyte)) await once(stdin, 'drain')
  }
  stdin.write('"}},"jsonrpc":"2.0","id":2}\n')
  expect(await server.answer(2)).toMatchObject({
    error: { data: { code: 'MESSAGE_TOO_LARGE', limit: 4_194_304 } },
  })
  // Dropped input remains until garbage collection, which starts at about 64 MB.
  expect(peakMemory(server) - before).toBeLessThan(150)
  server.send(call(3, 'echo', { after: true }))
  expect(await server.answer(3)).toMatchObject({ result: { structuredContent: { data: { after: true } } } })
})

test.each(['SIGINT', 'SIGTERM', 'closed stdin'])(
  '%s stops it cleanly, even with a call running',
  async (how) => {
    const server = await start()
    server.send(call(1, 'wait'))
    // Progress says that the tool has begun.
    await server.answer(undefined)
    if (how === 'closed stdin') server.child.stdin.end()
    else server.child.kill(how as NodeJS.Signals)
    const [code, signal] = (await once(server.child, 'exit')) as [number | null, string | null]
    expect({ code, signal }).toEqual({ code: 0, signal: null })
  },
)

test('a client that does not read cannot prevent it from exiting', async () => {
  const home = mkdtempSync(join(tmpdir(), 'contextd-test-'))
  const child = spawn(process.execPath, ['scripts/run-ts.mjs', 'src/cli/mcp.ts', 'mcp', 'serve'], {
    env: { PATH: process.env.PATH, CONTEXTD_HOME: home },
  })
  started.push(child)
  child.stdin.on('error', () => {})
  child.stdin.write(`${JSON.stringify(initialize)}\n`)
  await once(child.stdout, 'readable')
  // Many times the size of a pipe buffer.
  for (let id = 0; id < 3000; id += 1)
    child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}\n`)
  // Its responses have filled our side of the pipe, so they now wait on its own side.
  await until(() => child.stdout.readableLength >= 16_384)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  rmSync(home, { recursive: true })
})

test('a conversation sent at once is answered before exit, and stdout contains nothing else', async () => {
  const server = await start()
  for (const id of [1, 2, 3]) server.send(call(id, 'echo', { id }))
  server.child.stdin.end('half a mess')
  // Only then has all its output been read; it may exit before.
  await once(server.child, 'close')
  const messages = server.lines.map((line) => JSON.parse(line) as JsonObject)
  expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true)
  expect(messages.map(({ id }) => id)).toEqual(['init', 1, 2, 3])
})

test('the server exits when its client disappears', async () => {
  const server = await start()
  server.child.stdout.destroy()
  server.send(call(1, 'echo'))
  const [code] = (await once(server.child, 'exit')) as [number | null]
  expect(code).toBe(0)
})
