import { createServer, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { afterEach, expect, test } from 'vitest'

import { webServers } from '../../../../test/support/web-servers.ts'
import { openFetch, type FetchOptions, type HttpFetch } from './fetch.ts'

const web = webServers()
const open = new Set<HttpFetch>()
afterEach(() => {
  for (const http of open) http.close()
  open.clear()
})

function newFetch(options: Partial<FetchOptions> = {}): HttpFetch {
  const http = openFetch({ maxMessageBytes: 1000, clock: Date.now, ...options })
  open.add(http)
  return http
}

const headers = { 'X-Api-Key': 'declared', Authorization: 'Bearer declared' }

test('adds declared headers unless the request sets or Node manages them', async () => {
  let got: IncomingHttpHeaders = {}
  const port = await web.serve((request, response) => {
    got = request.headers
    response.end()
  })
  const { fetch } = newFetch({
    headers: { ...headers, Host: 'elsewhere', 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked' },
  })
  await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    body: '{}',
    headers: { authorization: 'Bearer own', 'content-type': 'application/json' },
  })
  expect(got).toMatchObject({
    'x-api-key': 'declared',
    authorization: 'Bearer own',
    'content-type': 'application/json',
    host: `127.0.0.1:${port}`,
    'accept-encoding': 'identity',
  })
})

test('follows redirects within the origin with all headers, and no others', async () => {
  const stolen: IncomingHttpHeaders[] = []
  const thief = await web.serve((request, response) => {
    stolen.push(request.headers)
    response.end('stolen')
  })
  let location = ''
  const arrived: (string | undefined)[] = []
  const port = await web.serve((request, response) => {
    if (request.url !== '/moved') return response.writeHead(307, { location }).end()
    arrived.push(request.headers['x-api-key'] as string)
    return response.end('here')
  })
  const { fetch } = newFetch({ headers })
  const ask = (): Promise<Response> => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })

  location = '/moved'
  expect(await (await ask()).text()).toBe('here')
  expect(arrived).toEqual(['declared'])

  for (location of [
    `http://127.0.0.1:${thief}/moved`,
    `//127.0.0.1:${thief}/`,
    `http://localhost:${port}/moved`,
  ]) {
    await expect(ask()).rejects.toMatchObject({ name: 'RequestFailed', sent: true })
    await expect(ask()).rejects.toThrow(
      /redirects to another server \(http:\/\/(127\.0\.0\.1|localhost):\d+\)/,
    )
  }
  location = `http://me:secret@127.0.0.1:${port}/moved`
  await expect(ask()).rejects.toThrow('it redirects with credentials')
  expect(stolen).toEqual([])

  // Control: the platform's fetch follows the redirect.
  location = `http://127.0.0.1:${thief}/moved`
  await globalThis.fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    body: '{}',
    headers: { 'x-api-key': 'declared' },
  })
  expect(stolen.map((seen) => seen['x-api-key'])).toEqual(['declared'])
})

test('follows three redirects, but not four, and none that changes the method', async () => {
  const port = await web.serve((request, response) => {
    const [, status = '307', left = '0'] = (request.url ?? '').split('/')
    if (left === '0') return response.end('here')
    return response.writeHead(Number(status), { location: `/${status}/${Number(left) - 1}` }).end()
  })
  const { fetch } = newFetch()
  const at = (path: string, method = 'POST') =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, ...(method === 'POST' && { body: '{}' }) })
  expect(await (await at('/307/3')).text()).toBe('here')
  await expect(at('/307/4')).rejects.toThrow('it redirects more than 3 times')
  await expect(at('/302/1')).rejects.toThrow('it redirects a request with a body, which is not followed')
  expect(await (await at('/302/1', 'GET')).text()).toBe('here')
})

test('accepts a body up to the limit', async () => {
  const refused: string[] = []
  const port = await web.serve((request, response) => response.end('a'.repeat(Number(request.url!.slice(1)))))
  const { fetch } = newFetch({ onRefused: (why) => refused.push(why) })
  expect(await (await fetch(`http://127.0.0.1:${port}/1000`)).text()).toHaveLength(1000)
  await expect(fetch(`http://127.0.0.1:${port}/1001`).then((response) => response.text())).rejects.toThrow()
  expect(refused).toEqual(['it sent a message of more than 1000 bytes'])
})

test('does not send the mark header', async () => {
  let got: IncomingHttpHeaders = {}
  const marks: unknown[] = []
  const port = await web.serve((request, response) => {
    got = request.headers
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).end()
  })
  const { fetch } = newFetch({ onResponse: (mark, isStream) => marks.push([mark, isStream]) })
  await fetch(`http://127.0.0.1:${port}/`, { headers: { 'x-contextd-mark': '7' } })
  expect(got).not.toHaveProperty('x-contextd-mark')
  expect(marks).toEqual([['7', true]])
})

test('only supports HTTP URLs', async () => {
  const { fetch } = newFetch()
  await expect(fetch('file:///etc/passwd')).rejects.toMatchObject({ name: 'RequestFailed', sent: false })
  await expect(fetch('data:text/plain,x')).rejects.toMatchObject({ sent: false })
})

test('aborted requests fail, and none is sent after close', async () => {
  const port = await web.serve(() => {})
  const http = newFetch()
  await expect(
    http.fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(50) }),
  ).rejects.toMatchObject({
    name: 'AbortError',
  })
  http.close()
  await expect(http.fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ sent: false })
})

test('closes all sockets', async () => {
  const server = createServer((request, response) => {
    if (request.url !== '/open') return void response.end()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
  })
  const port = await web.listen(server)
  const connections = (): Promise<number> => promisify(server.getConnections.bind(server))()
  const http = newFetch()
  await http.fetch(`http://127.0.0.1:${port}/open`)
  await (await http.fetch(`http://127.0.0.1:${port}/`)).text()
  expect(await connections()).toBe(2)
  http.close()
  while ((await connections()) > 0) await sleep(5)
})
