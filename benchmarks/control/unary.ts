import { connect } from 'node:net'

import { createClient, type Client } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'

import { Tools } from '../../src/servers/control/gen/contextd/v1/tools_pb.ts'
import { compare, type Comparison } from '../support/statistics.ts'

/** One connection of its own over a Unix socket. */
export function toolsClient(socket: string): Client<typeof Tools> {
  return createClient(
    Tools,
    createGrpcTransport({
      baseUrl: 'http://localhost',
      nodeOptions: { createConnection: () => connect(socket) },
    }),
  )
}

/** Sequential calls by the same client, in turns, so that noise hits both servers alike. */
export async function measureUnary(
  sockets: { ours: string; theirs: string },
  calls: number,
): Promise<Comparison> {
  const [ours, theirs] = [toolsClient(sockets.ours), toolsClient(sockets.theirs)]
  const timed = async (client: Client<typeof Tools>): Promise<number> => {
    const start = performance.now()
    await client.call({ name: 'hello', arguments: {} })
    return performance.now() - start
  }
  const pairs: { ours: number; theirs: number }[] = []
  const warmUp = 1000
  for (let index = 0; index < warmUp + calls; index += 1) {
    const pair = { theirs: await timed(theirs), ours: await timed(ours) }
    if (index >= warmUp) pairs.push(pair)
  }
  return compare(pairs)
}
