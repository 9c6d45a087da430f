/** The complete public surface for tool authors and embedders. Everything else may change without notice. */

import { composeRuntime, type CallRequest } from './compose.ts'
import type { Call, Client } from './core/call.ts'
import type { Result } from './core/result.ts'
import type { Tool } from './core/tool.ts'

export type { CallRequest } from './compose.ts'
export type { Call, Claims, Client, Principal } from './core/call.ts'
export { ContextdError, errorCatalogue, type ErrorCode, type ErrorObject } from './core/errors/errors.ts'
export { answer, failure, refusal, type Answer, type Refusal, type Result } from './core/result.ts'
export type { Tool, ToolDefinition } from './core/tool.ts'
export type { ToolHost } from './core/ports.ts'

/**
 * How to start contextd.
 *
 * @example
 * import { openContextd, type ContextdOptions } from 'contextd'
 *
 * const options: ContextdOptions = { env: process.env, cwd: process.cwd(), agent: 'main' }
 * const contextd = await openContextd(options)
 * await contextd.close()
 */
export interface ContextdOptions {
  readonly env: NodeJS.ProcessEnv
  /** The project folder. */
  readonly cwd: string
  /** The identity of callers that bring none. */
  readonly agent?: string
  /** List the tools of other MCP servers next to contextd's own. */
  readonly transparent?: boolean
  /** Tools in addition to the built-in ones. */
  readonly tools?: readonly Tool[]
}

/**
 * contextd in this process, with the user's configuration, rules and store.
 *
 * @example
 * import { openContextd, type Contextd } from 'contextd'
 *
 * const client = { name: 'my-app', version: '1.0.0', door: 'cli' } as const
 * async function listTools(contextd: Contextd, session: string) {
 *   const signal = AbortSignal.timeout(10_000)
 *   const request = { method: 'list', session, client, claims: {}, tool: 'tools', signal } as const
 *   return contextd.handle(contextd.newCall(request))
 * }
 * const contextd = await openContextd({ env: process.env, cwd: process.cwd(), agent: 'main' })
 * const session = contextd.beginSession(client)
 * console.log((await listTools(contextd, session)).kind)
 * // → payload
 * contextd.endSession(session)
 * await contextd.close()
 */
export interface Contextd {
  /** Returns the ID of a new session: tokens of secrets, refs and budgets belong to a session. */
  beginSession(client: Client): string
  endSession(session: string): void
  newCall(request: CallRequest): Call
  /** Runs a call through the pipeline. */
  handle(call: Call): Promise<Result>
  /** Calls the listener when rules or tools change; returns a function that removes it. */
  onListChanged(listener: () => void): () => void
  close(): Promise<void>
}

/**
 * Starts contextd in this process. Close it when done.
 *
 * @example
 * import { answer, openContextd } from 'contextd'
 *
 * const greet = {
 *   definition: { name: 'greet', description: 'Says hello.', inputSchema: { type: 'object' } },
 *   server: 'contextd',
 *   needs: [],
 *   run: async () => answer('hello'),
 * }
 * const contextd = await openContextd({ env: process.env, cwd: process.cwd(), agent: 'main', tools: [greet] })
 * const client = { name: 'my-app', version: '1.0.0', door: 'cli' } as const
 * const session = contextd.beginSession(client)
 * const signal = AbortSignal.timeout(10_000)
 * const call = contextd.newCall({ method: 'tool', session, client, claims: {}, tool: 'greet', signal })
 * const result = await contextd.handle(call)
 * console.log(result.kind)
 * // → answer
 * contextd.endSession(session)
 * await contextd.close()
 */
export async function openContextd(options: ContextdOptions): Promise<Contextd> {
  const { sessions, newCall, handle, onListChanged, close } = await composeRuntime(options)
  return { beginSession: sessions.begin, endSession: sessions.end, newCall, handle, onListChanged, close }
}
