/**
 * Attestations by Claude Code's hooks: they report the agent before a call, and `attest` answers with the decision of
 * the rules about it.
 */

import { isNamedByProject } from '../../clients/claude-code/project-agent.ts'
import type { Runtime } from '../../compose.ts'
import { describeError, errorText } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { withoutServerName } from '../../core/own-tools.ts'
import { invalidArguments } from '../../core/result.ts'
import {
  attestedAgent,
  createAttestations,
  createForkBook,
  type Attestation,
  type ForkBook,
} from '../../stages/identity/attestations.ts'
import { createInstanceBook } from './instance-book.ts'
import type { AttestationRefusals, ProvenCall } from './proven-call.ts'
import { toToolResult } from '../wire/mcp-result.ts'

export interface HookAttestations {
  /** What a hook has reported about this call. */
  prove(tool: string, meta: JsonObject, args: JsonObject): ProvenCall
  /** Records what a hook reports, and returns the answer for the client. */
  attest(args: JsonObject): JsonObject
}

/** The client's id of a tool call, present on every call by a model and on none by a hook. */
const toolUseKey = 'claudecode/toolUseId'

export function isCallByModel(meta: JsonObject): boolean {
  return meta[toolUseKey] !== undefined
}

type HookAttestationParts = Pick<Runtime, 'audit' | 'project' | 'previewDecision' | 'store'>

export function createHookAttestations(
  parts: HookAttestationParts,
  refusals: AttestationRefusals,
): HookAttestations {
  const { project, store } = parts
  const attestations = createAttestations(Date.now)
  const forks = createForkBook()
  const instances = createInstanceBook(store, project)

  /** The model door identifies the agents of requests by this. */
  const noteInstance = (reported: ReportedAgent): void => {
    const { clientSession, id } = reported
    const agent = callerName(reported, forks, project)
    if (instances.note(clientSession, id, agent) === 'conflict')
      refusals.report('two attestations of one instance name different agents', { agent, tool: '' })
  }

  const refuseInvalid = ({ tool_use_id: toolUse }: JsonObject): JsonObject => {
    if (typeof toolUse === 'string' && toolUse.length <= maxTextLength) attestations.spoil(toolUse)
    refusals.report('a hook sent an invalid payload', { agent: '', tool: '' })
    return toToolResult(invalidArguments([{ field: 'input', expected: 'the payload of a hook' }]))
  }

  const attestCall = (reported: HookInput): JsonObject => {
    const attestation = attestationOf(reported, forks, project)
    noteInstance(reported)
    switch (attestations.record(attestation)) {
      case 'full':
        return hookAnswer({})
      case 'conflict': {
        const error = describeError('ATTESTATION_CONFLICT')
        refusals.report(error.message, attestation)
        const reason = errorText(error)
        return hookAnswer({ ...decision('deny', reason), systemMessage: `contextd: ${error.message}` })
      }
      case 'recorded':
        return previewAnswer(attestation, parts)
    }
  }

  return {
    prove(tool, meta, args) {
      const toolUse = meta[toolUseKey]
      const found = typeof toolUse === 'string' ? attestations.take(toolUse, tool) : undefined
      if (found === undefined) return { claims: {}, arguments: args }
      if (found === 'other-tool') return refusals.forged('it was made for another tool', tool, args)
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
    },
    attest(args) {
      const announced = readAnnouncement(args)
      if (announced !== undefined) {
        noteInstance(announced)
        return hookAnswer({})
      }
      const reported = readHookInput(args)
      if (reported === undefined) return refuseInvalid(args)
      if (agentTools.has(reported.tool)) {
        forks.started(reported.clientSession, reported, reported.subagentType)
        return hookAnswer({})
      }
      return attestCall(reported)
    },
  }
}

/** What the rules will decide about a call of one of our tools, so that the client need not ask its user. */
function previewAnswer(
  { agent, tool }: Attestation,
  { audit, project, previewDecision }: HookAttestationParts,
): JsonObject {
  const ours = withoutServerName(tool)
  const preview = ours === undefined ? undefined : previewDecision({ attested: { agent } }, ours)
  if (preview === undefined) return hookAnswer({})
  if (preview.allowed) return hookAnswer(decision('allow', 'the rules of contextd allow it'))
  const { code, rule } = preview.error
  audit.event('call-foreseen-refused', { agent, tool, code, rule: rule ?? null }, { project, agent })
  return hookAnswer(decision('deny', errorText(preview.error)))
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
