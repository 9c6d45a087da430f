import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Memory per connection, in our process. */
export interface IdleConnections {
  readonly heapKb: number
  readonly rssKb: number
}

export async function measureIdleConnections(): Promise<IdleConnections> {
  const script = 'benchmarks/gateway/idle-connections.ts'
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/run-ts.mjs', script])
  return JSON.parse(stdout) as IdleConnections
}
