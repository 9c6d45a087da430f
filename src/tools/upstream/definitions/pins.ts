/**
 * Nobody gets a rug pulled: a tool is what it was when it was first seen, or when a person last said yes to it. One that
 * has changed is held back.
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
  /** Of what it is now. */
  readonly sha256: string
  readonly findings: readonly Suspicion[]
}

export interface PinVerdict {
  /** As the server sent them. */
  readonly usable: readonly UpstreamTool[]
  readonly held: readonly HeldTool[]
  /** Seen for the first time, and pinned. */
  readonly added: readonly string[]
}

export type PinEvent = 'tool-pinned' | 'tool-held' | 'tool-repinned' | 'tool-approved'

export interface PinsOptions {
  readonly store: PinStore
  readonly clock: Clock
  /** For the audit. Throws where that cannot be recorded; then nothing is pinned or approved. */
  readonly onEvent: (event: PinEvent, details: JsonObject) => void
}

export interface Pins {
  judge(server: PinnedServer, tools: readonly UpstreamTool[]): PinVerdict
  /**
   * Pins tools as they are now, where that is what the person saw: `seen` has the hash of each. What has changed again, or
   * is gone, is refused.
   */
  approve(
    server: PinnedServer,
    tools: readonly UpstreamTool[],
    seen: ReadonlyMap<string, string>,
  ): { readonly approved: readonly string[]; readonly refused: readonly string[] }
}

/** Of one server, those that are gone included. One with ever new tools would fill the disk, and hide a change among them. */
const maxPins = 2000
/** What a person approves in another process is in force after this time at the latest. */
const lookEveryMs = 1000
/** Changes that were told; more servers and tools than this have nobody who reads it. */
const maxReported = 10_000

interface Judged {
  readonly key: string
  readonly list: string
  readonly verdict: PinVerdict
  readonly approvals: number
  readonly writes: number
  lookedAt: number
}

export function createPins({ store, clock, onEvent }: PinsOptions): Pins {
  const byList = new WeakMap<readonly UpstreamTool[], Judged>()
  const byServer = new Map<string, Judged>()
  const told = new Set<string>()
  /** Of this process; what others approve shows in the store. */
  let approvals = 0

  const pin = (server: PinnedServer, tool: UpstreamTool): void =>
    store.put(server, { sha256: hashOf(tool), definition: asPinned(tool), identity: server.identity })

  const tell = (event: PinEvent, server: PinnedServer, tool: UpstreamTool, details: JsonObject = {}): void =>
    onEvent(event, {
      server: server.server,
      ...(server.project !== '' && { project: server.project }),
      tool: tool.name,
      sha256: hashOf(tool),
      ...details,
    })

  /** The same change is met by every connection to the server; once is enough. */
  const reportOnce: typeof tell = (event, server, tool, details) => {
    const key = JSON.stringify([server.project, server.server, server.identity, tool.name, hashOf(tool)])
    if (told.has(key)) return
    if (told.size >= maxReported) told.clear()
    tell(event, server, tool, details)
    told.add(key)
  }

  const isCurrent = (judged: Judged | undefined): judged is Judged => {
    if (judged === undefined || judged.approvals !== approvals) return false
    if (clock() - judged.lookedAt < lookEveryMs) return true
    if (store.foreignWrites() !== judged.writes) return false
    judged.lookedAt = clock()
    return true
  }

  const record = (
    server: PinnedServer,
    tools: readonly UpstreamTool[],
    { fresh, changed }: Compared,
  ): void => {
    const names = tools.map(({ name }) => name)
    const about = (tool: UpstreamTool): JsonObject => {
      const rules = [...new Set(suspiciousIn(tool, names).map(({ rule }) => rule))]
      return rules.length === 0 ? {} : { findings: rules }
    }
    for (const tool of fresh) tell('tool-pinned', server, tool, about(tool))
    for (const { tool, was } of changed) {
      const details = { was: was.sha256, ...about(tool) }
      if (server.onChange === 'hold') reportOnce('tool-held', server, tool, details)
      else tell('tool-repinned', server, tool, details)
    }
  }

  /** Recorded first, pinned then; from the start again where another process was quicker. */
  const decide = (server: PinnedServer, tools: readonly UpstreamTool[]): PinVerdict => {
    const compared = compare(store.list(server), server, tools)
    record(server, tools, compared)
    const toPin = [
      ...compared.fresh,
      ...(server.onChange === 'allow' ? compared.changed.map(({ tool }) => tool) : []),
    ]
    if (toPin.length === 0) return toVerdict(compared, server, tools)
    const isDone = store.transaction(() => {
      const pins = store.list(server)
      if (!isSame(compared, compare(pins, server, tools))) return false
      for (const tool of toPin) pin(server, tool)
      for (const [tool, { identity }] of pins) {
        // Of another program that had the server's name: it says nothing about this one.
        if (identity !== server.identity && !tools.some(({ name }) => name === tool))
          store.remove(server, tool)
      }
      return true
    })
    return isDone ? toVerdict(compared, server, tools) : decide(server, tools)
  }

  return {
    judge(server, tools) {
      const key = JSON.stringify([server.project, server.server, server.identity, server.onChange])
      const known = byList.get(tools)
      if (known?.key === key && isCurrent(known)) return known.verdict
      const list = sha256(tools)
      const last = byServer.get(key)
      if (last?.list === list && isCurrent(last)) {
        byList.set(tools, last)
        return last.verdict
      }
      // Looked at first: what is written meanwhile counts as news.
      const looked = { writes: store.foreignWrites(), lookedAt: clock() }
      const judged = { key, list, approvals, ...looked, verdict: decide(server, tools) }
      byList.set(tools, judged)
      byServer.set(key, judged)
      return judged.verdict
    },
    approve(server, tools, seen) {
      const wanted = tools.filter((tool) => seen.get(tool.name) === hashOf(tool))
      for (const tool of wanted) tell('tool-approved', server, tool)
      store.transaction(() => {
        for (const tool of wanted) pin(server, tool)
      })
      approvals++
      const approved = wanted.map(({ name }) => name)
      return { approved, refused: [...seen.keys()].filter((name) => !approved.includes(name)) }
    },
  }
}

interface Compared {
  readonly fresh: readonly UpstreamTool[]
  /** New, on a server that had too many already: not to be used. */
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
