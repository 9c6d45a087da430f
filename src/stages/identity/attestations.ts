/**
 * Attestations by the client's own hook: who will make an upcoming call. Each is valid for one call, for a short
 * time, on the connection it arrived on.
 */

import { agentName } from '../../core/agent-name.ts'
import type { Clock } from '../../core/ports.ts'

export interface Attestation {
  /** The client's id of the tool use it attests. */
  readonly toolUse: string
  readonly agent: string
  /** The client's id of the running agent; the main thread has none. */
  readonly instance?: string
  /** The client's own session. */
  readonly clientSession: string
  /** The client's name of the tool: `mcp__contextd__safe_bash`. */
  readonly tool: string
}

/** `conflict`: a contradicting attestation for the same use exists. `full`: no room for more. */
export type AttestationResult = 'recorded' | 'conflict' | 'full'

export interface Attestations {
  record(attestation: Attestation): AttestationResult
  /** The attestation of this use; each can be taken once. */
  take(toolUse: string, tool: string): Attestation | 'conflict' | 'other-tool' | undefined
  /** An unreadable attestation for this use arrived: it counts as a contradiction. */
  spoil(toolUse: string): void
  /** Makes it valid again: the client will repeat the call after the user has answered a question. */
  giveBack(toolUse: string): void
}

interface Entry {
  readonly attestation: Attestation
  isConflict: boolean
  isUsed: boolean
  expiresAt: number
}

/** A client makes the call right after its hooks, but may prompt its user in between. */
const validForMs = 60_000
/** How long a user may take to answer a tool's question. */
const questionMs = 600_000
const maxEntries = 10_000

export function createAttestations(clock: Clock): Attestations {
  const entries = new Map<string, Entry>()

  const hasRoom = (): boolean => {
    if (entries.size < maxEntries) return true
    const now = clock()
    for (const [toolUse, { expiresAt }] of entries) if (expiresAt <= now) entries.delete(toolUse)
    return entries.size < maxEntries
  }
  const entryOf = (toolUse: string): Entry | undefined => {
    const entry = entries.get(toolUse)
    return entry !== undefined && entry.expiresAt > clock() ? entry : undefined
  }

  return {
    record(attestation) {
      // Used ones are kept until they expire, because a later attestation may still contradict them.
      const known = entryOf(attestation.toolUse)
      if (known !== undefined) {
        known.isConflict ||= !isSame(known.attestation, attestation)
        return known.isConflict ? 'conflict' : 'recorded'
      }
      if (!hasRoom()) return 'full'
      const expiresAt = clock() + validForMs
      entries.set(attestation.toolUse, { attestation, isConflict: false, isUsed: false, expiresAt })
      return 'recorded'
    },
    take(toolUse, tool) {
      const entry = entryOf(toolUse)
      if (entry === undefined) return undefined
      if (entry.isConflict) return 'conflict'
      if (!isNameOf(entry.attestation.tool, tool)) return 'other-tool'
      if (entry.isUsed) return undefined
      entry.isUsed = true
      return entry.attestation
    },
    spoil(toolUse) {
      const entry = entryOf(toolUse)
      if (entry !== undefined) entry.isConflict = true
      else if (hasRoom()) entries.set(toolUse, conflictEntry(toolUse, clock() + validForMs))
    },
    giveBack(toolUse) {
      const entry = entryOf(toolUse)
      if (entry === undefined) return
      entry.isUsed = false
      entry.expiresAt = clock() + questionMs
    },
  }
}

function conflictEntry(toolUse: string, expiresAt: number): Entry {
  const attestation = { toolUse, agent: '', clientSession: '', tool: '' }
  return { attestation, isConflict: true, isUsed: false, expiresAt }
}

function isSame(one: Attestation, other: Attestation): boolean {
  return (
    one.agent === other.agent &&
    one.instance === other.instance &&
    one.clientSession === other.clientSession &&
    one.tool === other.tool
  )
}

/** Whether the client's name of a tool can refer to ours: it has a server prefix and replaces some characters. */
function isNameOf(clientName: string, tool: string): boolean {
  return clientName.endsWith(`__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`)
}

/** A copy of the agent that starts it, with its instructions and its conversation. */
const forkType = 'fork'

/**
 * The client does not report a fork's parent: it counts as the main thread only if no other agent can have started
 * it.
 */
export function attestedAgent(reported: { id: string; type: string }, forksAreMains: () => boolean): string {
  const isMainFork = reported.id !== '' && reported.type === forkType && forksAreMains()
  return agentName(isMainFork ? { id: '', type: '' } : reported)
}

/** Which agents have started forks, as reported by the client's hooks. */
export interface ForkBook {
  /** An agent (the main thread if `id` is empty) starts another; without a type, that may be a fork. */
  started(clientSession: string, by: { id: string }, type: string): void
  areMains(clientSession: string): boolean
}

const maxSessions = 1000

export function createForkBook(): ForkBook {
  const makers = new Map<string, 'main' | 'others'>()
  return {
    started(clientSession, { id }, type) {
      if (type !== forkType && type !== '') return
      const isMainFork = id === '' && makers.get(clientSession) !== 'others'
      if (makers.size >= maxSessions) makers.clear()
      makers.set(clientSession, isMainFork ? 'main' : 'others')
    },
    areMains: (clientSession) => makers.get(clientSession) === 'main',
  }
}
