import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, describe, expect, test } from 'vitest'

import type { LogLevel, Progress } from '../../../core/call.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import { fixtureTransport } from '../../../../test/support/upstream-fixtures/stdio-transport.ts'
import { ServerError, type Connection, type Exchange, type Notice } from '../connection.ts'
import type { UpstreamServer } from '../server.ts'
import { connectStdio } from './connect.ts'

const project = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-upstream-')))
afterAll(() => rmSync(project, { recursive: true }))

const open: Connection[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()))
})

let notices: Notice[] = []
async function connect(
  protocol: UpstreamServer['protocol'] = 'auto',
  transport = fixtureTransport('well-behaved'),
): Promise<Connection> {
  notices = []
  const connection = await connectStdio(
    transport,
    protocol,
    { project, env: { ...process.env, ANTHROPIC_API_KEY: 'our own key' } },
    {
      onNotice: (notice) => notices.push(notice),
      signal: new AbortController().signal,
      maxMessageBytes: 1 << 20,
    },
  )
  open.push(connection)
  return connection
}

const quiet: Exchange = { signal: new AbortController().signal, asks: [] }

async function call(
  connection: Connection,
  name: string,
  exchange: Partial<Exchange> = {},
  args: JsonObject = {},
): Promise<string> {
  const { signal } = new AbortController()
  const params = { name, arguments: args }
  const result = await connection.request('tools/call', params, { signal, asks: [], ...exchange })
  return ((result.content as JsonObject[])[0]?.text ?? '') as string
}

async function eventually(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe.each([
  ['legacy', 'auto'],
  ['modern', 'modern'],
] as const)('a %s conversation', (era, protocol) => {
  test('begins with the handshake', async () => {
    const connection = await connect(protocol)
    expect(connection).toMatchObject({
      era,
      server: { name: 'well-behaved', version: '1.2.3' },
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
      instructions: 'Be kind.',
    })
  })

  test('returns concurrent results unchanged', async () => {
    const connection = await connect(protocol)
    const texts = Array.from({ length: 50 }, (_, index) => `text ${index}\n"ü"`)
    expect(await Promise.all(texts.map((text) => call(connection, 'echo', {}, { text })))).toEqual(texts)
  })

  test('passes on the errors of the server', async () => {
    const connection = await connect(protocol)
    const error = await connection.request('resources/read', { uri: 'fixture://none' }, quiet).catch(identity)
    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('fixture://none') })
  })

  test('reports progress to its request', async () => {
    const connection = await connect(protocol)
    const seen: Progress[] = []
    const listening = call(connection, 'progress', { onProgress: (progress) => seen.push(progress) })
    const deaf = call(connection, 'progress')
    expect(await Promise.all([listening, deaf])).toEqual(['done', 'nobody listens'])
    expect(seen).toEqual([1, 2].map((at) => ({ progress: at, total: 2, message: `step ${at}` })))
  })

  test('filters log messages by the level of each request', async () => {
    const connection = await connect(protocol)
    const logged = async (logLevel?: LogLevel): Promise<string[]> => {
      const levels: string[] = []
      const onLog = (level: LogLevel, message: Json, logger?: string): void => {
        expect([message, logger]).toEqual([`a message of level ${level}`, 'fixture'])
        levels.push(level)
      }
      await call(connection, 'log', { onLog, ...(logLevel && { logLevel }) })
      return levels
    }
    expect(await logged()).toEqual([])
    expect(await logged('error')).toEqual(['error'])
    expect(await logged('info')).toEqual(['info', 'error'])
    expect(await logged('error')).toEqual(['error'])
    expect(await logged('debug')).toEqual(['debug', 'info', 'error'])
  })

  test('cancels a call immediately and notifies the server', async () => {
    const connection = await connect(protocol)
    const stop = new AbortController()
    const reason = new Error('enough')
    const waiting = call(connection, 'wait', { signal: stop.signal })
    expect(await call(connection, 'cancelled')).toBe('0')
    stop.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await eventually(async () => (await call(connection, 'cancelled')) === '1')
    await expect(call(connection, 'wait', { signal: stop.signal })).rejects.toBe(reason)
  })

  test('reports changed lists and subscribed resources', async () => {
    const connection = await connect(protocol)
    const list: Notice = { kind: 'list', list: 'tools' }
    const resource: Notice = { kind: 'resource', uri: 'fixture://one' }
    await call(connection, 'echo', {}, { text: 'the subscription is open now' })
    await call(connection, 'change')
    await eventually(() => notices.some(({ kind }) => kind === 'list'))
    if (era === 'modern') expect(notices).toEqual([list])

    await connection.subscribe('fixture://one')
    if (era === 'legacy') expect(await call(connection, 'subscribed')).toBe('fixture://one')
    notices = []
    await call(connection, 'change')
    await eventually(() => notices.length === 2)
    expect(notices).toEqual([list, resource])

    await connection.unsubscribe('fixture://one')
    if (era === 'legacy') return expect(await call(connection, 'subscribed')).toBe('')
    notices = []
    await call(connection, 'change')
    await eventually(() => notices.length === 1)
    expect(notices).toEqual([list])
  })
})

const identity = (error: unknown): unknown => error

describe('questions of a server', () => {
  const answers: Record<string, JsonObject> = {
    elicitation: { action: 'accept', content: { name: 'blue' } },
    sampling: { role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } },
    roots: { roots: [{ uri: 'file:///somewhere' }] },
  }

  test('go to the capable caller, concurrently', async () => {
    const connection = await connect()
    const asks = ['elicitation', 'sampling', 'roots'] as const
    const ask: Exchange['ask'] = async ({ kind }) => answers[kind]!
    const replies = await Promise.all(
      ['ask', 'sample', 'roots'].map((name) => call(connection, name, { asks, ask })),
    )
    expect(replies.map((reply) => JSON.parse(reply))).toEqual(asks.map((kind) => answers[kind]))
  })

  test('are refused if no caller supports or answers them', async () => {
    const connection = await connect()
    expect(await call(connection, 'ask')).toBe('error -32601')
    const deaf = { asks: ['sampling'] as const, ask: async () => answers.elicitation! }
    expect(await call(connection, 'ask', deaf)).toBe('error -32601')
    const ask = (): Promise<never> => Promise.reject(new Error('gone'))
    expect(await call(connection, 'ask', { asks: ['elicitation'], ask })).toBe('error -32603')
    const rejected = new ServerError({ code: -1, message: 'User rejected' })
    const refuse = (): Promise<never> => Promise.reject(rejected)
    expect(await call(connection, 'ask', { asks: ['elicitation'], ask: refuse })).toBe('error -1')
  })

  test('go to the newest capable call', async () => {
    const connection = await connect()
    const stop = new AbortController()
    const asked: string[] = []
    const asking = (who: string): Partial<Exchange> => ({
      asks: ['elicitation'],
      ask: async () => {
        asked.push(who)
        return answers.elicitation!
      },
    })
    const older = call(connection, 'wait', { ...asking('older'), signal: stop.signal })
    await call(connection, 'ask', asking('newer'))
    await call(connection, 'ask')
    expect(asked).toEqual(['newer', 'older'])
    stop.abort()
    await expect(older).rejects.toThrow()
  })

  test('end a modern call, which is repeated with the answers', async () => {
    const connection = await connect('modern')
    const params = { name: 'ask', arguments: {} }
    const exchange: Exchange = { ...quiet, asks: ['elicitation'] }
    expect(await connection.request('tools/call', params, exchange)).toMatchObject({
      resultType: 'input_required',
      requestState: 'state',
      inputRequests: { which: { method: 'elicitation/create', params: { message: 'Which?' } } },
    })
    const inputResponses = { which: answers.elicitation! }
    const again = { ...params, inputResponses, requestState: 'state' }
    const done = await connection.request('tools/call', again, exchange)
    expect(JSON.parse((done.content as JsonObject[])[0]!.text as string)).toEqual(answers.elicitation)
    await expect(connection.request('tools/call', params, quiet)).rejects.toMatchObject({ code: -32021 })
  })
})

describe('the handshake', () => {
  test('falls back to the newer protocol in the same process', async () => {
    const connection = await connect('auto', fixtureTransport('well-behaved', ['modern']))
    expect(connection.era).toBe('modern')
    expect(await call(connection, 'echo', {}, { text: 'hello' })).toBe('hello')
    await expect(connect('legacy', fixtureTransport('well-behaved', ['modern']))).rejects.toMatchObject({
      name: 'ConnectionLost',
      message: expect.stringContaining('refused the handshake'),
      sent: false,
    })
  })

  test('accepts older versions but not unknown ones', async () => {
    expect(await connect('auto', fixtureTransport('naughty', ['old']))).toMatchObject({ era: 'legacy' })
    for (const mode of ['unknown-version', 'refuses']) {
      await expect(connect('auto', fixtureTransport('naughty', [mode]))).rejects.toMatchObject({
        name: 'ConnectionLost',
        message: expect.stringContaining('refused the handshake'),
      })
    }
  })

  test('ignores a banner', async () => {
    expect(await connect('auto', fixtureTransport('naughty', ['banner']))).toMatchObject({ era: 'legacy' })
  })

  test('a server gets its declared and inherited environment and the project folder', async () => {
    const connection = await connect(
      'auto',
      fixtureTransport('well-behaved', [], { env: { TOKEN: 'declared' } }),
    )
    const { env, cwd } = JSON.parse(await call(connection, 'environment')) as {
      env: Record<string, string>
      cwd: string
    }
    expect(cwd).toBe(project)
    expect(env).toMatchObject({ TOKEN: 'declared', PATH: process.env.PATH })
    expect(env).not.toHaveProperty('ANTHROPIC_API_KEY')
    expect(Object.keys(env).filter((name) => /vitest|npm_/i.test(name))).toEqual([])
  })
})
