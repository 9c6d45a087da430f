import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import { compare, type Comparison } from './support/statistics.ts'

/** Sequential calls by the official client, alternating between the servers, so that noise affects both alike. */
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
  const timeCall = async (client: Client): Promise<number> => {
    const start = performance.now()
    await client.callTool({ name: 'hello', arguments: {} })
    return performance.now() - start
  }
  const pairs: { ours: number; theirs: number }[] = []
  const warmUp = 500
  for (let index = 0; index < warmUp + calls; index += 1) {
    const pair = { theirs: await timeCall(theirs), ours: await timeCall(ours) }
    if (index >= warmUp) pairs.push(pair)
  }
  await Promise.all([ours.close(), theirs.close()])
  return compare(pairs)
}
