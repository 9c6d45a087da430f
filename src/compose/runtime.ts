/** What contextd is once it is put together, and what is needed for it. */

import type { Ask, Call, CallMethod, Claims, Client, LogLevel, Progress, TraceContext } from '../core/call.ts'
import type { RunCheck } from '../core/checks.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ModelExchange } from '../core/model.ts'
import type { PrivateContext, Scrub } from '../core/ports.ts'
import type { Next } from '../core/stage.ts'
import type { Catalogue, PayloadSource, Tool } from '../core/tool.ts'
import type { Config } from '../platform/config/config-schema.ts'
import type { Log } from '../platform/log.ts'
import type { ModelKeys } from '../platform/secrets/model-keys.ts'
import type { Paths } from '../platform/files/paths.ts'
import type { Sessions } from '../platform/sessions.ts'
import type { Store } from '../platform/storage/store.ts'
import type { Trust } from '../platform/trust.ts'
import type { SandboxState } from '../sandbox/sandbox.ts'
import type { AuditLog } from '../stages/audit/log.ts'
import type { AgentInstances } from '../stages/identity/agent-instances.ts'
import type { AgentTokens } from '../stages/identity/agent-tokens.ts'
import type { RuleBook } from '../stages/policy/rule-book.ts'
import type { PreviewedDecision } from './decision-preview.ts'
import type { OpenMemory } from './memory.ts'
import type { OpenUpstream } from './upstream/upstream.ts'

/**
 * What a door knows about one request; the runtime adds the rest of the call.
 *
 * @example
 * import type { CallRequest } from 'contextd'
 *
 * const request: CallRequest = {
 *   method: 'tool',
 *   session: 'session-id',
 *   client: { name: 'my-app', version: '1.0.0', door: 'cli' },
 *   claims: { environment: 'main' },
 *   tool: 'read_more',
 *   arguments: { ref: 'ref-id' },
 *   signal: AbortSignal.timeout(10_000),
 * }
 */
export interface CallRequest {
  readonly method: CallMethod
  readonly session: string
  readonly client: Client
  readonly claims: Claims
  /** Whose tool it is, under the name it has there; absent if `tool` is the name that clients see. */
  readonly server?: string
  readonly tool: string
  readonly arguments?: JsonObject
  readonly signal: AbortSignal
  readonly ask?: Ask
  readonly input?: NonNullable<Call['input']>
  readonly onProgress?: (progress: Progress) => void
  readonly onLog?: NonNullable<Call['onLog']>
  readonly logLevel?: LogLevel
  readonly trace?: TraceContext
  /** Epoch milliseconds; the configured time from now where absent. */
  readonly deadline?: number
  /** Of method `model`. */
  readonly exchange?: ModelExchange
}

export interface ComposeOptions {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** For callers that bring no folder: `workspace.path` counts before the one we were started in, as it does at `/`. */
  readonly shared?: boolean
  /** `--agent`: the identity of callers that bring none. */
  readonly agent?: string
  /** `--transparent`: tools of other MCP servers are listed beside our own. */
  readonly transparent?: boolean
  /** Where to say what a person should know; JSON lines on stderr unless given. */
  readonly log?: Log
  /** For one question, such as a hook: what is not trusted is on record from whoever serves calls. */
  readonly brief?: boolean
  /** Tools, prompts and resources beside the built-in ones. */
  readonly tools?: readonly Tool[]
  readonly payloads?: PayloadSource
  /** Control operations, for doors that offer it: found by name, and in no list. */
  readonly control?: (core: RuntimeCore) => readonly Tool[]
}

/** What is there before the pipeline: what calls work with, and what the operator controls. */
export interface RuntimeCore {
  /** What it was started with. */
  readonly env: NodeJS.ProcessEnv
  readonly paths: Paths
  /** The folder that calls are about. */
  readonly project: string
  readonly config: Config
  readonly store: Store
  readonly log: Log
  readonly trust: Trust
  readonly rules: RuleBook
  readonly audit: AuditLog
  readonly sessions: Pick<Sessions, 'begin' | 'join' | 'end'>
  readonly tokens: AgentTokens
  /** Of the model door. */
  readonly modelKeys: ModelKeys
  /** Which agents a client's running ones are. */
  readonly agentInstances: Pick<AgentInstances, 'agentOf'>
  /** Somebody's credential, which is masked from now on; it is not stored. */
  know(value: string): void
  /** What can be called. Doors read from it what they offer at all; who may use it is the pipeline's business. */
  readonly catalogue: Catalogue
  /** For what does not pass the scrub stage: refusals, progress, logs, lists. */
  scrub(text: string, session: string): string
  /** The same with what was found. */
  readonly scrubbed: Scrub
  /** The values of those tokens that a session was given. */
  valuesOf(session: string, tokens: Iterable<string>): ReadonlyMap<string, string>
  /** For whole values, which may be large. */
  readonly check: RunCheck
  /** What agents hold for themselves alone. */
  readonly privacy: PrivateContext
  /** What survives a session. */
  readonly memory: Omit<OpenMemory, 'tools'>
  /** Called when the rules or tools changed, so that clients can be told; answers how to stop listening. */
  onListChanged(listener: () => void): () => void
  sandbox(): Promise<SandboxState>
  /** The MCP servers behind us: what their files say, how they do, and what a person can do about them. */
  readonly upstream: Pick<
    OpenUpstream,
    'status' | 'disabled' | 'health' | 'inspect' | 'approve' | 'signIn' | 'signOut'
  >
}

/** contextd, put together: what the doors and the command line stand on. */
export interface Runtime extends RuntimeCore {
  /** The whole pipeline as one function. */
  readonly handle: Next
  /** Spans for whoever brought an OpenTelemetry SDK: looked for after the start, and never waited for. */
  startTracing(): Promise<boolean>
  newCall(request: CallRequest): Call
  /** What the rules will say to a call of one of our tools, for whoever is asked before it comes. */
  previewDecision(claims: Claims, tool: string): PreviewedDecision | undefined
  close(): Promise<void>
}
