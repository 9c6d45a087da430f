import type { Capability } from './capability.ts'
import type { Json, JsonObject } from './json.ts'
import type { ModelExchange } from './model.ts'
import type { Trail } from './trail.ts'

/** The name our own tools have in the rules. */
export const OWN_SERVER = 'contextd'

/** The name under which the rules know what steers contextd itself. No wildcard reaches it. */
export const CONTROL_SERVER = 'control'

/** The person of this machine. No agent can have or claim a name like this: it is not one that `agentIdPattern` knows. */
export const OPERATOR = '@operator'

/** The main thread of a client, where it is no agent of another name. */
export const MAIN_AGENT = 'main'

/** The tenant of everything on a machine that serves nobody else. */
export const LOCAL_TENANT = 'local'

export type Door = 'stdio' | 'http' | 'grpc' | 'cli'
export type CallMethod = 'tool' | 'list' | 'prompt' | 'resource' | 'subscribe' | 'unsubscribe' | 'model'

/** How sure we are who is calling, best first. */
export const identityLevels = ['attested', 'token', 'declared', 'environment', 'default'] as const
export type IdentityLevel = (typeof identityLevels)[number]

/** True where `level` is at least as good as `required`. */
export function levelReaches(level: IdentityLevel, required: IdentityLevel): boolean {
  return identityLevels.indexOf(level) <= identityLevels.indexOf(required)
}

/** Agent ids, and the names clients use for agents. */
export const agentIdPattern = /^[A-Za-z0-9_.:-]{1,128}$/

export interface Principal {
  readonly agent: string
  /** The client's own id of this one running agent; the main thread has none. */
  readonly instance?: string
  readonly level: IdentityLevel
}

/** What a door could find out about the caller. The identity stage decides what of it counts. */
export interface Claims {
  /** What the client itself said of the call, over a way that no model reaches. */
  readonly attested?: { readonly agent: string; readonly instance?: string }
  /** The client attests calls, and lists before it makes any: what any of its agents may use is in the list. */
  readonly willAttest?: true
  /** The client names a running agent that nobody attested: it is nobody, and no fallback applies. */
  readonly isUnknown?: true
  /** An attestation that does not hold. There is no lower level to fall to: somebody tried something. */
  readonly refused?: {
    readonly code: 'ATTESTATION_CONFLICT' | 'ATTESTATION_FORGED'
    readonly problem: string
  }
  readonly token?: { readonly id: string; readonly agent: string }
  /** The person of this machine, over a way that only they have. Counts for what steers contextd, and where no agent is named. */
  readonly operator?: true
  /** From `_meta["dev.contextd/agentId"]`; the `agent_id` argument is read by the identity stage itself. */
  readonly declared?: string
  /** `--agent`, CONTEXTD_DEFAULT_AGENT or GATEWAY_DEFAULT_AGENT. */
  readonly environment?: string
  /**
   * The branch the caller says it works in: from `_meta["dev.contextd/branch"]`, or the argument `branch_id` of our own
   * tools. Whether it may be in there is decided later.
   */
  readonly branch?: string
}

export interface Client {
  readonly name: string
  readonly version: string
  readonly door: Door
}

/** Whose rows: every stored row belongs to a tenant, project, session and agent. */
export interface Scope {
  readonly tenant: string
  readonly project: string
  readonly session: string
  readonly agent: string
  /** For what only the branch it was made in may read. */
  readonly branch?: string
}

/** A question to the person or the model behind the client, and what came back. */
export type AskKind = 'elicitation' | 'sampling' | 'roots'
/** What a question of each kind is called in the protocol. */
export const askMethods = {
  elicitation: 'elicitation/create',
  sampling: 'sampling/createMessage',
  roots: 'roots/list',
} as const satisfies Record<AskKind, string>
const kindsByMethod = new Map<unknown, AskKind>(
  (Object.keys(askMethods) as AskKind[]).map((kind) => [askMethods[kind], kind]),
)

/** Undefined for what is no question. */
export function askKindOf(method: unknown): AskKind | undefined {
  return kindsByMethod.get(method)
}

export interface AskRequest {
  readonly kind: AskKind
  readonly params: JsonObject
}
export interface Ask {
  (request: AskRequest): Promise<JsonObject>
  /** What the client said it can be asked. */
  readonly kinds: readonly AskKind[]
  /** True where the client answers while the call waits; else the call ends with the question and is made again. */
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

/** Where a call stands in somebody's trace, in the words of W3C Trace Context. */
export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string
}

/** One request on its way through the pipeline. Stages do not change it: they hand a changed copy to the next. */
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
  readonly arguments: JsonObject
  /** What the rules let this caller do, set by the policy stage. */
  readonly grants: readonly Capability[]
  readonly trail: Trail
  readonly signal: AbortSignal
  /** Epoch milliseconds after which the call is given up. */
  readonly deadline: number
  /** Absent where the client cannot be asked: then the answer is no. */
  readonly ask?: Ask
  /** Answers to an earlier `input_required` result of the same call. */
  readonly input?: { readonly responses?: JsonObject; readonly state?: string }
  readonly onProgress?: (progress: Progress) => void
  readonly onLog?: (level: LogLevel, message: Json, logger?: string) => void
  /** The least important message the client wants to hear; absent where it wants none. */
  readonly logLevel?: LogLevel
  readonly trace?: TraceContext
  /** Of method `model`. */
  readonly exchange?: ModelExchange
}

/** Every door that makes a call of method `model` gives it one. */
export function exchangeOf({ id, exchange }: Pick<Call, 'id' | 'exchange'>): ModelExchange {
  if (exchange === undefined) throw new Error(`the model call ${id} has no exchange`)
  return exchange
}

/** What a call tells of who makes it. */
export type Caller = Pick<Call, 'claims' | 'principal'>

/**
 * The name a caller goes by among the agents of its session, also where the rules do not know that name. The settings of a
 * strange project can make the main thread run as any agent; it is still not that agent, for what is private to it. Nor is
 * a caller that is known less well and only says it is that agent.
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
