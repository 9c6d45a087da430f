/** What a request carries beside its own params. */

import type { AskKind } from '../../../core/call.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { VERSION } from '@contextd/shared/version'
import type { Exchange } from '../connection.ts'
import { askCapabilities, metaKeys, modernVersion } from './protocol.ts'

export const clientInfo: JsonObject = { name: 'contextd', version: VERSION }

/** Params as a server gets them. The id of the request is also the token of its progress. */
export type DecorateParams = (params: JsonObject, exchange: Exchange, id: number) => JsonObject

/** Up to 2025-11-25. A token that came from elsewhere would be taken for one of ours. */
export const legacyParams: DecorateParams = (params, { onProgress }, id) => {
  const meta = params._meta
  if (onProgress === undefined) {
    if (!isJsonObject(meta) || meta.progressToken === undefined) return params
    const { progressToken: _, ...rest } = meta
    return { ...params, _meta: rest }
  }
  return { ...params, _meta: { ...(isJsonObject(meta) && meta), progressToken: id } }
}

/** From 2026-07-28 on each request says for itself who asks, and what can be asked back. */
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
