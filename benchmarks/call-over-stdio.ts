import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import { median } from './support/statistics.ts'

export interface StdioCalls {
  /** Milliseconds, as a client sees them. */
  readonly ours: number
  readonly theirs: number
}

/** Sequential calls by the official client, interleaved one by one so that noise hits both servers alike. */
export async function measureCallOverStdio(
  servers: Record<keyof StdioCalls, string>,
  env: Record<string, string>,
  calls: number,
): Promise<StdioCalls> {
  const connect = async (server: string): Promise<Client> => {
    const client = new Client({ name: 'bench', version: '1' })
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [server], env, stderr: 'ignore' }),
    )
    return client
  }
  const [ours, theirs] = await Promise.all([connect(servers.ours), connect(servers.theirs)])
  const timed = async (client: Client): Promise<number> => {
    const start = performance.now()
    await client.callTool({ name: 'hello', arguments: {} })
    return performance.now() - start
  }
  const samples = { ours: [] as number[], theirs: [] as number[] }
  const warmUp = 500
  for (let index = 0; index < warmUp + calls; index += 1) {
    const pair = { theirs: await timed(theirs), ours: await timed(ours) }
    if (index < warmUp) continue
    samples.ours.push(pair.ours)
    samples.theirs.push(pair.theirs)
  }
  await Promise.all([ours.close(), theirs.close()])
  return { ours: median(samples.ours), theirs: median(samples.theirs) }
}
