/** Constants of the protocol. Copied, because loading the SDK costs start-up time; a test compares them with it. */

import type { AskKind } from '../../../core/call.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { RequestId } from '../../../platform/message-json.ts'

/** Preferred version first. */
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
  invalidParams: -32602,
  internal: -32603,
} as const

export const askCapabilities: Readonly<Record<AskKind, JsonObject>> = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
}

export function isRequestId(id: Json | undefined): id is RequestId {
  return typeof id === 'number' || typeof id === 'string'
}
