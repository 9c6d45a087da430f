import { afterEach, describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { fixtureTransport } from '../../../../test/support/upstream-fixtures/stdio-transport.ts'
import { ConnectionLost, type Connection, type Exchange } from '../connection.ts'
import { connectStdio } from './connect.ts'

const maxMessageBytes = 1 << 18
const open: Connection[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()))
})

async function connect(
  mode: string,
  signal: AbortSignal = new AbortController().signal,
  transport = fixtureTransport('naughty', [mode]),
): Promise<Connection> {
  const parts = { project: '/', env: process.env }
  const connection = await connectStdio(transport, 'auto', parts, {
    onNotice: () => {},
    signal,
    maxMessageBytes,
  })
  open.push(connection)
  return connection
}

function call(
  connection: Connection,
  more: Partial<Exchange> = {},
  args: JsonObject = {},
): Promise<JsonObject> {
  const exchange: Exchange = { signal: new AbortController().signal, asks: [], ...more }
  return connection.request('tools/call', { name: 'any', arguments: args }, exchange)
}

/** The outcome of a call to a server with this misbehaviour. */
async function outcome(mode: string): Promise<unknown> {
  const connection = await connect(mode)
  return call(connection).catch((error: unknown) => error)
}

function lost(message: string, sent: boolean, lastLine?: string): unknown {
  return expect.objectContaining({
    name: 'ConnectionLost',
    message: expect.stringContaining(message),
    sent,
    lastLine,
  })
}

const ok = { content: [{ type: 'text', text: 'ok' }] }

describe('a server that ends', () => {
  test('at its start reports why', async () => {
    await expect(connect('dies-at-start')).rejects.toEqual(
      lost('exit code 1', false, 'the configuration is wrong'),
    )
  })

  test('during calls fails all of them as sent', async () => {
    const connection = await connect('exit')
    const calls = await Promise.allSettled([call(connection), call(connection), call(connection)])
    const expected = lost('exit code 3', true, 'it broke here')
    expect(calls).toEqual(calls.map(() => ({ status: 'rejected', reason: expected })))
    await expect(connection.ended).resolves.toEqual(lost('exit code 3', false, 'it broke here'))
  })

  test('while idle leaves later calls unsent', async () => {
    const connection = await connect('exits-idle')
    await connection.ended
    await expect(call(connection)).rejects.toEqual(lost('exit code 5', false))
    await expect(connection.subscribe('fixture://one')).rejects.toEqual(lost('exit code 5', false))
  })

  test('has no program or folder', async () => {
    const missing = fixtureTransport('naughty', [], { command: '/nonexistent/secret-name' })
    await expect(connect('', undefined, missing)).rejects.toEqual(lost('its program was not found', false))
    // `/usr/bin` is a folder, for which the system returns EACCES.
    const hidden = fixtureTransport('naughty', [], { command: 'bin', env: { PATH: '/usr' } })
    await expect(connect('', undefined, hidden)).rejects.toEqual(lost('its program was not found', false))
    const nowhere = fixtureTransport('naughty', [], { cwd: '/nonexistent/folder' })
    await expect(connect('', undefined, nowhere)).rejects.toEqual(lost('its working directory', false))
    const forbidden = fixtureTransport('naughty', [], { command: '/etc/passwd' })
    await expect(connect('', undefined, forbidden)).rejects.toEqual(lost('EACCES', false))
  })

  test('requires an unavailable sandbox and does not run', async () => {
    const transport = fixtureTransport('naughty', [], { sandbox: { capabilities: [] } })
    await expect(connect('', undefined, transport)).rejects.toEqual(lost('no sandbox', false))
  })

  test('is closed by us fails its calls', async () => {
    const connection = await connect('hangs')
    const stop = new AbortController()
    const waiting = call(await connect('questions'), { signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await connection.close()
    await expect(call(connection)).rejects.toEqual(lost('closed', false))
  })
})

test('the signal cancels a hanging start', async () => {
  const stop = new AbortController()
  const starting = connect('hangs-at-start', stop.signal)
  const reason = new Error('too slow')
  setTimeout(() => stop.abort(reason), 300)
  await expect(starting).rejects.toEqual(lost('the start was cancelled', false))
  await expect(connect('old', stop.signal)).rejects.toBe(reason)
})

describe('a server that sends too much', () => {
  test.each(['endless-line', 'long-line'])(
    '%s: the conversation ends, and memory stays small',
    async (mode) => {
      const connection = await connect(mode)
      const before = process.memoryUsage().rss
      const expected = lost(`more than ${maxMessageBytes} bytes`, true)
      await expect(call(connection)).rejects.toEqual(expected)
      expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20)
      await expect(call(connection)).rejects.toEqual(lost('more than', false))
    },
  )

  test('messages up to the limit are read', async () => {
    const transport = fixtureTransport('naughty', ['long-line'])
    const parts = { project: '/', env: process.env }
    const signal = new AbortController().signal
    const connection = await connectStdio(transport, 'auto', parts, {
      onNotice: () => {},
      signal,
      maxMessageBytes: 1 << 21,
    })
    open.push(connection)
    expect(((await call(connection)).text as string).length).toBe(1 << 20)
  })

  test('on standard error does no harm', async () => {
    const connection = await connect('chatty')
    for (let count = 0; count < 20; count++)
      expect(await call(connection)).toEqual({ mode: 'chatty', marker: '' })
    await connection.close()
    expect(await connection.ended).toMatchObject({ lastLine: 'noise' })
  })

  test('thousands of unsupported questions are refused', async () => {
    expect(await outcome('questions')).toEqual({ answers: { 'error -32601': 4000, 'answer {}': 1000 } })
  })

  test('only some of its questions are open at a time', async () => {
    const connection = await connect('questions')
    let asked = 0
    let most = 0
    let running = 0
    const ask = async (): Promise<JsonObject> => {
      asked++
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running--
      return { action: 'cancel' }
    }
    const { answers } = (await call(connection, { asks: ['elicitation'], ask })) as {
      answers: Record<string, number>
    }
    expect(most).toBeLessThanOrEqual(32)
    expect(answers['answer {"action":"cancel"}']).toBe(asked)
    expect(answers).toMatchObject({ 'error -32601': 3000, 'answer {}': 1000, 'error -32603': 1000 - asked })
  })
})

describe('a server that sends invalid lines', () => {
  test('between its messages is used', async () => {
    expect(await outcome('nonsense')).toEqual(ok)
  })

  test('and nothing else is disconnected', async () => {
    expect(await outcome('only-nonsense')).toEqual(lost('1000 lines that are not messages', true))
  })

  test.each(['unknown-id', 'twice'])('%s: each call gets its own answer', async (mode) => {
    const connection = await connect(mode)
    expect(await Promise.all([call(connection), call(connection), call(connection)])).toEqual([ok, ok, ok])
    expect(await call(connection)).toEqual(ok)
  })

  test('in unusual shapes: valid answers are used', async () => {
    expect(await outcome('shapes')).toEqual({ content: [] })
  })

  test.each([
    ['deep', 'nests deeper'],
    ['not-utf8', 'not UTF-8'],
    ['wrong-result', 'not an object'],
  ])('%s: the call fails immediately, and the next one works', async (mode, why) => {
    const connection = await connect(mode)
    for (let count = 0; count < 2; count++) {
      const failed = { name: 'ServerError', code: -32603, message: expect.stringContaining(why) }
      await expect(call(connection)).rejects.toMatchObject(failed)
    }
  })

  test('its errors are passed on, also malformed ones', async () => {
    expect(await outcome('own-error')).toMatchObject({ code: -32050, message: 'my own', data: { why: 1 } })
    expect(await outcome('wrong-error')).toMatchObject({ name: 'ServerError', code: -32603 })
  })

  test('keys such as __proto__ are data', async () => {
    const result = (await outcome('pollution')) as JsonObject
    expect(Object.keys(result)).toEqual(['__proto__', 'constructor'])
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('a server that half closes', () => {
  test('its output ends the connection', async () => {
    expect(await outcome('close-stdout')).toEqual(lost('it closed its output', true, 'no more words'))
  })

  test('its input: calls queue up to a limit, and its questions get no answers', async () => {
    const connection = await connect('stop-reading')
    const waiting = call(connection)
    const large = { text: 'x'.repeat(3 << 20) }
    const calls = Array.from({ length: 20 }, () => call(connection, {}, large))
    const settling = Promise.allSettled([waiting, ...calls])
    await expect(calls[19]).rejects.toEqual(lost('does not read', false))
    await connection.close()
    const settled = await settling
    const reasons = settled.map((each) => (each as PromiseRejectedResult).reason as ConnectionLost)
    expect(reasons.filter(({ sent }) => sent).length).toBeLessThan(6)
    expect(reasons.every((reason) => reason instanceof ConnectionLost)).toBe(true)
  })
})
