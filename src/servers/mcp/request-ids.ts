import type { ServerResponse } from 'node:http'

import { isJSONRPCRequest, type RequestId } from '@modelcontextprotocol/server'

import { describeError, errorCatalogue, type ErrorObject } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { sendJson } from '../wire/http-body.ts'
import { errorResponse } from '../wire/mcp-message.ts'

/**
 * The ids of the requests of one session that are not answered yet. Two with one id could not be told apart: an answer or a
 * cancellation would be taken for that of the other. `1` and `"1"` are two ids.
 */
export interface RequestIds {
  /** Undefined where the request may begin; else why not. */
  begin(id: RequestId): ErrorObject | undefined
  /** It was answered, or will never be: the id can be used again. */
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

/** The requests of one body, a batch or a single message, after each had to begin. */
export interface BegunBody {
  /** Without the requests that may not begin; undefined where nothing else was in it. */
  readonly body: unknown
  /** Answers to the requests that may not begin. */
  readonly refused: readonly JsonObject[]
  /** To be called when the others are answered. */
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

/** Where no request of a body may begin: one answer to a single request, a list of all to a batch. */
export function sendInUse(response: ServerResponse, body: unknown, refused: readonly JsonObject[]): void {
  const answers = Array.isArray(body) ? refused : (refused[0] ?? {})
  sendJson(response, errorCatalogue.REQUEST_ID_IN_USE.http, answers)
}
