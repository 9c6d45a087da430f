import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { UpstreamServer } from '../server.ts'
import { ConnectionLost, ServerError, type Connection, type Exchange } from '../connection.ts'
import { capabilitiesFor, clientInfo, modernParams } from './params.ts'
import type { RpcPeer } from './peer.ts'
import { legacyVersions, metaKeys, modernVersion } from './protocol.ts'

/** What a server reports about itself. */
export type Introduction = Pick<Connection, 'era' | 'server' | 'capabilities' | 'instructions'>

/**
 * Opens a conversation. With servers that support both sides of 2026-07-28 the older protocol is used, because in it they
 * can ask questions during a request.
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
    // Whatever the error: a server that supports the newer protocol answers this request.
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
      // Declared once for all callers: a caller that cannot answer refuses the question.
      capabilities: capabilitiesFor(['elicitation', 'sampling', 'roots']),
      clientInfo,
    },
    exchange,
  )
  const { protocolVersion } = result
  if (typeof protocolVersion !== 'string' || !legacyVersions.includes(protocolVersion)) {
    throw new ServerError({ code: 0, message: 'it supports no protocol version that contextd supports' })
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
    throw new ConnectionLost('it supports no protocol version that contextd supports', { sent: false })
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

/** A server that refuses the handshake cannot be used. */
function asConnectionLost(error: unknown): unknown {
  return error instanceof ServerError
    ? new ConnectionLost(`the server refused the handshake: ${error.message}`, { sent: false })
    : error
}
