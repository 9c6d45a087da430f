/** A model request as the pipeline sees it: its content, and how to send it once it was masked. */

import type { IncomingMessage } from 'node:http'

import { bytesOfByteText } from '@contextd/shared/text/byte-text'
import type { ModelExchange, ModelReport } from '../../core/model.ts'
import { dialects } from '../../model/dialects.ts'
import type { AdmittedModelRequest } from './admit.ts'
import { bodyText } from './body.ts'
import type { ModelForwarder, Passing } from './forward.ts'
import { bodyRoot, modelIn } from './request.ts'

export interface ExchangeParts extends Pick<Passing, 'response' | 'hold'> {
  readonly request: IncomingMessage
  /** Undefined for a request without a body. */
  readonly body: Buffer | undefined
  /** The client's folder, if known. */
  readonly folder: string | undefined
}

export function createModelExchange(
  { target, provider }: AdmittedModelRequest,
  { request, body, folder, response, hold }: ExchangeParts,
  { forward }: Pick<ModelForwarder, 'forward'>,
): ModelExchange {
  const { api, name } = provider
  const method = request.method ?? 'GET'
  const path = target.path + target.query
  const endpoint = dialects[api].endpointOf(method, path)
  const text = body === undefined ? '' : bodyText(body, endpoint !== undefined)
  const root = bodyRoot(text)
  const model = endpoint?.model ?? modelIn(text, root)
  let reported: ModelReport = {}
  return {
    api,
    provider: name,
    method,
    path,
    body: text,
    ...(root !== undefined && { root }),
    ...(model !== undefined && { model }),
    isCharged: method !== 'GET' && endpoint?.kind !== 'count',
    ...(folder !== undefined && { folder }),
    send: (masked, signal) =>
      forward(
        {
          provider,
          method,
          path,
          rawHeaders: request.rawHeaders,
          // The original bytes if nothing changed.
          body: masked.body === text ? body : bytesOfByteText(masked.body),
        },
        { response, hold, rewriter: masked.rewriter, signal, onReport: (report) => (reported = report) },
      ),
    report: () => reported,
  }
}
