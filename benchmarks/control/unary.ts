import { connect } from 'node:net'

import { createClient } from '@connectrpc/connect'
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node'

import type { JsonObject } from '@contextd/shared/json/value'
import { Tools } from '../../src/servers/control/gen/contextd/v1/tools_pb.ts'
import { compare, type Comparison } from '../support/statistics.ts'

export interface ToolsClient {
  call(): Promise<unknown>
  close(): void
}

/** Calls a tool, by default the empty one, over its own connection. */
export function toolsClient(
  socket: string,
  request: { readonly name: string; readonly arguments: JsonObject } = { name: 'hello', arguments: {} },
): ToolsClient {
  const baseUrl = 'http://localhost'
  const sessionManager = new Http2SessionManager(baseUrl, {}, { createConnection: () => connect(socket) })
  const client = createClient(Tools, createGrpcTransport({ baseUrl, sessionManager }))
  return {
    call: () => client.call(request),
    close: () => sessionManager.abort(),
  }
}

/** Sequential calls by the same client, alternating between the servers, so that noise affects both alike. */
export async function measureUnary(
  sockets: { ours: string; theirs: string },
  calls: number,
): Promise<Comparison> {
  const [ours, theirs] = [toolsClient(sockets.ours), toolsClient(sockets.theirs)]
  const timeCall = async (client: ToolsClient): Promise<number> => {
    const start = performance.now()
    await client.call()
    return performance.now() - start
  }
  const pairs: { ours: number; theirs: number }[] = []
  const warmUp = 1000
  for (let index = 0; index < warmUp + calls; index += 1) {
    const pair = { theirs: await timeCall(theirs), ours: await timeCall(ours) }
    if (index >= warmUp) pairs.push(pair)
  }
  ours.close()
  theirs.close()
  return compare(pairs)
}
