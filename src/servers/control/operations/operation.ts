/** Something that controls contextd: one RPC of the API that is not the call of an agent's tool. */

import type { RuntimeCore } from '../../../compose.ts'
import type { Call } from '../../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'

export interface Operation {
  /** `Audit/Query`; the rules know it as `audit.query` of the server `control`. */
  readonly rpc: `${string}/${string}`
  /** For every agent that is known, like the gateway tools; the others are for the person and for agents that the rules let. */
  readonly open?: true
  /** It takes as long as it takes: no time of ours ends it, only the caller's own. */
  readonly long?: true
  /**
   * Does it, inside the pipeline: what it answers and what it tells on the way is scrubbed. Throws `ContextdError`. The
   * request has been checked against its message where it came from outside; read it with care all the same.
   */
  run(request: JsonObject, host: OperationHost): Promise<JsonObject>
  /**
   * For a stream without an end of its own: after `run` has passed the pipeline, it sends events until the signal ends it.
   * They do not pass the scrub stage, so they are made of what was scrubbed before.
   */
  follow?(request: JsonObject, host: FollowHost): Promise<void>
}

export interface OperationHost {
  readonly runtime: RuntimeCore
  readonly call: Call
  /** Ends with the call: cancelled, or out of time. */
  readonly signal: AbortSignal
  /** Tells whoever listens while it runs, as one message of the stream; texts in it are scrubbed. */
  progress(event: JsonObject): void
}

export interface FollowHost {
  readonly runtime: RuntimeCore
  readonly signal: AbortSignal
  /** Whoever can wait does so where it answers a promise: the other end reads more slowly than this. */
  send(event: JsonObject): unknown
}

/** `Agents/ListTokens` is `agents.list_tokens` in the rules and in the audit log. */
export function operationName(rpc: string): string {
  const words = (name: string): string => name.replace(/(?<=.)([A-Z])/g, '_$1').toLowerCase()
  return rpc.split('/').map(words).join('.')
}
