import { describe, expect, test } from 'vitest'

import { start, type Fixture } from './support/http-door.ts'
import { sendRaw, statusOf } from './support/raw-http.ts'

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} })

/** A request as bytes, with these headers instead of or in addition to the usual ones. */
function request(
  door: Fixture,
  line: string,
  more: readonly string[] = [],
  {
    body = '',
    length = true,
    headers = usual(door),
  }: { body?: string; length?: boolean; headers?: string[] } = {},
): string {
  const sized = length && body !== '' ? [`Content-Length: ${body.length}`] : []
  return [`${line} HTTP/1.1`, ...headers, ...more, ...sized, 'Connection: close', '', body].join('\r\n')
}

function usual({ token }: Fixture): string[] {
  return ['Host: localhost', `Authorization: Bearer ${token('main')}`, 'Content-Type: application/json']
}

describe('a security-relevant header', () => {
  test.each(['GET /metrics', 'GET /healthz', 'GET /api/v1/openapi.json', 'GET /mcp', 'GET /elsewhere'])(
    'must not be repeated on %s',
    async (line) => {
      const door = await start()
      const plain = await sendRaw(door.http.url, request(door, line))
      expect(plain).not.toContain('more than once')
      for (const header of ['Host: evil.example', 'host: localhost', `Authorization: Bearer other`]) {
        const answer = await sendRaw(door.http.url, request(door, line, [header]))
        expect([header, statusOf(answer)]).toEqual([header, 400])
        expect(answer).toContain('more than once')
      }
    },
  )

  test.each([
    ['Origin: http://localhost', 'Origin: http://evil.example'],
    ['Mcp-Session-Id: a', 'MCP-SESSION-ID: b'],
    ['Mcp-Protocol-Version: 2025-11-25', 'Mcp-Protocol-Version: 2026-07-28'],
  ])('may occur once: %s', async (first, second) => {
    const door = await start()
    const post = (headers: string[]): Promise<string> =>
      sendRaw(door.http.url, request(door, 'POST /mcp', headers, { body: ping }))
    expect(await post([first, second])).toContain('more than once')
    expect(await post([first])).not.toContain('more than once')
  })

  test('is counted in metrics, and reveals nothing to a caller without a token', async () => {
    const door = await start()
    const headers = ['Host: localhost', 'Host: localhost', 'Authorization: Bearer wrong']
    const answer = await sendRaw(door.http.url, request(door, 'GET /metrics', [], { headers }))
    expect(statusOf(answer)).toBe(400)
    expect(answer).not.toContain('contextd_http_requests_total')
    const metrics = await sendRaw(door.http.url, request(door, 'GET /metrics'))
    expect(metrics).toContain('contextd_http_requests_total{path="/metrics",status="400"} 1')
  })
})

/** Bodies that an intermediary could parse as two requests, or with a different length. */
describe('a body with two contradicting lengths', () => {
  const chunked = `${ping.length.toString(16)}\r\n${ping}\r\n0\r\n\r\n`
  test.each<[string, string[]]>([
    ['two lengths', ['Content-Length: 0', `Content-Length: ${ping.length}`]],
    ['two lengths in one', [`Content-Length: 0, ${ping.length}`]],
    ['a length that is not a number', ['Content-Length: +5']],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 4']],
    ['chunks twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
    ['chunks that are not last', ['Transfer-Encoding: chunked, identity']],
    ['an unknown coding', ['Transfer-Encoding: xchunked']],
    ['a name with a space', ['Transfer-Encoding : chunked']],
  ])('is refused: %s', async (_, headers) => {
    const door = await start()
    const answer = await sendRaw(
      door.http.url,
      request(door, 'POST /mcp', headers, { body: chunked, length: false }),
    )
    expect(statusOf(answer)).toBe(400)
  })

  test('is read with one length', async () => {
    const door = await start()
    const post = (headers: string[], body: string): Promise<string> =>
      sendRaw(door.http.url, request(door, 'POST /mcp', headers, { body, length: false }))
    for (const answer of [
      await post(['Transfer-Encoding: chunked'], chunked),
      await post([`Content-Length: ${ping.length}`], ping),
    ]) {
      expect(answer).toContain('"expected":"a string"')
    }
  })
})
