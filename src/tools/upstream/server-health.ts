import type { Pool } from './pool.ts'

/** The health of one server. */
export interface ServerHealth extends Record<string, string | number | undefined> {
  readonly server: string
  readonly state: 'not started' | 'starting' | 'connected' | 'failing'
  readonly connections: number
  readonly since?: string
  readonly why?: string
  /** The last line of its standard error, unmodified. */
  readonly last_line?: string | undefined
}

export function healthOf(server: string, pool: Pick<Pool, 'connections' | 'lastFailure'>): ServerHealth {
  const { open: connections, starting } = pool.connections(server)
  const failed = pool.lastFailure(server)
  if (failed === undefined) {
    const state = connections > 0 ? 'connected' : starting > 0 ? 'starting' : 'not started'
    return { server, state, connections }
  }
  const { why, lastLine, since } = failed
  return {
    server,
    state: 'failing',
    connections,
    since: new Date(since).toISOString(),
    why,
    last_line: lastLine,
  }
}
