/**
 * Protects against rug pulls: a tool's definition is pinned when it is first seen or approved. A tool that differs from
 * its pin is held back.
 */

import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../../core/ports.ts'
import type { UpstreamTool } from './definition.ts'
import type { Pin, PinStore } from './pin-store.ts'
import { asPinned, hashOf, sha256, type PinnedDefinition, type PinnedServer } from './pinned-definition.ts'
import { suspiciousIn, type Suspicion } from './suspicious-text.ts'

export interface HeldTool {
  readonly name: string
  readonly was: PinnedDefinition
  readonly is: UpstreamTool
  /** Hash of the new definition. */
  readonly sha256: string
  readonly findings: readonly Suspicion[]
}

export interface PinVerdict {
  /** Unmodified, as the server sent them. */
  readonly usable: readonly UpstreamTool[]
  readonly held: readonly HeldTool[]
  /** Newly pinned. */
  readonly added: readonly string[]
}

export type PinEvent = 'tool-pinned' | 'tool-held' | 'tool-repinned' | 'tool-approved'

export interface PinsOptions {
  readonly store: PinStore
  readonly clock: Clock
  /** Writes an audit record. If it throws, nothing is pinned or approved. */
  readonly onEvent: (event: PinEvent, details: JsonObject) => void
}

export interface Pins {
  judge(server: PinnedServer, tools: readonly UpstreamTool[]): PinVerdict
  /**
   * Pins the tools whose definition still has the hash in `seen`, which is what the user reviewed. The others, which
   * changed again or were removed, are refused.
   */
  approve(
    server: PinnedServer,
    tools: readonly UpstreamTool[],
    seen: ReadonlyMap<string, string>,
  ): { readonly approved: readonly string[]; readonly refused: readonly string[] }
}

/** Per server, including removed tools. Ever new tools would fill the disk, and hide a change among them. */
const maxPins = 2000
/** Approvals by another process take effect within this time. */
const recheckMs = 1000
const maxReported = 10_000

interface Judgement {
  readonly key: string
  readonly list: string
  readonly verdict: PinVerdict
  readonly approvals: number
  readonly writes: number
  checkedAt: number
}

interface PinsState extends PinsOptions {
  readonly byList: WeakMap<readonly UpstreamTool[], Judgement>
  readonly byServer: Map<string, Judgement>
  /** Changes that were already reported. */
  readonly reported: Set<string>
  /** Approvals in this process; those of other processes show as writes of the store. */
  approvals: number
}

export function createPins(options: PinsOptions): Pins {
  const state: PinsState = {
    ...options,
    byList: new WeakMap(),
    byServer: new Map(),
    reported: new Set(),
    approvals: 0,
  }
  return {
    judge: (server, tools) => judge(state, server, tools),
    approve: (server, tools, seen) => approve(state, server, tools, seen),
  }
}

function judge(state: PinsState, server: PinnedServer, tools: readonly UpstreamTool[]): PinVerdict {
  const { byList, byServer, store, clock, approvals } = state
  const key = JSON.stringify([server.project, server.server, server.identity, server.onChange])
  const known = byList.get(tools)
  if (known?.key === key && isCurrent(state, known)) return known.verdict
  const list = sha256(tools)
  const last = byServer.get(key)
  if (last?.list === list && isCurrent(state, last)) {
    byList.set(tools, last)
    return last.verdict
  }
  // Read before deciding, so that writes in the meantime make the judgement outdated.
  const read = { writes: store.foreignWrites(), checkedAt: clock() }
  const judgement = { key, list, approvals, ...read, verdict: decide(state, server, tools) }
  byList.set(tools, judgement)
  byServer.set(key, judgement)
  return judgement.verdict
}

function isCurrent({ approvals, clock, store }: PinsState, judgement: Judgement | undefined): boolean {
  if (judgement === undefined || judgement.approvals !== approvals) return false
  if (clock() - judgement.checkedAt < recheckMs) return true
  if (store.foreignWrites() !== judgement.writes) return false
  judgement.checkedAt = clock()
  return true
}

/** Recorded before it is pinned; starts over if another process changed the pins in the meantime. */
function decide(state: PinsState, server: PinnedServer, tools: readonly UpstreamTool[]): PinVerdict {
  const { store } = state
  const compared = compare(store.list(server), server, tools)
  record(state, server, tools, compared)
  const toPin = [
    ...compared.fresh,
    ...(server.onChange === 'allow' ? compared.changed.map(({ tool }) => tool) : []),
  ]
  if (toPin.length === 0) return toVerdict(compared, server, tools)
  const isDone = store.transaction(() => {
    const pins = store.list(server)
    if (!isSame(compared, compare(pins, server, tools))) return false
    for (const tool of toPin) pin(store, server, tool)
    for (const [tool, { identity }] of pins) {
      // Pins of another program that had this server's name say nothing about this one.
      if (identity !== server.identity && !tools.some(({ name }) => name === tool)) store.remove(server, tool)
    }
    return true
  })
  return isDone ? toVerdict(compared, server, tools) : decide(state, server, tools)
}

function record(
  state: PinsState,
  server: PinnedServer,
  tools: readonly UpstreamTool[],
  { fresh, changed }: Compared,
): void {
  const names = tools.map(({ name }) => name)
  const findingsIn = (tool: UpstreamTool): JsonObject => {
    const rules = [...new Set(suspiciousIn(tool, names).map(({ rule }) => rule))]
    return rules.length === 0 ? {} : { findings: rules }
  }
  for (const tool of fresh) report(state, 'tool-pinned', server, tool, findingsIn(tool))
  for (const { tool, was } of changed) {
    const details = { was: was.sha256, ...findingsIn(tool) }
    if (server.onChange === 'hold') reportOnce(state, 'tool-held', server, tool, details)
    else report(state, 'tool-repinned', server, tool, details)
  }
}

function report(
  { onEvent }: PinsState,
  event: PinEvent,
  server: PinnedServer,
  tool: UpstreamTool,
  details: JsonObject = {},
): void {
  onEvent(event, {
    server: server.server,
    ...(server.project !== '' && { project: server.project }),
    tool: tool.name,
    sha256: hashOf(tool),
    ...details,
  })
}

/** Every connection to the server sees the same change; it is reported once. */
function reportOnce(
  state: PinsState,
  event: PinEvent,
  server: PinnedServer,
  tool: UpstreamTool,
  details: JsonObject,
): void {
  const { reported } = state
  const key = JSON.stringify([server.project, server.server, server.identity, tool.name, hashOf(tool)])
  if (reported.has(key)) return
  if (reported.size >= maxReported) reported.clear()
  report(state, event, server, tool, details)
  reported.add(key)
}

function approve(
  state: PinsState,
  server: PinnedServer,
  tools: readonly UpstreamTool[],
  seen: ReadonlyMap<string, string>,
): ReturnType<Pins['approve']> {
  const { store } = state
  const unchanged = tools.filter((tool) => seen.get(tool.name) === hashOf(tool))
  for (const tool of unchanged) report(state, 'tool-approved', server, tool)
  store.transaction(() => {
    for (const tool of unchanged) pin(store, server, tool)
  })
  state.approvals++
  const approved = unchanged.map(({ name }) => name)
  return { approved, refused: [...seen.keys()].filter((name) => !approved.includes(name)) }
}

function pin(store: PinStore, server: PinnedServer, tool: UpstreamTool): void {
  store.put(server, { sha256: hashOf(tool), definition: asPinned(tool), identity: server.identity })
}

interface Compared {
  readonly fresh: readonly UpstreamTool[]
  /** New tools beyond the limit; they cannot be used. */
  readonly surplus: readonly UpstreamTool[]
  readonly changed: readonly { readonly tool: UpstreamTool; readonly was: Pin }[]
}

function compare(
  pins: ReadonlyMap<string, Pin>,
  { identity }: PinnedServer,
  tools: readonly UpstreamTool[],
): Compared {
  const fresh: UpstreamTool[] = []
  const changed: { tool: UpstreamTool; was: Pin }[] = []
  for (const tool of tools) {
    const was = pins.get(tool.name)
    if (was === undefined || was.identity !== identity) fresh.push(tool)
    else if (was.sha256 !== hashOf(tool)) changed.push({ tool, was })
  }
  const own = [...pins.values()].filter((pin) => pin.identity === identity).length
  const room = Math.max(0, maxPins - own)
  return { fresh: fresh.slice(0, room), surplus: fresh.slice(room), changed }
}

function isSame(left: Compared, right: Compared): boolean {
  const key = ({ fresh, changed }: Compared): string =>
    JSON.stringify([fresh.map(({ name }) => name), changed.map(({ tool, was }) => [tool.name, was.sha256])])
  return key(left) === key(right)
}

function toVerdict(
  { fresh, surplus, changed }: Compared,
  server: PinnedServer,
  tools: readonly UpstreamTool[],
): PinVerdict {
  const names = tools.map(({ name }) => name)
  const held = server.onChange === 'allow' ? [] : changed
  const isHeld = new Set([...held.map(({ tool }) => tool), ...surplus])
  return {
    usable: tools.filter((tool) => !isHeld.has(tool)),
    held: held.map(({ tool, was }) => ({
      name: tool.name,
      was: was.definition,
      is: tool,
      sha256: hashOf(tool),
      findings: suspiciousIn(tool, names),
    })),
    added: fresh.map(({ name }) => name),
  }
}
