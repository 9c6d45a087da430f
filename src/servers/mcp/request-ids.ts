import type { ServerResponse } from 'node:http'

import { isJSONRPCRequest, type RequestId } from '@modelcontextprotocol/server'

import { describeError, errorCatalogue, type ErrorObject } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { sendJson } from '../wire/http-body.ts'
import { errorResponse } from '../wire/mcp-message.ts'

/**
 * Ids of a session's pending requests. Two requests with the same id could not be distinguished: an answer or a
 * cancellation could be applied to the wrong one. `1` and `"1"` are different ids.
 */
export interface RequestIds {
  /** Undefined if the request may start; otherwise the error. */
  begin(id: RequestId): ErrorObject | undefined
  /** The request was answered or never will be: its id can be reused. */
  end(id: RequestId): void
}

export function createRequestIds(): RequestIds {
  const running = new Set<RequestId>()
  return {
    begin(id) {
      if (running.has(id)) return describeError('REQUEST_ID_IN_USE')
      running.add(id)
      return undefined
    },
    end: (id) => void running.delete(id),
  }
}

/** The requests of one body, a batch or a single message, after registering their ids. */
export interface BegunBody {
  /** Without refused requests; undefined if nothing else is left. */
  readonly body: unknown
  /** Error responses for refused requests. */
  readonly refused: readonly JsonObject[]
  /** To be called when the other requests are answered. */
  end(): void
}

export function beginBody(ids: RequestIds, body: unknown): BegunBody {
  const begun: RequestId[] = []
  const refused: JsonObject[] = []
  const mayPass = (message: unknown): boolean => {
    if (!isJSONRPCRequest(message)) return true
    const error = ids.begin(message.id)
    if (error === undefined) begun.push(message.id)
    else refused.push(errorResponse(message.id, error))
    return error === undefined
  }
  const left = Array.isArray(body) ? body.filter(mayPass) : mayPass(body) ? body : undefined
  return {
    body: refused.length > 0 && Array.isArray(left) && left.length === 0 ? undefined : left,
    refused,
    end: () => begun.forEach(ids.end),
  }
}

/** If no request of a body may start: one response to a single request, a list of responses to a batch. */
export function sendInUse(response: ServerResponse, body: unknown, refused: readonly JsonObject[]): void {
  const answers = Array.isArray(body) ? refused : (refused[0] ?? {})
  sendJson(response, errorCatalogue.REQUEST_ID_IN_USE.http, answers)
}
