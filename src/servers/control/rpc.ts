import type { CallRequest } from '../../compose.ts'
import type { Call } from '../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Answer, Payload } from '../../core/result.ts'
import type { FollowHost } from './operations/operation.ts'

/** An RPC, and its representation in the pipeline. */
export interface Rpc {
  /** `Audit/Query` */
  readonly name: string
  /** Only the caller's own deadline applies, not our timeout. */
  readonly long?: true
  /** Its events are its own messages; otherwise they are a tool's progress and log lines. */
  readonly ownEvents?: true
  /** For a stream that continues after its call was allowed. */
  readonly follow?: (call: Call, host: FollowHost) => Promise<void>
  /** Builds the pipeline call. */
  toCall(request: JsonObject): Pick<CallRequest, 'method' | 'server' | 'tool' | 'arguments' | 'logLevel'>
  /** Events sent before the response, once that is available. */
  lastEvents?(response: JsonObject): readonly JsonObject[]
  /** Builds the response message. Only called for results that did not fail. Throws `ContextdError`. */
  respond(result: Answer | Payload, request: JsonObject): JsonObject
}
