import { mkdtempSync, rmSync } from 'node:fs'
import { request, type IncomingMessage, type RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach } from 'vitest'

import { openBridge, type HttpBridge, type BridgeOptions } from '../../src/tools/http/bridge.ts'
import type { RequestReport } from '../../src/tools/http/request-report.ts'
import { grantsOf, lookupIn, type Names } from './http-egress.ts'
import { textOf } from './web-servers.ts'

export interface BridgeProbe {
  /** Events reported since the test started. */
  readonly reports: RequestReport[]
  /** Resolved names. */
  readonly looked: string[]
  /** Opens a bridge that is closed after the test. */
  open(scopes: readonly string[], names?: Names, options?: Partial<BridgeOptions>): Promise<HttpBridge>
}

export function bridgeProbe(): BridgeProbe {
  let folder = ''
  const opened: HttpBridge[] = []
  const probe: BridgeProbe = {
    reports: [],
    looked: [],
    async open(scopes, names = {}, options = {}) {
      const bridge = await openBridge({
        folder: join(folder, 'run'),
        grants: grantsOf(scopes),
        report: (report) => probe.reports.push(report),
        timeMs: 100_000,
        lookup: lookupIn(names, probe.looked),
        ...options,
      })
      opened.push(bridge)
      return bridge
    },
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ctxd-bridge-'))
    probe.reports.length = 0
    probe.looked.length = 0
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((bridge) => bridge.close()))
    rmSync(folder, { recursive: true })
  })
  return probe
}

export type Answer = { status: number; text: string; headers: IncomingMessage['headers'] }

/** Sends a request to the bridge like programs with `http_proxy`. */
export function ask(
  { socket }: HttpBridge,
  url: string,
  options: RequestOptions = {},
  body?: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: socket, path: url, agent: false, ...options }, (message) => {
      textOf(message).then(
        (text) => resolve({ status: message.statusCode!, text, headers: message.headers }),
        reject,
      )
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** Requests a tunnel; returns the socket, or else the response. */
export function askTunnel({ socket }: HttpBridge, authority: string): Promise<Socket | Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: socket, method: 'CONNECT', path: authority, agent: false })
    asked.on('error', reject)
    asked.on('connect', (message, tunnel, head) => {
      tunnel.on('error', () => {})
      if (message.statusCode === 200) return resolve(tunnel)
      let text = String(head)
      tunnel.on('data', (chunk) => (text += String(chunk)))
      tunnel.on('end', () => resolve({ status: message.statusCode!, text, headers: message.headers }))
    })
    asked.end()
  })
}

export async function openTunnel(bridge: HttpBridge, authority: string): Promise<Socket> {
  const tunnel = await askTunnel(bridge, authority)
  if ('status' in tunnel) throw new Error(`${tunnel.status} ${tunnel.text}`)
  return tunnel
}

export const once = <T>(socket: Socket, event: string): Promise<T> =>
  new Promise((resolve) => socket.once(event, resolve))

export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve()
    else socket.resume().once('close', () => resolve())
  })
}
