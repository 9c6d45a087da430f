import type { Capability } from './capability.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { ModelExchange } from './model.ts'
import type { Tool } from './tool.ts'
import type { Trail } from './trail.ts'

/** Server name of our own tools in the rules. */
export const OWN_SERVER = 'contextd'

/** Server name of contextd's control API in the rules. No wildcard matches it. */
export const CONTROL_SERVER = 'control'

/** The user of this machine. No agent can have or claim this name: `agentIdPattern` does not match it. */
export const OPERATOR = '@operator'

/** The main thread of a client, unless it runs as a named agent. */
export const MAIN_AGENT = 'main'

/** The tenant on a single-user machine. */
export const LOCAL_TENANT = 'local'

export type Door = 'stdio' | 'http' | 'grpc' | 'cli'
export type CallMethod = 'tool' | 'list' | 'prompt' | 'resource' | 'subscribe' | 'unsubscribe' | 'model'

/** How reliably the caller is identified, best first. */
export const identityLevels = ['attested', 'token', 'declared', 'environment', 'default'] as const
export type IdentityLevel = (typeof identityLevels)[number]

/** True if `level` is at least as good as `required`. */
export function levelReaches(level: IdentityLevel, required: IdentityLevel): boolean {
  return identityLevels.indexOf(level) <= identityLevels.indexOf(required)
}

/** Agent ids, and the names clients use for agents. */
export const agentIdPattern = /^[A-Za-z0-9_.:-]{1,128}$/

/**
 * An identified caller.
 *
 * @example
 * import type { Principal } from 'contextd'
 *
 * const main: Principal = { agent: 'main', level: 'environment' }
 */
export interface Principal {
  readonly agent: string
  /** The client's own id of this one running agent; the main thread has none. */
  readonly instance?: string
  readonly level: IdentityLevel
}

/**
 * What a door learned about the caller. The identity stage decides which of it applies.
 *
 * @example
 * import type { Claims } from 'contextd'
 *
 * const claims: Claims = { environment: 'main' }
 */
export interface Claims {
  /** The client's own report of the caller, over a channel models cannot reach. */
  readonly attested?: { readonly agent: string; readonly instance?: string }
  /** The client attests calls, but lists tools before any call: the list contains what any of its agents may use. */
  readonly willAttest?: true
  /** The client names a running agent without attestation: it stays unidentified, and no fallback applies. */
  readonly isUnknown?: true
  /** An invalid attestation. Never falls back to a lower level: it may be an attack. */
  readonly refused?: {
    readonly code: 'ATTESTATION_CONFLICT' | 'ATTESTATION_FORGED'
    readonly problem: string
  }
  readonly token?: { readonly id: string; readonly agent: string }
  /** The user of this machine, over a channel only they have. Applies to the control API, and where no agent is named. */
  readonly operator?: true
  /** From `_meta["dev.contextd/agentId"]`; the `agent_id` argument is read by the identity stage itself. */
  readonly declared?: string
  /** `--agent`, CONTEXTD_DEFAULT_AGENT or GATEWAY_DEFAULT_AGENT. */
  readonly environment?: string
  /**
   * The branch the caller claims to work in: from `_meta["dev.contextd/branch"]`, or the argument `branch_id` of our
   * own tools. Whether it may work there is decided later.
   */
  readonly branch?: string
}

/**
 * The program that makes calls.
 *
 * @example
 * import type { Client } from 'contextd'
 *
 * const client: Client = { name: 'my-app', version: '1.0.0', door: 'cli' }
 */
export interface Client {
  readonly name: string
  readonly version: string
  readonly door: Door
}

/** The owner of stored rows: each row belongs to a tenant, project, session and agent. */
export interface Scope {
  readonly tenant: string
  readonly project: string
  readonly session: string
  readonly agent: string
  /** Set for rows that only the branch that created them may read. */
  readonly branch?: string
}

/** A question to the user or the model behind the client. */
export type AskKind = 'elicitation' | 'sampling' | 'roots'
/** Protocol method for each kind of question. */
export const askMethods = {
  elicitation: 'elicitation/create',
  sampling: 'sampling/createMessage',
  roots: 'roots/list',
} as const satisfies Record<AskKind, string>
const kindsByMethod = new Map<unknown, AskKind>(
  (Object.keys(askMethods) as AskKind[]).map((kind) => [askMethods[kind], kind]),
)

/** Undefined if it is not a question. */
export function askKindOf(method: unknown): AskKind | undefined {
  return kindsByMethod.get(method)
}

export interface AskRequest {
  readonly kind: AskKind
  readonly params: JsonObject
}
export interface Ask {
  (request: AskRequest): Promise<JsonObject>
  /** The kinds the client supports. */
  readonly kinds: readonly AskKind[]
  /** True if the client can answer while the call waits; otherwise the call ends with the question and is repeated. */
  readonly waits: boolean
}

export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** Least important first. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const
export type LogLevel = (typeof logLevels)[number]

/** A call's position in a trace, as in W3C Trace Context. */
export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string
}

/**
 * One request on its way through the pipeline. Stages do not change it: they hand a changed copy to the next.
 *
 * @example
 * import type { Call } from 'contextd'
 *
 * const nameOf = ({ server, tool }: Call) => `${server}.${tool}`
 */
export interface Call {
  readonly id: string
  readonly method: CallMethod
  readonly tenant: string
  /** The project folder: relative paths and project-scoped rows belong to it. */
  readonly project: string
  readonly session: string
  /** The operating-system user contextd runs as. */
  readonly user: string
  readonly client: Client
  readonly claims: Claims
  readonly principal?: Principal
  /** The id of the subtask this call is a part of, set by the budget stage. */
  readonly branch?: string
  readonly server: string
  /** Tool or prompt name, resource address, or what is listed (`tools`, `prompts`, `resources`). */
  readonly tool: string
  /**
   * For method `tool`, the tool that `server` and `tool` name: resolved when the call is made, and by the policy
   * stage for the target of a call that wraps another. Undefined if there is no such tool. Code that changes the
   * names must resolve it again.
   */
  readonly resolvedTool?: Tool | undefined
  readonly arguments: JsonObject
  /** What the rules let this caller do, set by the policy stage. */
  readonly grants: readonly Capability[]
  readonly trail: Trail
  readonly signal: AbortSignal
  /** Epoch milliseconds after which the call times out. */
  readonly deadline: number
  /** Absent if the client cannot be asked: then the answer counts as no. */
  readonly ask?: Ask
  /** Answers to an earlier `input_required` result of the same call. */
  readonly input?: { readonly responses?: JsonObject; readonly state?: string }
  readonly onProgress?: (progress: Progress) => void
  readonly onLog?: (level: LogLevel, message: Json, logger?: string) => void
  /** The lowest level the client wants to receive; absent for none. */
  readonly logLevel?: LogLevel
  readonly trace?: TraceContext
  /** The client gets only the text of our own answers, not their data, so only the text must fit the budget. */
  readonly textOnly?: true
  /** For method `model`. */
  readonly exchange?: ModelExchange
}

/** Every door sets it on calls of method `model`. */
export function exchangeOf({ id, exchange }: Pick<Call, 'id' | 'exchange'>): ModelExchange {
  if (exchange === undefined) throw new Error(`the model call ${id} has no exchange`)
  return exchange
}

/** The parts of a call that identify its caller. */
export type Caller = Pick<Call, 'claims' | 'principal'>

/**
 * The caller's name among the agents of its session, even if the rules do not know it. The settings of an untrusted
 * project can make the main thread run as any agent, but it must not get that agent's private data. Nor may a caller of
 * a lower identity level that only claims to be that agent.
 */
export function callerName({ claims: { attested }, principal }: Caller): string {
  if (attested === undefined) return nameAtLevel(principal)
  const isMain = attested.instance === undefined && attested.agent !== MAIN_AGENT
  return isMain ? `${MAIN_AGENT}:${attested.agent}` : attested.agent
}

function nameAtLevel(principal: Principal | undefined): string {
  if (principal === undefined) return ''
  const { agent, level } = principal
  return level === 'attested' ? agent : `${agent} (${level})`
}

/** The owner of what this call stores. Only an identified caller owns anything. */
export function scopeOf(call: Call, principal: Principal): Scope {
  const { tenant, project, session, branch } = call
  return { tenant, project, session, agent: principal.agent, ...(branch !== undefined && { branch }) }
}
