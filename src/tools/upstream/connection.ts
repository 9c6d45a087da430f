/** A conversation with one MCP server, whatever lies in between. Nothing here knows of rules, agents or secrets. */

import type { AskKind, AskRequest, LogLevel, Progress } from '../../core/call.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'

/** What goes with one request. */
export interface Exchange {
  /** Aborting tells the server that nobody waits any more. */
  readonly signal: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  readonly onLog?: (level: LogLevel, message: Json, logger?: string) => void
  /** The least important message to send; none where absent. */
  readonly logLevel?: LogLevel
  /** What the caller's client can be asked. */
  readonly asks: readonly AskKind[]
  /**
   * Answers what the server asks while it works, as servers up to 2025-11-25 do. Rejects where nobody answers. Servers
   * from 2026-07-28 on end the request with their questions instead.
   */
  readonly ask?: (request: AskRequest) => Promise<JsonObject>
  /** The schema of the tool that is called: from 2026-07-28 on it can ask for HTTP headers. */
  readonly inputSchema?: JsonObject
}

/** What a server says on its own account. */
export type Notice =
  | { readonly kind: 'list'; readonly list: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string }

export interface Connection {
  readonly era: 'legacy' | 'modern'
  readonly server: { readonly name: string; readonly version: string }
  readonly capabilities: JsonObject
  readonly instructions?: string
  /**
   * The `result` of the answer, as it came. Rejects with `ServerError` where the server answered with an error, with
   * `ConnectionLost` where there is no answer, with the signal's reason where it was aborted.
   */
  request(method: string, params: JsonObject, exchange: Exchange): Promise<JsonObject>
  /** From now on notices tell when the resource changes. */
  subscribe(uri: string): Promise<void>
  unsubscribe(uri: string): Promise<void>
  /** Resolves once the conversation is over, with why; never rejects. */
  readonly ended: Promise<ConnectionLost>
  /** Ends it and what it needed; resolves when nothing of it is left. */
  close(): Promise<void>
}

export interface ConnectOptions {
  readonly onNotice: (notice: Notice) => void
  /** Gives up the start. */
  readonly signal: AbortSignal
  /** Largest message that is taken from the server; with a larger one the conversation is over. */
  readonly maxMessageBytes: number
}

/** The server's own error. */
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

/** There is no conversation (any more). */
export class ConnectionLost extends Error {
  /** Whether the server may have seen the request: only one that it never saw can be made again. */
  readonly sent: boolean
  /** The last line on the server's standard error, as it came. */
  readonly lastLine: string | undefined

  constructor(why: string, details: { sent: boolean; lastLine?: string | undefined }) {
    super(why)
    this.name = 'ConnectionLost'
    this.sent = details.sent
    this.lastLine = details.lastLine
  }
}
