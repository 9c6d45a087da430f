import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { UpstreamServer } from '../server.ts'
import { ConnectionLost, ServerError, type Connection, type Exchange } from '../connection.ts'
import { capabilitiesFor, clientInfo, modernParams } from './params.ts'
import type { RpcPeer } from './peer.ts'
import { legacyVersions, metaKeys, modernVersion } from './protocol.ts'

/** What a server says of itself. */
export type Introduction = Pick<Connection, 'era' | 'server' | 'capabilities' | 'instructions'>

/**
 * The opening of a conversation. Servers that know both sides of 2026-07-28 are spoken to in the older way, in which
 * they can ask while they work.
 */
export async function shakeHands(
  peer: RpcPeer,
  protocol: UpstreamServer['protocol'],
  exchange: Exchange,
): Promise<Introduction> {
  if (protocol === 'modern') return discover(peer, exchange)
  try {
    return await initialize(peer, exchange)
  } catch (error) {
    if (protocol === 'legacy' || !(error instanceof ServerError)) throw asConnectionLost(error)
    // Whatever it has against the question: one that knows the newer way answers this one.
    return discover(peer, exchange).catch((second: unknown) => {
      throw second instanceof ConnectionLost && second.sent ? second : asConnectionLost(error)
    })
  }
}

async function initialize(peer: RpcPeer, exchange: Exchange): Promise<Introduction> {
  const result = await peer.request(
    'initialize',
    {
      protocolVersion: legacyVersions[0],
      // For as long as the conversation lasts, whoever calls: who cannot answer is found out when it comes to that.
      capabilities: capabilitiesFor(['elicitation', 'sampling', 'roots']),
      clientInfo,
    },
    exchange,
  )
  const { protocolVersion } = result
  if (typeof protocolVersion !== 'string' || !legacyVersions.includes(protocolVersion)) {
    throw new ServerError({ code: 0, message: 'it speaks no version of the protocol that we know' })
  }
  peer.notify('notifications/initialized')
  return { era: 'legacy', ...introduction(result, result.serverInfo) }
}

async function discover(peer: RpcPeer, exchange: Exchange): Promise<Introduction> {
  peer.setDecoration(modernParams)
  const result = await peer.request('server/discover', {}, exchange).catch((error: unknown) => {
    throw asConnectionLost(error)
  })
  const { supportedVersions, _meta } = result
  if (!Array.isArray(supportedVersions) || !supportedVersions.includes(modernVersion)) {
    throw new ConnectionLost('it speaks no version of the protocol that we know', { sent: false })
  }
  return {
    era: 'modern',
    ...introduction(result, isJsonObject(_meta) ? _meta[metaKeys.serverInfo] : undefined),
  }
}

function introduction({ capabilities, instructions }: JsonObject, info: unknown): Omit<Introduction, 'era'> {
  const { name, version } = isJsonObject(info) ? info : {}
  return {
    server: {
      name: typeof name === 'string' ? name : '',
      version: typeof version === 'string' ? version : '',
    },
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    ...(typeof instructions === 'string' && { instructions }),
  }
}

/** There is no conversation with a server that refuses to begin one. */
function asConnectionLost(error: unknown): unknown {
  return error instanceof ServerError
    ? new ConnectionLost(`the server refused to begin: ${error.message}`, { sent: false })
    : error
}
