/**
 * Proof of which agent makes a call, over a channel that no model reaches. Claude Code's hook calls `attest` before
 * the call, and we match the two; OpenCode's plugin signs an argument. On stdio only: just the client writes to the
 * pipe, while anyone with a token can claim anything over HTTP.
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
 * The tool that hooks call. Claude Code hides it from models. If another client shows it to a model, it proves
 * nothing: calls there have no id to match.
 */
export const ATTEST = 'attest'

/** Its entry in `tools/list`, marked as not for models. */
export const attestDefinition = {
  name: ATTEST,
  description: 'For hooks of the client.',
  inputSchema: { type: 'object' },
  _meta: { ui: { visibility: ['app'] } },
} as const satisfies JsonObject

/** The client's id of a tool call, present on every call by a model and on none by a hook. */
const toolUseKey = 'claudecode/toolUseId'

/** A call, and what is proven about its caller. */
export interface ProvenCall {
  readonly claims: Pick<Claims, 'attested' | 'refused'>
  /** Without the signed attestation, which is no argument of the tool. */
  readonly arguments: JsonObject
  readonly clientSession?: string
  /** Called if the call ended with a question to the user and will be repeated. */
  readonly onRetry?: () => void
}

export interface CallerProofs {
  prove(call: { tool: string; arguments: JsonObject }, meta: JsonObject, client: Client): ProvenCall
  /** The response of `attest`; undefined if the call is not from a hook and must be handled like any other. */
  attest(args: JsonObject, meta: JsonObject, client: Client): JsonObject | undefined
  /** Whether this client may have hooks that call `attest`; OpenCode signs instead. */
  isOffered(client: Client): boolean
  /** The claims for lists requested by this client. */
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

  const reportRefused = (problem: string, { agent, tool }: Pick<Attestation, 'agent' | 'tool'>): void => {
    log('warn', 'an attestation was refused', { problem, agent, tool })
    audit.event('attestation-refused', { problem, agent, tool }, { project })
  }

  const forged = (problem: string, tool: string, args: JsonObject): ProvenCall => {
    reportRefused(problem, { agent: '', tool })
    return { claims: { refused: { code: 'ATTESTATION_FORGED', problem } }, arguments: args }
  }

  /** The model door identifies the agents of requests by this. */
  const noteInstance = (reported: ReportedAgent): void => {
    const { clientSession, id } = reported
    const agent = callerName(reported, forks, project)
    if (instances.note(clientSession, id, agent) === 'conflict')
      reportRefused('two attestations of one instance name different agents', { agent, tool: '' })
  }

  const hookProof = (tool: string, meta: JsonObject, args: JsonObject): ProvenCall => {
    const toolUse = meta[toolUseKey]
    const found = typeof toolUse === 'string' ? attestations.take(toolUse, tool) : undefined
    if (found === undefined) return { claims: {}, arguments: args }
    if (found === 'other-tool') return forged('it was made for another tool', tool, args)
    // Reported when the second attestation arrived.
    if (found === 'conflict') {
      const problem = 'two attestations of one call name different callers'
      return { claims: { refused: { code: 'ATTESTATION_CONFLICT', problem } }, arguments: args }
    }
    const { agent, instance, clientSession } = found
    return {
      claims: { attested: { agent, ...(instance !== undefined && { instance }) } },
      arguments: args,
      clientSession,
      onRetry: () => attestations.giveBack(found.toolUse),
    }
  }

  return {
    prove({ tool, arguments: given }, meta, client) {
      if (tool === ATTEST && meta[toolUseKey] !== undefined) {
        return forged('a model called attest', tool, given)
      }
      const { signed, rest } = splitSigned(given)
      if (signed === undefined) return hookProof(tool, meta, rest)
      if (!isOpenCode(client)) return forged('this client does not sign', tool, rest)
      key ??= loadOrCreateKey(join(paths.keys, 'attestation.key'))
      const expected = { key, tool, arguments: rest, now: Date.now(), use: nonces.use }
      const reported = verifySignedAttestation(signed, expected)
      if ('problem' in reported) return forged(reported.problem, tool, rest)
      const { agent, instance, session } = reported
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
      const reported = readHookInput(args)
      if (reported === undefined) {
        const { tool_use_id: toolUse } = args
        if (typeof toolUse === 'string' && toolUse.length <= maxTextLength) attestations.spoil(toolUse)
        reportRefused('a hook sent an invalid payload', { agent: '', tool: '' })
        return toToolResult(invalidArguments([{ field: 'input', expected: 'the payload of a hook' }]))
      }
      if (agentTools.has(reported.tool)) {
        forks.started(reported.clientSession, reported, reported.subagentType)
        return hookAnswer({})
      }
      const attestation = attestationOf(reported, forks, project)
      noteInstance(reported)
      const recorded = attestations.record(attestation)
      if (recorded === 'full') return hookAnswer({})
      if (recorded === 'conflict') {
        const error = describeError('ATTESTATION_CONFLICT')
        reportRefused(error.message, attestation)
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

/** Removes a signed attestation from the arguments of any caller: no tool has such an argument. */
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

const maxTextLength = 256

/** The client's own tools that start an agent. */
const agentTools: ReadonlySet<string> = new Set(['Agent', 'Task'])

/** The agent that a hook reports. */
interface ReportedAgent {
  readonly clientSession: string
  /** Both are empty for the main thread. */
  readonly id: string
  readonly type: string
}

/** The fields that the hook configuration copies from the client's payload. */
interface HookInput extends ReportedAgent {
  readonly toolUse: string
  readonly tool: string
  /** The type of the agent being started, if any. */
  readonly subagentType: string
}

/** An agent is about to start: its first model request precedes its first tool call. */
function readAnnouncement(args: JsonObject): ReportedAgent | undefined {
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
  return typeof value === 'string' && value.length <= maxTextLength ? value : undefined
}

function readHookInput(args: JsonObject): HookInput | undefined {
  const field = (name: string): string | undefined => textIn(args, name)
  const toolUse = field('tool_use_id')
  const clientSession = field('session_id')
  const tool = field('tool_name')
  const id = field('agent_id')
  const type = field('agent_type')
  const subagentType = field('subagent_type') ?? ''
  if (!toolUse || !clientSession || !tool || id === undefined || type === undefined) return undefined
  return { toolUse, clientSession, tool, id, type, subagentType }
}

function callerName({ clientSession, id, type }: ReportedAgent, forks: ForkBook, project: string): string {
  const isTrustedName = id !== '' || type === '' || !isNamedByProject(type, project)
  return attestedAgent(isTrustedName ? { id, type } : { id, type: '' }, () => forks.areMains(clientSession))
}

function attestationOf(reported: HookInput, forks: ForkBook, project: string): Attestation {
  const { toolUse, clientSession, tool, id } = reported
  const agent = callerName(reported, forks, project)
  return { toolUse, agent, ...(id !== '' && { instance: id }), clientSession, tool }
}

function decision(permissionDecision: 'allow' | 'deny', permissionDecisionReason: string): JsonObject {
  return {
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
  }
}

/** The client reads the text of the response as hook output. */
function hookAnswer(output: JsonObject): JsonObject {
  return { content: [{ type: 'text', text: JSON.stringify(output) }] }
}
