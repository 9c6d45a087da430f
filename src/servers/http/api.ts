/** The API as plain JSON over HTTP, for automation: tools by name, and all RPCs without side effects. */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'

import type { Runtime } from '../../compose.ts'
import {
  CodedError,
  ContextdError,
  describeError,
  errorCatalogue,
  type ErrorObject,
} from '../../core/errors/errors.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { ownFolder } from '../../platform/own-program.ts'
import { readTrace } from '../../platform/telemetry/trace-context.ts'
import {
  certificateCaller,
  tokenCaller,
  type ApiCaller,
  type CallerCertificate,
} from '../sessions/callers.ts'
import { operationName } from '../control/operations/operation.ts'
import { perform } from '../control/perform.ts'
import { sendJson, type ReadBody } from '../wire/http-body.ts'

export const apiPrefix = '/api/v1/'

export interface HttpApi {
  /** Handles a request whose path starts with the prefix. */
  handle(request: IncomingMessage, response: ServerResponse, caller: ApiCaller, read: ReadBody): Promise<void>
}

/** A caller with a token or a certificate, and what its headers declare. */
export function apiCaller(
  headers: IncomingHttpHeaders,
  shown: { id: string; agent: string } | CallerCertificate,
): ApiCaller {
  const { 'contextd-session': session, traceparent, tracestate, 'user-agent': agent = '' } = headers
  const client = { name: agent.slice(0, 200) || 'http', version: '', door: 'http' } as const
  const trace = readTrace({ traceparent, tracestate })
  const declared = { ...(session !== undefined && { session }), ...(trace && { trace }) }
  return 'kind' in shown ? certificateCaller(client, shown, declared) : tokenCaller(client, shown, declared)
}

/** The call that a path refers to. */
export interface RequestedCall {
  readonly rpc: string
  readonly request: JsonObject
}

export function createHttpApi(runtime: Runtime): HttpApi {
  return {
    async handle(request, response, caller, read) {
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      try {
        const url = new URL(request.url ?? '', 'http://localhost')
        const path = url.pathname.slice(apiPrefix.length)
        if (path === 'openapi.json') return await sendOpenApi(response)
        const body = request.method === 'POST' ? await readJson(request, read) : undefined
        const asked = await route(request.method ?? '', path, url.searchParams, body)
        sendJson(
          response,
          200,
          await perform(runtime, asked.rpc, asked.request, caller, { signal: gone.signal }),
        )
      } catch (error) {
        if (gone.signal.aborted) return
        if (error instanceof CodedError) return sendApiError(response, error.toObject())
        runtime.log('error', 'a call of the HTTP API failed', { cause: String(error) })
        sendApiError(response, describeError('INTERNAL'))
      }
    },
  }
}

/** `POST tools/<name>` calls a tool; `GET` or `POST <service>/<method>` calls a read-only RPC. */
export async function route(
  method: string,
  path: string,
  query: URLSearchParams,
  body: JsonObject | undefined,
): Promise<RequestedCall> {
  const [service = '', name = '', ...more] = path.split('/').map(decodePart)
  if (more.length > 0) throw notThere()
  if (method !== 'GET' && method !== 'POST') throw wrongMethod()
  if (service === 'tools' && method === 'POST' && name !== '') {
    return { rpc: 'Tools/Call', request: { name, arguments: body ?? {} } }
  }
  const { readingRpcs, readQuery, readRequest } = await import('../control/messages.ts')
  const rpc = readingRpcs().find((one) => pathOf(one) === `${service}/${name}`)
  if (rpc === undefined) throw notThere()
  const asked = method === 'GET' ? readQuery(rpc, query) : (body ?? {})
  return { rpc, request: readRequest(rpc, asked) }
}

/** `Agents/ListTokens` has the path `agents/list_tokens`. */
export function pathOf(rpc: string): string {
  return operationName(rpc).replace('.', '/')
}

async function readJson(request: IncomingMessage, read: ReadBody): Promise<JsonObject> {
  const body = await read()
  if (body.length === 0) return {}
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  // A web page can send other types to a server without being allowed to read from it.
  if (type !== 'application/json') throw invalid('the content-type is not application/json')
  try {
    const value: unknown = JSON.parse(body.toString())
    if (isJsonObject(value)) return value
  } catch {
    // Same error as for JSON that is not an object.
  }
  throw invalid('the body is not a JSON object')
}

/** The file is shipped next to the program. */
async function sendOpenApi(response: ServerResponse): Promise<void> {
  const { readFile } = await import('node:fs/promises')
  let document: Buffer
  try {
    document = await readFile(join(ownFolder(), 'schema', 'openapi.json'))
  } catch {
    throw new ContextdError('NOT_FOUND', {
      what: 'API description next to this program',
      hint: 'Install contextd again.',
    })
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(document)
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw notThere()
  }
}

const seeDescription = 'GET /api/v1/openapi.json lists every call and its fields.'

function notThere(): ContextdError {
  return new ContextdError('NOT_FOUND', {
    what: 'API call at this address',
    hint: `${seeDescription} Calls that change something are available over gRPC.`,
  })
}

function wrongMethod(): ContextdError {
  return invalid('only GET and POST are supported here')
}

function invalid(what: string): ContextdError {
  return new ContextdError('INVALID_REQUEST', { what, hint: seeDescription })
}

/** An error of the API over HTTP: the same object as everywhere. */
export function sendApiError(response: ServerResponse, error: ErrorObject): void {
  sendJson(response, errorCatalogue[error.code].http, { error })
}
