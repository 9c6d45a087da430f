import { describe, expect, test, vi } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { lookupIn } from '../../../test/support/http-egress.ts'
import { issuesIn, runTool } from '../../../test/support/run-tool.ts'
import { webServers } from '../../../test/support/web-servers.ts'
import type { Call } from '../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../../core/ports.ts'
import type { Answer } from '../../core/result.ts'
import { estimateTokens } from '../../stages/budget/estimate.ts'
import { createEgress } from '../http/egress.ts'
import { hostFetch } from '../http/host-fetch.ts'
import { httpFetch } from './http-fetch.ts'

const { serve, closedPort } = webServers()
const egress = createEgress({
  timeMs: 100_000,
  responseBytes: 10_000,
  report: () => {},
  lookup: lookupIn({ 'app.example': ['127.0.0.1'] }),
})
const tool = httpFetch(() => egress)

function callWith(port: number, parts: Partial<Call> = {}): Call {
  const principal = { agent: 'scout', level: 'default' } as const
  const scopes = [`app.example:${port}`, `127.0.0.1:${port}`]
  return aCall({ principal, grants: scopes.map((scope) => ({ kind: 'http:fetch', scope })), ...parts })
}

async function run(port: number, args: JsonObject = {}): Promise<JsonObject> {
  const request = { url: `http://app.example:${port}/path`, ...args }
  expect(issuesIn(tool, request)).toEqual([])
  const result = await runTool(tool, request, { call: callWith(port) } as ToolHost)
  return ((result as Answer).structured as { data: JsonObject }).data
}

describe('http_fetch', () => {
  test('answers status, text and the headers that are of use', async () => {
    const port = await serve((request, response) => {
      response.setHeader('set-cookie', 'session=hush')
      response.setHeader('x-powered-by', 'noise')
      response.setHeader('etag', '"1"')
      response.writeHead(404, { 'content-type': 'application/json' })
      request.pipe(response)
    })
    const asked = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"a":1}' }
    expect(await run(port, asked)).toEqual({
      status: 404,
      url: `http://app.example:${port}/path`,
      headers: { 'content-type': 'application/json', etag: '"1"' },
      body: '{"a":1}',
    })
  })

  test('describes what is no text, and says what was cut', async () => {
    const image = await serve((_request, response) => {
      response.setHeader('content-type', 'image/png')
      response.end(Buffer.alloc(2000))
    })
    expect((await run(image)).body).toBe('(image/png, 2000 bytes)')
    const long = await serve((_request, response) => response.end('x'.repeat(10_001)))
    expect(await run(long)).toMatchObject({ truncated: true, body: 'x'.repeat(10_000) })
  })

  test.each<[string, JsonObject, string]>([
    ['another host', { url: 'http://evil.example/?token=hush' }, 'HOST_NOT_GRANTED'],
    ['a name that is none', { url: 'http://hush@evil.example/' }, 'INVALID_ARGUMENTS'],
    ['a method that is none', { method: 'HUSH' }, 'INVALID_ARGUMENTS'],
    ['a header of the connection', { headers: { host: 'hush' } }, 'INVALID_ARGUMENTS'],
    ['a host that is not there', {}, 'FETCH_FAILED'],
  ])('refuses %s without repeating it', async (_, args, code) => {
    const port = await closedPort()
    const error: unknown = await run(port, args).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code })
    const told = JSON.stringify((error as { toObject(): unknown }).toObject())
    expect(told).not.toMatch(/hush|evil|app\.example/i)
  })

  test('names the agent, and what would have to be granted', async () => {
    const failed = run(await closedPort(), { url: 'http://evil.example/' })
    await expect(failed).rejects.toThrow('Agent scout may not reach this address: no grant covers this host')
  })

  test.each<[string, JsonObject]>([
    ['a body', { body: 'x' }],
    ['a method override', { headers: { 'X-Method-Override': 'PUT' } }],
  ])('refuses %s where only GET is granted', async (_, args) => {
    let hits = 0
    const port = await serve((_request, response) => response.end(String(++hits)))
    const runWith = (scope: string): Promise<unknown> => {
      const call = callWith(port, { grants: [{ kind: 'http:fetch', scope }] })
      return runTool(tool, { url: `http://127.0.0.1:${port}/`, ...args }, { call } as ToolHost)
    }
    const refused = runWith(`GET@127.0.0.1:${port}`)
    await expect(refused).rejects.toMatchObject({ code: 'HOST_NOT_GRANTED' })
    expect(hits).toBe(0)
    await runWith(`127.0.0.1:${port}`)
    expect(hits).toBe(1)
  })

  test('ends with its call', async () => {
    const controller = new AbortController()
    const port = await serve(() => controller.abort())
    const call = callWith(port, { signal: controller.signal })
    const ended = runTool(tool, { url: `http://app.example:${port}/` }, { call } as ToolHost)
    await expect(ended).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  test('is checked before it runs, needs its capability, and is cheap to list', () => {
    expect(issuesIn(tool, { url: 'http://a/', method: 1, headers: { a: 1 } })).toHaveLength(2)
    expect(tool.needs).toEqual(['http:fetch'])
    expect(estimateTokens(JSON.stringify({ ...tool.definition, annotations: undefined }))).toBeLessThan(105)
  })
})

describe('the fetch of a tool’s host', () => {
  test('has the same bounds, and gives bytes where there is no text', async () => {
    const hits = vi.fn()
    const port = await serve((request, response) => {
      hits()
      response.setHeader('content-type', request.url === '/image' ? 'image/png' : 'text/plain')
      response.end(request.method)
    })
    const fetch = hostFetch(egress, callWith(port))
    const base = `http://app.example:${port}`
    expect(await fetch(`${base}/`)).toMatchObject({ status: 200, body: 'GET' })
    expect(await fetch(`${base}/image`, { method: 'PUT' })).toMatchObject({ body_base64: 'UFVU' })
    await expect(fetch('http://evil.example/')).rejects.toMatchObject({ code: 'HOST_NOT_GRANTED' })
    expect(hits).toHaveBeenCalledTimes(2)
    for (const init of [
      { method: 'CONNECT' },
      { body: 1 },
      { extra: 'x' },
      { url: 'http://evil.example/' },
    ]) {
      const asked = fetch(`${base}/`, init).then(({ url }) => url)
      if ('url' in init) expect(await asked).toBe(`${base}/`)
      else await expect(asked).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
    }
  })
})
