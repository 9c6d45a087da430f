/** Converts errors of HTTP requests to those of the connection contract. */

import {
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
} from '@modelcontextprotocol/client'

import { isJsonObject } from '@contextd/shared/json/value'
import { ConnectionLost, ServerError } from '../connection.ts'
import { RequestFailed } from './fetch.ts'
import { SignInNeeded } from './sign-in-needed.ts'

export interface RequestFailure {
  readonly error: ConnectionLost | ServerError
  /** The HTTP status of the response, if there was one. */
  readonly status?: number
  /** Whether further requests would fail too. */
  readonly isOver: boolean
}

export interface FailureContext {
  /** The name of the server in its file. */
  readonly name: string
  /** Whether the server assigned a session. */
  readonly hasSession: boolean
  /** Whether the declared headers contain credentials. */
  readonly hasCredentials: boolean
}

export function requestFailure(error: unknown, context: FailureContext): RequestFailure {
  if (error instanceof ConnectionLost) return { error, isOver: error instanceof SignInNeeded }
  if (error instanceof RequestFailed) return lost(error.message, error.sent)
  if (error instanceof InsufficientScopeError) {
    const { requiredScope: scope, resourceMetadataUrl } = error
    const challenge = {
      ...(scope !== undefined && { scope }),
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
    }
    return { error: new SignInNeeded(context.name, { ...challenge, isStepUp: true }), isOver: true }
  }
  if (error instanceof SdkHttpError) return fromStatus(error.status, error.data.text, context)
  if (error instanceof SseError) {
    return error.code === undefined
      ? lost('its event stream was cut off', true)
      : fromStatus(error.code, undefined, context)
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent) {
    return lost(`it answered with ${contentTypeIn(error)} instead of JSON`, true)
  }
  // The SSE transport reports the status only in its message.
  const status =
    error instanceof Error
      ? /^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(error.message)?.[1]
      : undefined
  if (status !== undefined) return fromStatus(Number(status), undefined, context)
  return lost('its answer violates the protocol', true)
}

function fromStatus(status: number, body: unknown, context: FailureContext): RequestFailure {
  if (status === 401) return { ...refusedCredentials(context), status }
  const rpc = errorIn(body)
  if (context.hasSession && (status === 404 || isSessionError(status, rpc))) {
    return { error: new ConnectionLost('its session has expired', { sent: false }), status, isOver: true }
  }
  if (rpc !== undefined) return { error: rpc, status, isOver: false }
  if (status === 403) return { ...lost('it refused access (HTTP 403)', true), status }
  return { ...lost(`it answered with HTTP ${status}`, true), status }
}

function refusedCredentials({ name, hasCredentials }: FailureContext): RequestFailure {
  const error = hasCredentials
    ? new ConnectionLost('the credentials in its headers were refused', { sent: false })
    : new SignInNeeded(name)
  return { error, isOver: true }
}

/** Many servers answer like this to an unknown or expired session, although the protocol requires 404. */
function isSessionError(status: number, rpc: ServerError | undefined): boolean {
  return status === 400 && rpc?.code === -32000 && /\bsession\b/i.test(rpc.message)
}

function errorIn(body: unknown): ServerError | undefined {
  if (typeof body !== 'string') return undefined
  try {
    const message: unknown = JSON.parse(body)
    const error = isJsonObject(message) ? message.error : undefined
    if (!isJsonObject(error)) return undefined
    const { code, message: text, data } = error
    return typeof code === 'number' && typeof text === 'string'
      ? new ServerError({ code, message: text, data })
      : undefined
  } catch {
    return undefined
  }
}

const maxTypeLength = 60

function contentTypeIn({ data }: SdkError): string {
  const type = isJsonObject(data) ? data.contentType : undefined
  const shown = typeof type === 'string' ? type.replace(/[^\x20-\x7e]/g, '').slice(0, maxTypeLength) : ''
  return shown === '' ? 'an unknown content type' : shown
}

function lost(why: string, sent: boolean): RequestFailure {
  return { error: new ConnectionLost(why, { sent }), isOver: false }
}
