import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import { compare, type Comparison } from './support/statistics.ts'

/** Sequential calls by the official client, in turns, so that noise hits both servers alike. */
export async function measureCallOverStdio(
  servers: { ours: string; theirs: string },
  env: Record<string, string>,
  calls: number,
): Promise<Comparison> {
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
  const pairs: { ours: number; theirs: number }[] = []
  const warmUp = 500
  for (let index = 0; index < warmUp + calls; index += 1) {
    const pair = { theirs: await timed(theirs), ours: await timed(ours) }
    if (index >= warmUp) pairs.push(pair)
  }
  await Promise.all([ours.close(), theirs.close()])
  return compare(pairs)
}
