/** The contract of a connection to one MCP server, over any transport. It is independent of rules, agents and secrets. */

import type { AskKind, AskRequest, LogLevel, Progress } from '../../core/call.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'

/** The context of one request. */
export interface Exchange {
  /** Aborting cancels the request on the server. */
  readonly signal: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  readonly onLog?: (level: LogLevel, message: Json, logger?: string) => void
  /** The lowest level of log messages to send; none if absent. */
  readonly logLevel?: LogLevel
  /** The kinds of questions the caller's client supports. */
  readonly asks: readonly AskKind[]
  /**
   * Replies to questions that the server asks during the request, as servers up to 2025-11-25 do. Rejects if nobody answers.
   * Since 2026-07-28 servers end the request with their questions instead.
   */
  readonly ask?: (request: AskRequest) => Promise<JsonObject>
  /** The schema of the called tool: since 2026-07-28 it can declare HTTP headers. */
  readonly inputSchema?: JsonObject
}

/** An unsolicited notification of a server. */
export type Notice =
  | { readonly kind: 'list'; readonly list: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string }

export interface Connection {
  readonly era: 'legacy' | 'modern'
  readonly server: { readonly name: string; readonly version: string }
  readonly capabilities: JsonObject
  readonly instructions?: string
  /**
   * Returns the `result` of the response, unmodified. Rejects with `ServerError` if the server answered with an error,
   * with `ConnectionLost` if there is no answer, and with the signal's reason if it was aborted.
   */
  request(method: string, params: JsonObject, exchange: Exchange): Promise<JsonObject>
  /** Requests notices of changes of the resource. */
  subscribe(uri: string): Promise<void>
  unsubscribe(uri: string): Promise<void>
  /** Resolves with the reason when the connection ends; never rejects. */
  readonly ended: Promise<ConnectionLost>
  /** Ends the connection; resolves when all its resources are released. */
  close(): Promise<void>
}

export interface ConnectOptions {
  readonly onNotice: (notice: Notice) => void
  /** Cancels the start. */
  readonly signal: AbortSignal
  /** A larger message from the server ends the connection. */
  readonly maxMessageBytes: number
}

/** An error that the server answered with. */
export class ServerError extends Error {
  readonly code: number
  readonly data: Json | undefined

  constructor(error: { code: number; message: string; data?: Json | undefined }) {
    super(error.message)
    this.name = 'ServerError'
    this.code = error.code
    this.data = error.data
  }
}

/** The connection failed or has ended. */
export class ConnectionLost extends Error {
  /** Whether the server may have seen the request. Only unseen requests can be retried. */
  readonly sent: boolean
  /** The last line of the server's standard error, unmodified. */
  readonly lastLine: string | undefined

  constructor(why: string, details: { sent: boolean; lastLine?: string | undefined }) {
    super(why)
    this.name = 'ConnectionLost'
    this.sent = details.sent
    this.lastLine = details.lastLine
  }
}
