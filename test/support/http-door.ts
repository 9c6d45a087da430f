import { request } from 'node:http'

import { expect, onTestFinished } from 'vitest'

import type { Runtime } from '../../src/compose.ts'
import { ContextdError } from '../../src/core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Tool } from '../../src/core/tool.ts'
import type { DoorLimits } from '../../src/servers/limits/door-limits.ts'
import { serveHttp, type HttpHandle } from '../../src/servers/http/server.ts'
import { doorTools } from './door-tools.ts'
import { realRuntime } from './real-runtime.ts'
import { asksData, initialize, modernMeta } from './stdio-door.ts'

export interface Fixture {
  readonly runtime: Runtime
  readonly http: HttpHandle
  readonly token: (agent: string) => string
  /** Advances the clock of the server. */
  readonly pass: (minutes: number) => void
  /** Makes the end of a session impossible to write. */
  readonly lock: (locked: boolean) => void
  readonly logged: readonly string[]
  /** Announces that the lists have changed. */
  readonly announce: () => void
}

export async function start({
  limits = {},
  ...options
}: { tools?: readonly Tool[]; messageBytes?: number; limits?: Partial<DoorLimits> } = {}): Promise<Fixture> {
  let now = Date.now()
  let locked = false
  const runtime = await realRuntime({ tools: doorTools(), ...options })
  const logged: string[] = []
  const listeners = new Set<() => void>()
  const lockable: Runtime = {
    ...runtime,
    log: (_, message) => void logged.push(message),
    onListChanged(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    sessions: {
      begin: (client) => runtime.sessions.begin(client),
      join: (...which) => runtime.sessions.join(...which),
      end(session) {
        if (locked) throw new ContextdError('STORE_UNAVAILABLE', { cause: 'it is locked' })
        runtime.sessions.end(session)
      },
    },
  }
  const http = await serveHttp(lockable, { clock: () => now, graceMs: 50, limits })
  onTestFinished(async () => {
    await http.close()
    await runtime.close()
  })
  return {
    runtime,
    http,
    logged,
    token: runtime.tokenFor,
    pass: (minutes) => void (now += minutes * 60_000),
    lock: (is) => void (locked = is),
    announce: () => {
      for (const listener of listeners) listener()
    },
  }
}

export interface Reply {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly text: string
}

/** A plain request, with headers that `fetch` does not allow. */
export function send(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Buffer },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { method = 'POST', headers = {}, body } = options
    const sent = request(url, { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

export function post(
  url: string,
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  return send(url, { headers: { ...json, authorization: `Bearer ${token}`, ...headers }, body: bytes })
}

export function errorOf({ text }: Reply): JsonObject {
  return (JSON.parse(text) as { error: { data: JsonObject } }).error.data
}

/** The message in a JSON body or a short event stream. */
export function messageOf({ text }: Reply): JsonObject {
  return JSON.parse(text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? '')) as JsonObject
}

export function modernCall(
  name: string,
  args: JsonObject = {},
  meta: JsonObject = {},
): [JsonObject, Record<string, string>] {
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }
  const params = { name, arguments: args, _meta: { ...modernMeta, ...asksData, ...meta } }
  return [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers]
}

export async function openSession(url: string, token: string): Promise<string> {
  const opened = await post(url, token, initialize)
  expect(opened.status).toBe(200)
  const id = String(opened.headers['mcp-session-id'])
  const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' }
  expect(
    (await post(url, token, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers)).status,
  ).toBe(202)
  return id
}

export function legacyCall(url: string, token: string, session: string, name: string): Promise<Reply> {
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
  return post(
    url,
    token,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta: asksData } },
    headers,
  )
}
