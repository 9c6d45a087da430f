import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'

import { legacyVersions, metaKeys, rpcErrors } from './protocol.ts'

test('the constants match the SDK', () => {
  expect(legacyVersions).toEqual(SUPPORTED_PROTOCOL_VERSIONS)
  expect(metaKeys).toEqual({
    protocolVersion: PROTOCOL_VERSION_META_KEY,
    clientInfo: CLIENT_INFO_META_KEY,
    clientCapabilities: CLIENT_CAPABILITIES_META_KEY,
    serverInfo: SERVER_INFO_META_KEY,
    subscriptionId: SUBSCRIPTION_ID_META_KEY,
    logLevel: LOG_LEVEL_META_KEY,
  })
  expect(rpcErrors).toEqual({
    invalidRequest: ProtocolErrorCode.InvalidRequest,
    methodNotFound: ProtocolErrorCode.MethodNotFound,
    invalidParams: ProtocolErrorCode.InvalidParams,
    internal: ProtocolErrorCode.InternalError,
  })
})
