import type { CallRequest } from '../../compose.ts'
import type { Call } from '../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Answer, Payload } from '../../core/result.ts'
import type { FollowHost } from './operations/operation.ts'

/** One RPC, as what it is in the pipeline. */
export interface Rpc {
  /** `Audit/Query` */
  readonly name: string
  /** No time of ours ends it, only the caller's own. */
  readonly long?: true
  /** Its events are messages of its own; else they are the progress and the log lines of a tool. */
  readonly ownEvents?: true
  /** For a stream that goes on after its call was let through. */
  readonly follow?: (call: Call, host: FollowHost) => Promise<void>
  /** What the pipeline is asked for. */
  toCall(request: JsonObject): Pick<CallRequest, 'method' | 'server' | 'tool' | 'arguments' | 'logLevel'>
  /** What is told before the response, once it is there. */
  lastEvents?(response: JsonObject): readonly JsonObject[]
  /** The response message. A failure of ours never comes here. Throws `ContextdError`. */
  respond(result: Answer | Payload, request: JsonObject): JsonObject
}
