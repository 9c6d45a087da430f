/** What a hook of the client is: it hears what is about to happen, or what happened, and may answer. */

import { agentName } from '../../../core/agent-name.ts'
import { callerName, type Claims } from '../../../core/call.ts'
import type { Checked, PartOptions } from '../../../core/checks.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { LocalDoor } from '../../model-door/door-url.ts'

/** What the client says on standard input; the fields that we read. */
export interface HookPayload {
  readonly hook_event_name: string
  readonly session_id: string
  readonly cwd: string
  /** The transcript of the main thread, also inside a subagent. */
  readonly transcript_path?: string
  /** Only subagents have one. */
  readonly agent_id?: string
  /** The name of a subagent, or of the agent that the main thread was started as. */
  readonly agent_type?: string
  readonly tool_name?: string
  readonly tool_input?: JsonObject
  readonly tool_response?: Json
  /** Of a SessionStart: `startup`, `resume`, `clear` or `compact`. */
  readonly source?: Json
  /** What the person asks for. */
  readonly prompt?: Json
  /** Of a ConfigChange: the settings that changed. */
  readonly file_path?: Json
  /** Named by our plugin for OpenCode; Claude Code does not say it. */
  readonly client?: string
}

type Attested = NonNullable<Claims['attested']>

/** What the client reads from standard output. */
export type HookOutput = JsonObject

/** What needs the store: one session of the client, seen by the agent that the payload names. */
export interface HookSession {
  /** The text as the agent may see it: no secret, and nothing that another agent holds for itself. */
  clean(text: string, options?: PartOptions): Promise<Checked<string>>
  /** The text without what other agents of the session hold for themselves. */
  mask(text: string): Promise<Checked<string>>
  /** The values of those tokens that the session was given, to compare with and never to show. */
  valuesOf(tokens: Iterable<string>): ReadonlyMap<string, string>
  /** The agents of the session that hold private context. */
  holders(): readonly { readonly agent: string; readonly instance?: string }[]
  /** A record in the audit. */
  event(name: string, details: JsonObject): void
}

/** Where a session stands, in texts that are cleaned already. */
export interface SessionNotes {
  readonly summary: string
  readonly context: string
  readonly state: Json
  readonly files: { readonly written: readonly string[]; readonly read: readonly string[] }
}

export interface CheckpointOffer {
  readonly id: string
  /** How long ago, and by whom. */
  readonly saved: string
  readonly summary: string
  /** How to take it. */
  readonly about: string
}

/** What survives the session, as far as the rules let the agent have it that the payload names. */
export interface HookMemory {
  /** Whether checkpoints are saved: the person has not switched it off, and the rules let the agent. */
  readonly maySave: boolean
  /** The text without secrets, and without what any agent of the session holds for itself. */
  clean(text: string): string
  /** Answers the id of the checkpoint. */
  save(notes: SessionNotes): Promise<string>
  /** A checkpoint to go on from; undefined where there is none. */
  offer(when: 'compacted' | 'started'): Promise<CheckpointOffer | undefined>
  /** What was learned about such a task. Once a session: undefined after that, and where there is nothing. */
  notesFor(task: string): Promise<string | undefined>
}

/** What a hook knows of the model door. */
export interface HookDoor {
  /** The hook was installed together with the door: requests must go through it. */
  readonly isExpected: boolean
  /** Needs the store. */
  open(): Promise<LocalDoor>
  /** Returns once the daemon answers. Throws where it may not or cannot be started. */
  startDaemon(): Promise<void>
  /** True the first time in the life of this installation. */
  isFirst(hint: string): boolean
}

/** What a hook has of the world. */
export interface HookPorts {
  readonly mode: 'friendly' | 'strict'
  /** Protected places that the user lets the client's own tools write. */
  readonly allowProtected: readonly string[]
  /** The folders of contextd: configuration, state, sockets. */
  readonly ownFolders: readonly string[]
  /** The files that hold private context; the broker alone gives them out. */
  privateFiles(): Promise<readonly string[]>
  /** How to run contextd again. */
  readonly program: readonly string[]
  /** The environment that the client gave the hook; of a hook that a daemon answers, what it passed on. */
  readonly env: NodeJS.ProcessEnv
  readonly door: HookDoor
  /** Opened when it is first asked for: most answers need no store. */
  session(): Promise<HookSession>
  /** Likewise. */
  memory(): Promise<HookMemory>
}

/** No output lets the call go on as it is. Whatever a guard throws stops the call. */
export type Hook = (payload: HookPayload, ports: HookPorts) => Promise<HookOutput | undefined>

/** Who the client says it is. */
export function attestedIn({ agent_id: id = '', agent_type: type = '' }: HookPayload): Attested {
  return { agent: agentName({ id, type }), ...(id !== '' && { instance: id }) }
}

/** The name that attestation uses; of a fork it is never that of the main thread, because a hook cannot know whose it is. */
export function hookCaller(payload: HookPayload): string {
  return callerName({ claims: { attested: attestedIn(payload) } })
}

/** Of the main thread, and not of an agent that it started. */
export function isMain(payload: HookPayload): boolean {
  return attestedIn(payload).instance === undefined
}

/** PreToolUse: the tool does not run, and the model reads why. */
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

/** Throws where it is not what the client sends: a hook that guesses would let things pass. */
export function readPayload(text: string): HookPayload {
  const value = parsed(text)
  if (!isJsonObject(value)) throw notAPayload('a JSON object')
  for (const name of texts) {
    if (typeof value[name] !== 'string' || value[name] === '') throw notAPayload(`a text as ${name}`)
  }
  for (const name of optionalTexts) {
    if (value[name] !== undefined && typeof value[name] !== 'string') throw notAPayload(`a text as ${name}`)
  }
  if (value.tool_name !== undefined && !isJsonObject(value.tool_input)) throw notAPayload('tool_input')
  return value as unknown as HookPayload
}

/** The parser's own words would repeat the text. */
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

/** For hooks that are about one use of a tool. */
export function toolUseOf({ tool_name, tool_input }: HookPayload): { tool: string; input: JsonObject } {
  if (tool_name === undefined || tool_input === undefined) throw notAPayload('tool_name')
  return { tool: tool_name, input: tool_input }
}
