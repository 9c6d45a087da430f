/** Why a request over HTTP has no result, in the words of the contract. */

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
  /** What the server answered with, where it answered. */
  readonly status?: number
  /** Whether there is no point in asking anything else. */
  readonly isOver: boolean
}

export interface FailureContext {
  /** What people call the server. */
  readonly name: string
  /** True where the server gave the conversation a session. */
  readonly hasSession: boolean
  /** True where the declared headers say who we are. */
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
      ? lost('its event stream broke off', true)
      : fromStatus(error.code, undefined, context)
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent) {
    return lost(`it answered with ${contentTypeIn(error)} instead of JSON`, true)
  }
  // The transport for older servers says the status in words only.
  const status =
    error instanceof Error
      ? /^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(error.message)?.[1]
      : undefined
  if (status !== undefined) return fromStatus(Number(status), undefined, context)
  return lost('its answer is not what the protocol says', true)
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

/** Many servers answer so to a session that they do not know (any more), where the protocol says 404. */
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
  return shown === '' ? 'something' : shown
}

function lost(why: string, sent: boolean): RequestFailure {
  return { error: new ConnectionLost(why, { sent }), isOver: false }
}
