/**
 * What the client's own hook said about calls that are about to come: who makes them. Each is good for one call, for a
 * short time, on the connection it came over.
 */

import { agentName } from '../../core/agent-name.ts'
import type { Clock } from '../../core/ports.ts'

export interface Attestation {
  /** The client's id of the one use of a tool that it is about. */
  readonly toolUse: string
  readonly agent: string
  /** The client's id of the running agent; the main thread has none. */
  readonly instance?: string
  /** The client's own session. */
  readonly clientSession: string
  /** As the client names the tool: `mcp__contextd__safe_bash`. */
  readonly tool: string
}

/** `conflict`: somebody said something else about the same use. `full`: nothing more is taken down for now. */
export type AttestationResult = 'recorded' | 'conflict' | 'full'

export interface Attestations {
  record(attestation: Attestation): AttestationResult
  /** What was said about this use, once. */
  take(toolUse: string, tool: string): Attestation | 'conflict' | 'other-tool' | undefined
  /** Something was said about this use that nobody can read: it counts as a contradiction. */
  spoil(toolUse: string): void
  /** The client will make the same call again, after the person has answered a question. */
  giveBack(toolUse: string): void
}

interface Entry {
  readonly attestation: Attestation
  isConflict: boolean
  isUsed: boolean
  expiresAt: number
}

/** A client calls right after its hooks; a person who is asked in between has a minute. */
const goodForMs = 60_000
/** How long a person may take over a question of a tool. */
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
      // A used one is kept until it expires: what is said about it afterwards may still contradict it.
      const known = entryOf(attestation.toolUse)
      if (known !== undefined) {
        known.isConflict ||= !isSame(known.attestation, attestation)
        return known.isConflict ? 'conflict' : 'recorded'
      }
      if (!hasRoom()) return 'full'
      const expiresAt = clock() + goodForMs
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
      else if (hasRoom()) entries.set(toolUse, spoilt(toolUse, clock() + goodForMs))
    },
    giveBack(toolUse) {
      const entry = entryOf(toolUse)
      if (entry === undefined) return
      entry.isUsed = false
      entry.expiresAt = clock() + questionMs
    },
  }
}

function spoilt(toolUse: string, expiresAt: number): Entry {
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

/** Whether the client's name of a tool can be that of ours: a prefix for the server, and what it rewrites. */
function isNameOf(clientName: string, tool: string): boolean {
  return clientName.endsWith(`__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`)
}

/** A copy of the agent that starts it, with its instructions and its conversation. */
const forkType = 'fork'

/** Of a fork the client does not say whose it is: it counts as the main thread only where nobody else can have made it. */
export function attestedAgent(said: { id: string; type: string }, forksAreMains: () => boolean): string {
  const isMains = said.id !== '' && said.type === forkType && forksAreMains()
  return agentName(isMains ? { id: '', type: '' } : said)
}

/** Who has started forks, as far as the client's hooks told. */
export interface ForkBook {
  /** An agent (the main thread where `id` is empty) starts another; of no type, it may be a fork too. */
  started(clientSession: string, by: { id: string }, type: string): void
  areMains(clientSession: string): boolean
}

const maxSessions = 1000

export function createForkBook(): ForkBook {
  const makers = new Map<string, 'main' | 'others'>()
  return {
    started(clientSession, { id }, type) {
      if (type !== forkType && type !== '') return
      const isMains = id === '' && makers.get(clientSession) !== 'others'
      if (makers.size >= maxSessions) makers.clear()
      makers.set(clientSession, isMains ? 'main' : 'others')
    },
    areMains: (clientSession) => makers.get(clientSession) === 'main',
  }
}
