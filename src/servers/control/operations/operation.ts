/** An RPC of the API that controls contextd, as opposed to calling an agent's tool. */

import type { RuntimeCore } from '../../../compose.ts'
import type { Call } from '../../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'

export interface Operation {
  /** `Audit/Query`; in the rules this is `audit.query` of the server `control`. */
  readonly rpc: `${string}/${string}`
  /** For every known agent, like the gateway tools; the others are for the operator and agents that the rules allow. */
  readonly open?: true
  /** Only the caller's own deadline applies, not our timeout. */
  readonly long?: true
  /**
   * Runs inside the pipeline: its response and progress are scrubbed. Throws `ContextdError`. Requests from other
   * programs have been validated against their message; read them with care anyway.
   */
  run(request: JsonObject, host: OperationHost): Promise<JsonObject>
  /**
   * For an endless stream: after `run` has passed the pipeline, sends events until the signal aborts. These do not
   * pass the scrub stage, so they must consist of scrubbed data.
   */
  follow?(request: JsonObject, host: FollowHost): Promise<void>
}

export interface OperationHost {
  readonly runtime: RuntimeCore
  readonly call: Call
  /** Aborted with the call: cancelled or timed out. */
  readonly signal: AbortSignal
  /** Sends a message of the stream while the operation runs; its texts are scrubbed. */
  progress(event: JsonObject): void
}

export interface FollowHost {
  readonly runtime: RuntimeCore
  readonly signal: AbortSignal
  /** Returns a promise if the reader is slower; await it for backpressure. */
  send(event: JsonObject): unknown
}

/** `Agents/ListTokens` is `agents.list_tokens` in the rules and in the audit log. */
export function operationName(rpc: string): string {
  const words = (name: string): string => name.replace(/(?<=.)([A-Z])/g, '_$1').toLowerCase()
  return rpc.split('/').map(words).join('.')
}
