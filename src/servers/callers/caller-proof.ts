/**
 * What a client proves about who makes a call, over a way of its own that no model reaches. Claude Code's hook calls
 * `attest` before the call, and we join the two; OpenCode's plugin signs an argument. On stdio only: nobody but the
 * client writes to the pipe, while whoever holds a token can say anything over HTTP.
 */

import { join } from 'node:path'

import { isNamedByProject } from '../../clients/claude-code/project-agent.ts'
import type { Runtime } from '../../compose.ts'
import type { Claims, Client } from '../../core/call.ts'
import { describeError, errorText } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { invalidArguments } from '../../core/result.ts'
import { loadOrCreateKey } from '../../platform/secrets/keys.ts'
import {
  attestedAgent,
  createAttestations,
  createForkBook,
  type Attestation,
  type ForkBook,
} from '../../stages/identity/attestations.ts'
import {
  attestationArgument,
  createNonceBook,
  verifySignedAttestation,
} from '../../stages/identity/signed-attestation.ts'
import { createInstanceBook } from './instance-book.ts'
import { toToolResult } from '../wire/mcp-result.ts'

/**
 * The tool that hooks call. Claude Code shows it to no model. From a model that some other client shows it to it proves
 * nothing: calls there have no id that it could be joined by.
 */
export const ATTEST = 'attest'

/** As `tools/list` has it, with the mark of what is not for models. */
export const attestDefinition = {
  name: ATTEST,
  description: 'For hooks of the client.',
  inputSchema: { type: 'object' },
  _meta: { ui: { visibility: ['app'] } },
} as const satisfies JsonObject

/** The client's id of the use of a tool, on every call that a model makes and on none that a hook makes. */
const toolUseKey = 'claudecode/toolUseId'

/** A call, and what is proven about who makes it. */
export interface ProvenCall {
  readonly claims: Pick<Claims, 'attested' | 'refused'>
  /** Without what was a proof and no argument. */
  readonly arguments: JsonObject
  readonly clientSession?: string
  /** The call ended with a question to the person and will be made again. */
  readonly willComeAgain?: () => void
}

export interface CallerProofs {
  prove(call: { tool: string; arguments: JsonObject }, meta: JsonObject, client: Client): ProvenCall
  /** What `attest` answers; undefined where the call is no hook's and has to go the way of all calls. */
  attest(args: JsonObject, meta: JsonObject, client: Client): JsonObject | undefined
  /** Whether this client may have hooks that call `attest`; OpenCode signs instead. */
  isOffered(client: Client): boolean
  /** What is known of whoever makes lists for this client. */
  claimsOfList(client: Client): Pick<Claims, 'willAttest'>
}

export function createCallerProofs({
  paths,
  audit,
  project,
  log,
  previewDecision,
  store,
}: Pick<Runtime, 'paths' | 'audit' | 'project' | 'log' | 'previewDecision' | 'store'>): CallerProofs {
  const attestations = createAttestations(Date.now)
  const nonces = createNonceBook(Date.now)
  const forks = createForkBook()
  const instances = createInstanceBook(store, project)
  let key: Buffer | undefined

  const tell = (problem: string, { agent, tool }: Pick<Attestation, 'agent' | 'tool'>): void => {
    log('warn', 'an attestation was refused', { problem, agent, tool })
    audit.event('attestation-refused', { problem, agent, tool }, { project })
  }

  const forged = (problem: string, tool: string, args: JsonObject): ProvenCall => {
    tell(problem, { agent: '', tool })
    return { claims: { refused: { code: 'ATTESTATION_FORGED', problem } }, arguments: args }
  }

  /** The door learns from here whose requests it sees. */
  const noteInstance = (said: Speaker): void => {
    const { clientSession, id } = said
    const agent = spokenAgent(said, forks, project)
    if (instances.note(clientSession, id, agent) === 'conflict')
      tell('two attestations of one agent name different ones', { agent, tool: '' })
  }

  const ofHook = (tool: string, meta: JsonObject, args: JsonObject): ProvenCall => {
    const toolUse = meta[toolUseKey]
    const found = typeof toolUse === 'string' ? attestations.take(toolUse, tool) : undefined
    if (found === undefined) return { claims: {}, arguments: args }
    if (found === 'other-tool') return forged('it was made for another tool', tool, args)
    // Told when the second one came.
    if (found === 'conflict') {
      const problem = 'two attestations of one call name different callers'
      return { claims: { refused: { code: 'ATTESTATION_CONFLICT', problem } }, arguments: args }
    }
    const { agent, instance, clientSession } = found
    return {
      claims: { attested: { agent, ...(instance !== undefined && { instance }) } },
      arguments: args,
      clientSession,
      willComeAgain: () => attestations.giveBack(found.toolUse),
    }
  }

  return {
    prove({ tool, arguments: given }, meta, client) {
      if (tool === ATTEST && meta[toolUseKey] !== undefined) {
        return forged('a model called attest', tool, given)
      }
      const { signed, rest } = splitSigned(given)
      if (signed === undefined) return ofHook(tool, meta, rest)
      if (!isOpenCode(client)) return forged('this client does not sign', tool, rest)
      key ??= loadOrCreateKey(join(paths.keys, 'attestation.key'))
      const expected = { key, tool, arguments: rest, now: Date.now(), use: nonces.use }
      const said = verifySignedAttestation(signed, expected)
      if ('problem' in said) return forged(said.problem, tool, rest)
      const { agent, instance, session } = said
      return {
        claims: { attested: { agent, ...(instance !== undefined && { instance }) } },
        arguments: rest,
        clientSession: session,
      }
    },
    attest(args, meta, client) {
      if (isOpenCode(client) || meta[toolUseKey] !== undefined) return undefined
      const announced = readAnnouncement(args)
      if (announced !== undefined) {
        noteInstance(announced)
        return hookAnswer({})
      }
      const said = readHookInput(args)
      if (said === undefined) {
        const { tool_use_id: toolUse } = args
        if (typeof toolUse === 'string' && toolUse.length <= longest) attestations.spoil(toolUse)
        tell('a hook said something unreadable', { agent: '', tool: '' })
        return toToolResult(invalidArguments([{ field: 'input', expected: 'what the hook is to send' }]))
      }
      if (starters.has(said.tool)) {
        forks.started(said.clientSession, said, said.subagentType)
        return hookAnswer({})
      }
      const attestation = attestationOf(said, forks, project)
      noteInstance(said)
      const recorded = attestations.record(attestation)
      if (recorded === 'full') return hookAnswer({})
      if (recorded === 'conflict') {
        const error = describeError('ATTESTATION_CONFLICT')
        tell(error.message, attestation)
        const reason = errorText(error)
        return hookAnswer({ ...decision('deny', reason), systemMessage: `contextd: ${error.message}` })
      }
      const { agent, tool } = attestation
      const ours = /^mcp__(?:(?!__).)+__(.+)$/s.exec(tool)?.[1]
      const preview = ours === undefined ? undefined : previewDecision({ attested: { agent } }, ours)
      if (preview === undefined) return hookAnswer({})
      if (preview.allowed) return hookAnswer(decision('allow', 'the rules of contextd allow it'))
      const { code, rule } = preview.error
      audit.event('call-foreseen-refused', { agent, tool, code, rule: rule ?? null }, { project, agent })
      return hookAnswer(decision('deny', errorText(preview.error)))
    },
    isOffered: (client) => !isOpenCode(client),
    claimsOfList: (client) => (isClaudeCode(client) || isOpenCode(client) ? { willAttest: true } : {}),
  }
}

/** Takes a signed attestation out of the arguments, wherever they came from: no tool has such an argument. */
export function splitSigned(args: JsonObject): { signed: unknown; rest: JsonObject } {
  if (!Object.hasOwn(args, attestationArgument)) return { signed: undefined, rest: args }
  const { [attestationArgument]: signed, ...rest } = args
  return { signed, rest }
}

function isClaudeCode({ name }: Client): boolean {
  return name === 'claude-code'
}

function isOpenCode({ name }: Client): boolean {
  return name === 'opencode'
}

const longest = 256

/** The client's own tools that start an agent. */
const starters: ReadonlySet<string> = new Set(['Agent', 'Task'])

/** Whom a hook speaks of. */
interface Speaker {
  readonly clientSession: string
  /** Both are empty for the main thread. */
  readonly id: string
  readonly type: string
}

/** What the hook's configuration makes of the client's own words. */
interface HookInput extends Speaker {
  readonly toolUse: string
  readonly tool: string
  /** Of the agent that is being started, where one is. */
  readonly subagentType: string
}

/** An agent is about to begin: its first request to a model comes before its first use of a tool. */
function readAnnouncement(args: JsonObject): Speaker | undefined {
  const event = textIn(args, 'hook_event_name')
  if (event !== 'SubagentStart' && event !== 'UserPromptSubmit') return undefined
  const clientSession = textIn(args, 'session_id')
  const id = textIn(args, 'agent_id')
  const type = textIn(args, 'agent_type')
  if (!clientSession || id === undefined || type === undefined) return undefined
  return { clientSession, id, type }
}

function textIn(args: JsonObject, name: string): string | undefined {
  const value = args[name]
  return typeof value === 'string' && value.length <= longest ? value : undefined
}

function readHookInput(args: JsonObject): HookInput | undefined {
  const said = (name: string): string | undefined => textIn(args, name)
  const toolUse = said('tool_use_id')
  const clientSession = said('session_id')
  const tool = said('tool_name')
  const id = said('agent_id')
  const type = said('agent_type')
  const subagentType = said('subagent_type') ?? ''
  if (!toolUse || !clientSession || !tool || id === undefined || type === undefined) return undefined
  return { toolUse, clientSession, tool, id, type, subagentType }
}

function spokenAgent({ clientSession, id, type }: Speaker, forks: ForkBook, project: string): string {
  const isTrustedName = id !== '' || type === '' || !isNamedByProject(type, project)
  return attestedAgent(isTrustedName ? { id, type } : { id, type: '' }, () => forks.areMains(clientSession))
}

function attestationOf(said: HookInput, forks: ForkBook, project: string): Attestation {
  const { toolUse, clientSession, tool, id } = said
  const agent = spokenAgent(said, forks, project)
  return { toolUse, agent, ...(id !== '' && { instance: id }), clientSession, tool }
}

function decision(permissionDecision: 'allow' | 'deny', permissionDecisionReason: string): JsonObject {
  return {
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
  }
}

/** The client reads the text of the answer as the output of a hook. */
function hookAnswer(output: JsonObject): JsonObject {
  return { content: [{ type: 'text', text: JSON.stringify(output) }] }
}
