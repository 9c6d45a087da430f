/** Adds protocol metadata to the params of requests. */

import type { AskKind } from '../../../core/call.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { VERSION } from '@contextd/shared/version'
import type { Exchange } from '../connection.ts'
import { askCapabilities, metaKeys, modernVersion } from './protocol.ts'

export const clientInfo: JsonObject = { name: 'contextd', version: VERSION }

/** Returns the params to send. The request id is also its progress token. */
export type DecorateParams = (params: JsonObject, exchange: Exchange, id: number) => JsonObject

/** Up to 2025-11-25. Foreign progress tokens are removed, because they would be mistaken for ours. */
export const legacyParams: DecorateParams = (params, { onProgress }, id) => {
  const meta = params._meta
  if (onProgress === undefined) {
    if (!isJsonObject(meta) || meta.progressToken === undefined) return params
    const { progressToken: _, ...rest } = meta
    return { ...params, _meta: rest }
  }
  return { ...params, _meta: { ...(isJsonObject(meta) && meta), progressToken: id } }
}

/** Since 2026-07-28 each request names its client and the client's capabilities. */
export const modernParams: DecorateParams = (params, { onProgress, asks, logLevel }, id) => {
  const { progressToken: _, ...meta } = isJsonObject(params._meta) ? params._meta : {}
  return {
    ...params,
    _meta: {
      ...meta,
      [metaKeys.protocolVersion]: modernVersion,
      [metaKeys.clientInfo]: clientInfo,
      [metaKeys.clientCapabilities]: capabilitiesFor(asks),
      ...(logLevel !== undefined && { [metaKeys.logLevel]: logLevel }),
      ...(onProgress !== undefined && { progressToken: id }),
    },
  }
}

export function capabilitiesFor(asks: readonly AskKind[]): JsonObject {
  return Object.fromEntries(asks.map((kind) => [kind, askCapabilities[kind]]))
}
