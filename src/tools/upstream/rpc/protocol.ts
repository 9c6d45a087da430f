/**
 * The words of the protocol that this side of the gateway speaks. Written out, because the package that has them costs
 * start-up time; a test holds them equal to it.
 */

import type { AskKind } from '../../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'

/** Best first. */
export const legacyVersions: readonly [string, ...string[]] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]
export const modernVersion = '2026-07-28'

export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const

export const rpcErrors = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  internal: -32603,
} as const

export const askCapabilities: Readonly<Record<AskKind, JsonObject>> = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
}
