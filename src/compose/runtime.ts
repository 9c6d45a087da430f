/** The composed runtime, and what it needs. */

import type { Ask, Call, CallMethod, Claims, Client, LogLevel, Progress, TraceContext } from '../core/call.ts'
import type { RunCheck } from '../core/checks.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ModelExchange } from '../core/model.ts'
import type { PrivateContext, Scrub } from '../core/ports.ts'
import type { Next } from '../core/stage.ts'
import type { Catalogue, PayloadSource, Tool } from '../core/tool.ts'
import type { Config } from '../platform/config/config-schema.ts'
import type { Ports } from '../platform/config/ports.ts'
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
import type { OpenMemory } from './memory/memory.ts'
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
  /** The tool's server, if `tool` is its name there; absent if `tool` is the name that clients see. */
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
  /** Epoch milliseconds; defaults to the configured timeout from now. */
  readonly deadline?: number
  /** For method `model`. */
  readonly exchange?: ModelExchange
}

export interface ComposeOptions {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /**
   * For callers without their own folder: `workspace.path` takes precedence over the start folder, as it does if that
   * is `/`.
   */
  readonly shared?: boolean
  /** Override the configured ports. */
  readonly ports?: Ports
  /** `--agent`: the identity of callers that provide none. */
  readonly agent?: string
  /** `--transparent`: tools of other MCP servers are listed with our own. */
  readonly transparent?: boolean
  /** Receives messages for the user; default: JSON lines on stderr. */
  readonly log?: Log
  /**
   * For short-lived processes such as hooks: untrusted files are not recorded again, because the process that serves
   * calls already did.
   */
  readonly brief?: boolean
  /** Tools, prompts and resources in addition to the built-in ones. */
  readonly tools?: readonly Tool[]
  readonly payloads?: PayloadSource
  /** Control operations, for doors that offer them: found by name, but in no list. */
  readonly control?: (core: RuntimeCore) => readonly Tool[]
}

/** The runtime without the pipeline: what calls use, and what the operator controls. */
export interface RuntimeCore {
  /** The environment it was started with. */
  readonly env: NodeJS.ProcessEnv
  readonly paths: Paths
  /** The project folder of the calls. */
  readonly project: string
  readonly config: Config
  readonly store: Store
  readonly log: Log
  readonly trust: Trust
  readonly rules: RuleBook
  readonly audit: AuditLog
  readonly sessions: Pick<Sessions, 'begin' | 'join' | 'end'>
  readonly tokens: AgentTokens
  /** Keys of the model door. */
  readonly modelKeys: ModelKeys
  /** Maps a client's running agents to agent names. */
  readonly agentInstances: Pick<AgentInstances, 'agentOf'>
  /** Masks a credential from now on, without storing it. */
  know(value: string): void
  /** What can be called. Doors use it to see what exists; the pipeline decides who may use it. */
  readonly catalogue: Catalogue
  /** For text that does not pass the scrub stage: refusals, progress, logs, lists. */
  scrub(text: string, session: string): string
  /** The same, with the findings. */
  readonly scrubbed: Scrub
  /** The values of the tokens that a session was given. */
  valuesOf(session: string, tokens: Iterable<string>): ReadonlyMap<string, string>
  /** For complete values, which may be large. */
  readonly check: RunCheck
  /** Agents' private context. */
  readonly privacy: PrivateContext
  /** State that outlives a session. */
  readonly memory: Omit<OpenMemory, 'tools'>
  /** Called when the rules or tools changed, so that clients can be notified; returns a function that unsubscribes. */
  onListChanged(listener: () => void): () => void
  sandbox(): Promise<SandboxState>
  /** The upstream MCP servers: their configuration, health, and what the user can do about them. */
  readonly upstream: Pick<
    OpenUpstream,
    'status' | 'disabled' | 'health' | 'inspect' | 'approve' | 'signIn' | 'signOut'
  >
}

/** The composed contextd that doors and command line use. */
export interface Runtime extends RuntimeCore {
  /** The whole pipeline as one function. */
  readonly handle: Next
  /** Emits spans if the process has an OpenTelemetry SDK. Looked up after the start; nothing waits for it. */
  startTracing(): Promise<boolean>
  newCall(request: CallRequest): Call
  /** What the rules would decide about a call of one of our tools, before it is made. */
  previewDecision(claims: Claims, tool: string): PreviewedDecision | undefined
  /** Which of our tools among these the caller will find in its list. */
  previewTools(claims: Claims, names: readonly string[]): ReadonlySet<string>
  close(): Promise<void>
}
