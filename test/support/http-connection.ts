import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../src/core/ports.ts'
import { openStore } from '../../src/platform/storage/store.ts'
import type { Connection, ConnectOptions, Exchange, Notice } from '../../src/tools/upstream/connection.ts'
import { connectHttp } from '../../src/tools/upstream/http/connect.ts'
import { createSignIns, type SignIns } from '../../src/tools/upstream/http/sign-ins.ts'
import type { HttpTransport, UpstreamServer } from '../../src/tools/upstream/server.ts'

export interface HttpConnector {
  connect(
    transport: string | (Partial<HttpTransport> & { url: string }),
    protocol?: UpstreamServer['protocol'],
    options?: Partial<ConnectOptions> & { clock?: Clock },
  ): Promise<Connection>
  /** Notices of all connections. */
  readonly notices: Notice[]
}

/** No sign-ins. */
export const noSignIns: SignIns = {
  find: () => undefined,
  save: () => {},
  want: () => {},
  remove: () => false,
}

/** Opens connections that are closed after the test. */
export function httpConnector(signIns: SignIns = noSignIns): HttpConnector {
  const open = new Set<Connection>()
  const notices: Notice[] = []
  afterEach(async () => {
    await Promise.all([...open].map((connection) => connection.close()))
    open.clear()
    notices.length = 0
  })
  return {
    notices,
    async connect(transport, protocol = 'auto', { clock = Date.now, ...options } = {}) {
      const connection = await connectHttp(
        { kind: 'http', headers: {}, ...(typeof transport === 'string' ? { url: transport } : transport) },
        protocol,
        { name: 'there', signIns, clock },
        {
          onNotice: (notice) => notices.push(notice),
          signal: new AbortController().signal,
          maxMessageBytes: 1 << 20,
          ...options,
        },
      )
      open.add(connection)
      return connection
    },
  }
}

export function exchange(more: Partial<Exchange> = {}): Exchange {
  return { signal: new AbortController().signal, asks: [], ...more }
}

export function callTool(
  connection: Connection,
  name: string,
  args: JsonObject = {},
  more: Partial<Exchange> = {},
) {
  return connection.request('tools/call', { name, arguments: args }, exchange(more))
}

/** A store for sign-ins that is removed after the test. */
export function temporarySignIns(): { signIns: () => SignIns; folder: () => string } {
  const made: (() => void)[] = []
  let current: { signIns: SignIns; folder: string } | undefined
  const make = (): { signIns: SignIns; folder: string } => {
    const folder = mkdtempSync(join(tmpdir(), 'contextd-sign-ins-'))
    const store = openStore(join(folder, 'contextd.db'))
    made.push(() => {
      store.close()
      rmSync(folder, { recursive: true })
    })
    return { signIns: createSignIns(store, join(folder, 'keys', 'sign-ins.key'), 'local', Date.now), folder }
  }
  afterEach(() => {
    current = undefined
    for (const undo of made.splice(0)) undo()
  })
  return { signIns: () => (current ??= make()).signIns, folder: () => (current ??= make()).folder }
}

/** Resolves when the condition holds; otherwise the time limit of the test applies. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}
