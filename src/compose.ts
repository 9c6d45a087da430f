import type { Call, CallMethod, Claims, Client, Ask, LogLevel, Progress } from './core/call.ts'
import type { Json, JsonObject } from './core/json.ts'
import type { Next } from './core/stage.ts'
import type { PayloadSource, Tool } from './core/tool.ts'
import type { Log } from './platform/log.ts'
import type { Paths } from './platform/paths.ts'
import type { Store } from './platform/storage/store.ts'

/** What a door knows of one request; the rest of the call is filled in here. */
export interface CallRequest {
  readonly method: CallMethod
  readonly session: string
  readonly project?: string
  readonly client: Client
  readonly claims: Claims
  readonly server?: string
  readonly tool: string
  readonly arguments?: JsonObject
  readonly signal: AbortSignal
  readonly ask?: Ask
  readonly input?: Call['input']
  readonly onProgress?: (progress: Progress) => void
  readonly onLog?: (level: LogLevel, message: Json) => void
}

export interface ComposeOptions {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** `--agent`: the identity of callers that bring none. */
  readonly agent?: string
  /** Tools, prompts and resources beside the built-in ones. */
  readonly tools?: readonly Tool[]
  readonly payloads?: PayloadSource
}

/** contextd, put together: what the doors and the command line stand on. */
export interface Runtime {
  readonly paths: Paths
  readonly store: Store
  readonly log: Log
  /** The whole pipeline as one function. */
  readonly handle: Next
  newCall(request: CallRequest): Call
  readonly sessions: {
    begin(client: Client): string
    end(session: string): void
  }
  readonly tokens: {
    /** The agent a bearer token stands for; undefined for unknown and revoked ones. */
    verify(bearer: string): { id: string; agent: string } | undefined
  }
  /** For what does not pass the scrub stage: refusals, progress, logs, lists. */
  scrub(text: string, session: string): string
  /** Called when the rules or tools changed, so that clients can be told; answers how to stop listening. */
  onListChanged(listener: () => void): () => void
  close(): Promise<void>
}
