/** The contract of a client hook: it is called before or after an event, and may return an answer. */

import { agentName } from '../../../core/agent-name.ts'
import { callerName, type Claims } from '../../../core/call.ts'
import type { Checked, PartOptions } from '../../../core/checks.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { LocalDoor } from '../../model-door/door-url.ts'

/** The fields we read of the payload that the client writes to standard input. */
export interface HookPayload {
  readonly hook_event_name: string
  readonly session_id: string
  readonly cwd: string
  /** The transcript of the main thread, also inside a subagent. */
  readonly transcript_path?: string
  /** Set for subagents only. */
  readonly agent_id?: string
  /** The type of a subagent, or of the agent that the main thread was started as. */
  readonly agent_type?: string
  readonly tool_name?: string
  readonly tool_input?: JsonObject
  readonly tool_response?: Json
  /** For SessionStart: `startup`, `resume`, `clear` or `compact`. */
  readonly source?: Json
  /** The user's prompt. */
  readonly prompt?: Json
  /** For ConfigChange: the changed settings file. */
  readonly file_path?: Json
  /** Set by our OpenCode plugin; absent for Claude Code. */
  readonly client?: string
}

type Attested = NonNullable<Claims['attested']>

/** What the client reads from standard output. */
export type HookOutput = JsonObject

/** What needs the store: one client session, as seen by the agent in the payload. */
export interface HookSession {
  /** The text as the agent may see it: without secrets and without other agents' private context. */
  clean(text: string, options?: PartOptions): Promise<Checked<string>>
  /** The text without other agents' private context. */
  mask(text: string): Promise<Checked<string>>
  /** The values of this session's tokens, for comparison only; they must never be shown. */
  valuesOf(tokens: Iterable<string>): ReadonlyMap<string, string>
  /** The agents of the session that hold private context. */
  holders(): readonly { readonly agent: string; readonly instance?: string }[]
  /** Adds an audit record. */
  event(name: string, details: JsonObject): void
}

/** The state of a session, as text that has been scrubbed. */
export interface SessionNotes {
  readonly summary: string
  readonly context: string
  readonly state: Json
  readonly files: { readonly written: readonly string[]; readonly read: readonly string[] }
}

export interface CheckpointOffer {
  readonly id: string
  /** How long ago, and by which agent. */
  readonly saved: string
  readonly summary: string
  /** How to use it. */
  readonly about: string
}

/** Stored data that outlives the session, as far as the rules allow the agent in the payload. */
export interface HookMemory {
  /** Whether checkpoints are saved: enabled by the user and allowed by the rules. */
  readonly maySave: boolean
  /** The text without secrets and without any agent's private context. */
  clean(text: string): string
  /** Returns the id of the checkpoint. */
  save(notes: SessionNotes): Promise<string>
  /** A checkpoint to continue from; undefined if there is no suitable one. */
  offer(when: 'compacted' | 'started'): Promise<CheckpointOffer | undefined>
  /** Memories for a task like this. Once per session; undefined after that, or if nothing matches. */
  notesFor(task: string): Promise<string | undefined>
}

/** What a hook knows about the model door. */
export interface HookDoor {
  /** The hook was installed with the door, so requests must go through it. */
  readonly isExpected: boolean
  /** Needs the store. */
  open(): Promise<LocalDoor>
  /** Resolves once the daemon responds. Throws if it may not or cannot be started. */
  startDaemon(): Promise<void>
  /** True the first time in this installation. */
  isFirst(hint: string): boolean
}

/** What a hook can access. */
export interface HookPorts {
  readonly mode: 'friendly' | 'strict'
  /** Protected paths that the user allows the client's own tools to write. */
  readonly allowProtected: readonly string[]
  /** The folders of contextd: configuration, state, sockets. */
  readonly ownFolders: readonly string[]
  /** Files with private context, which only the broker may return. */
  privateFiles(): Promise<readonly string[]>
  /** The command line that runs contextd. */
  readonly program: readonly string[]
  /** The environment that the client gave the hook; in the daemon, the part that the hook passed on. */
  readonly env: NodeJS.ProcessEnv
  readonly door: HookDoor
  /** Opened on first use: most answers need no store. */
  session(): Promise<HookSession>
  /** Also opened on first use. */
  memory(): Promise<HookMemory>
}

/** Undefined lets the call continue. An exception from a guard blocks the call. */
export type Hook = (payload: HookPayload, ports: HookPorts) => Promise<HookOutput | undefined>

/** The caller according to the client. */
export function attestedIn({ agent_id: id = '', agent_type: type = '' }: HookPayload): Attested {
  return { agent: agentName({ id, type }), ...(id !== '' && { instance: id }) }
}

/**
 * The name used for attestation. A fork never has the main thread's name, because a hook cannot know which agent it
 * is a copy of.
 */
export function hookCaller(payload: HookPayload): string {
  return callerName({ claims: { attested: attestedIn(payload) } })
}

/** Whether the event is from the main thread instead of a subagent. */
export function isMain(payload: HookPayload): boolean {
  return attestedIn(payload).instance === undefined
}

/** PreToolUse: blocks the tool and shows the reason to the model. */
export function deny(reason: string): HookOutput {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  }
}

const texts = ['hook_event_name', 'session_id', 'cwd'] as const
const optionalTexts = ['transcript_path', 'agent_id', 'agent_type', 'tool_name', 'client'] as const

/** Throws if the payload is invalid: a hook that guesses would let calls through. */
export function readPayload(text: string): HookPayload {
  const value = parsed(text)
  if (!isJsonObject(value)) throw notAPayload('a JSON object')
  for (const name of texts) {
    if (typeof value[name] !== 'string' || value[name] === '') throw notAPayload(`a string as ${name}`)
  }
  for (const name of optionalTexts) {
    if (value[name] !== undefined && typeof value[name] !== 'string') throw notAPayload(`a string as ${name}`)
  }
  if (value.tool_name !== undefined && !isJsonObject(value.tool_input)) throw notAPayload('tool_input')
  return value as unknown as HookPayload
}

/** The parser's own messages would repeat the input. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notAPayload('JSON')
  }
}

function notAPayload(missing: string): ContextdError {
  return new ContextdError('INVALID_REQUEST', { what: `expected ${missing} from the client` })
}

/** For hooks about a tool call. */
export function toolUseOf({ tool_name, tool_input }: HookPayload): { tool: string; input: JsonObject } {
  if (tool_name === undefined || tool_input === undefined) throw notAPayload('tool_name')
  return { tool: tool_name, input: tool_input }
}
