import { once } from 'node:events'
import { connect, constants, createServer, type ClientHttp2Stream, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import { until } from '@contextd/shared/testing/until'
import { doorLimits, type DoorLimits, type LimitHit } from '../limits/door-limits.ts'
import { watchSessions } from './grpc-http2.ts'

const longer = Buffer.alloc(4 << 20)

/** A server that answers every request with the output of `respond`, and a client. */
async function open(limits: Partial<DoorLimits>, respond: (stream: ServerHttp2Stream) => void) {
  const hits: LimitHit[] = []
  const server = createServer()
  const sessions = watchSessions(server, {
    ...doorLimits,
    ...limits,
    onLimitHit: (limit) => void hits.push(limit),
  })
  server.on('stream', (stream) => {
    stream.on('error', () => {})
    stream.resume().once('end', () => respond(stream))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  client.on('error', () => {})
  onTestFinished(async () => {
    client.destroy()
    await sessions.close(0)
  })
  const ask = (): ClientHttp2Stream =>
    client
      .request({ ':method': 'POST' })
      .on('error', () => {})
      .end('?')
  return { hits, client, ask }
}

test('an unread answer ends its stream, but not its connection', async () => {
  const answers = [longer, 'short']
  const { hits, ask } = await open({ unreadMs: 200 }, (stream) => stream.end(answers.shift()))
  const unread = ask()
  const closed = once(unread, 'close')
  await until(() => hits.length > 0)
  unread.resume()
  await closed
  expect([hits, unread.rstCode]).toEqual([['unread'], constants.NGHTTP2_CANCEL])
  expect(String((await once(ask(), 'data'))[0])).toBe('short')
})

test('an answer that is read completes', async () => {
  const { hits, ask } = await open({}, (stream) => stream.end(longer))
  const read = ask()
  let bytes = 0
  read.on('data', (part: Buffer) => (bytes += part.length))
  await once(read, 'end')
  expect([bytes, hits]).toEqual([longer.length, []])
})

test('waits for an answer that is not available yet', async () => {
  let stream: ServerHttp2Stream | undefined
  const { hits, ask } = await open({ unreadMs: 50 }, (one) => {
    stream = one
    one.respond()
    one.on('timeout', () => quiet++)
  })
  let quiet = 0
  const waiting = ask()
  await until(() => quiet > 0)
  stream!.write('first')
  expect(String((await once(waiting, 'data'))[0])).toBe('first')
  const before = quiet
  await until(() => quiet > before)
  stream!.end('last')
  expect(String((await once(waiting, 'data'))[0])).toBe('last')
  expect(hits).toEqual([])
})

test('an incomplete request ends its stream', async () => {
  const { hits, client } = await open({ bodyIdleMs: 100 }, (stream) => stream.end())
  const half = client.request({ ':method': 'POST' }, { endStream: false }).on('error', () => {})
  half.write('?')
  await once(half.resume(), 'close')
  expect([hits, half.rstCode]).toEqual([['body'], constants.NGHTTP2_CANCEL])
})
