/** Tools that people make themselves: listed and called like our own, once a person has approved exactly these bytes. */

import { join } from 'node:path'

import { OWN_SERVER, type Call } from '../../core/call.ts'
import type { Capability, CapabilityKind } from '../../core/capability.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { CountTokens } from '../../core/ports.ts'
import { refusal } from '../../core/result.ts'
import type { Tool, WrittenFile } from '../../core/tool.ts'
import type { Store } from '../../platform/storage/store.ts'
import { currentText } from '../files/current-text.ts'
import type { FileTools } from '../files/file-tools.ts'
import { realPathOf } from '../real-path.ts'
import { recoverInstalls } from './recover.ts'
import { createApprovalStore } from './approval-store.ts'
import { createApprovals, type ToolApprovals } from './approvals.ts'
import { toolNamePattern } from './manifest.ts'
import { fingerprintFolder } from './package-files.ts'
import { createPinnedCopies } from './pinned-copies.ts'
import type { RunParts } from './run-user-tool.ts'
import { createShelf, TOOLS_FOLDER, type Shelf, type ShelvedTool } from './shelf.ts'
import type { ToolPackage } from './tool-package.ts'

export interface UserToolsOptions extends Omit<RunParts, 'copies' | 'approvals'> {
  readonly store: Store
  readonly tenant: string
  readonly project: string
  /** Private to this user; the approved bytes are kept in it. */
  readonly stateFolder: string
  readonly count: CountTokens
  readonly files: FileTools
  /** Whether a tool of that name is there without any package. */
  readonly isTaken: (name: string) => boolean
  /** For the audit. */
  readonly onEvent: (name: string, details: JsonObject, call: Call) => void
}

export interface UserTools {
  /** What can be called, in the order of names. */
  tools(): readonly Tool[]
  /** Also what cannot be called before a person approves it: the policy stage says so. */
  find(name: string): Tool | undefined
  readonly approvals: ToolApprovals
  /** Calls back when the list became another one; answers how to stop. */
  onChanged(listener: () => void): () => void
  /** Forgets what was approved for sessions before that time (epoch milliseconds), and copies that nobody may run. */
  prune(before: number): number
}

/** Where the approved bytes are kept, below the state folder. */
export function pinnedFolder(stateFolder: string): string {
  return join(stateFolder, 'tools')
}

/** How often to look whether the list changed, while someone wants to know. */
const lookEveryMs = 1000

export function openUserTools(options: UserToolsOptions): UserTools {
  const { store, tenant, stateFolder, clock, count, isTaken, onEvent } = options
  const project = realPathOf(options.project)
  const stored = createApprovalStore(store, { tenant, project }, clock)
  const copies = createPinnedCopies(pinnedFolder(stateFolder))
  const recover = (): boolean => recoverInstalls({ project, store, approvals: stored })
  const shelf = createShelf({ project, approvals: stored, copies, count, isTaken, recover })
  const approvals = createApprovals({ shelf, store: stored, onEvent })
  const parts: RunParts = { ...options, copies, approvals }
  const made = new Map<string, { sha256: string; tool: Tool }>()

  const toTool = (name: string, found: ShelvedTool): Tool => {
    if (found.state !== 'approved') return unusableTool(name, found)
    const { sha256 } = found.approval
    const known = made.get(name)
    if (known?.sha256 === sha256) return known.tool
    const tool = usableTool(found.package, { ...parts, shelf }, options.files)
    made.set(name, { sha256, tool })
    return tool
  }
  /** What the list depends on, without reading any package. */
  const state = (): string => {
    const approved = stored.list()
    const places = approved.map(({ tool }) => fingerprintFolder(join(project, TOOLS_FOLDER, tool)))
    return JSON.stringify([approved.map(({ tool, sha256 }) => [tool, sha256]), places])
  }
  // Only what somebody approved is read at all: a stranger's project may hold any amount of packages.
  const listed = (): Tool[] =>
    stored.list().flatMap(({ tool: name }) => {
      const found = shelf.look(name)
      return found?.state === 'approved' ? [toTool(name, found)] : []
    })

  return {
    tools: listed,
    find(name) {
      const found = toolNamePattern.test(name) && !isTaken(name) ? shelf.look(name) : undefined
      return found && toTool(name, found)
    },
    approvals,
    onChanged(listener) {
      let last = state()
      const look = (): void => {
        let now: string
        try {
          now = state()
        } catch {
          // The store may be busy, or closed already: the next look tells.
          return
        }
        if (now === last) return
        last = now
        listener()
      }
      const timer = setInterval(look, lookEveryMs)
      timer.unref()
      return () => clearInterval(timer)
    },
    prune(before) {
      const forgotten = stored.prune(before)
      copies.prune(stored.hashesInUse())
      return forgotten
    },
  }
}

/** What the agent must be granted before it even sees the tool. What only concerns the tool itself is approved with it. */
function needsOf({ manifest }: ToolPackage): CapabilityKind[] {
  const kinds = manifest.required.map(({ kind }) => kind)
  return [...new Set(kinds)].filter((kind) => kind !== 'scrubber:scan')
}

/** What a tool can have without changing anything beyond what contextd itself stores. */
const readingKinds: ReadonlySet<CapabilityKind> = new Set(['fs:read', 'memory:read', 'scrubber:scan'])

function changesNothing({ manifest: { required, optional } }: ToolPackage): boolean {
  return [...required, ...optional].every(({ kind }) => readingKinds.has(kind))
}

/** What arguments that name the one file of a call are called. */
const fileArgument = /^(?:path|file|filename|file_?(?:path|name))$/i

/** The tool can read the file by itself, so that it learns nothing from a secret of the file in its other arguments. */
async function writtenBy(
  pkg: ToolPackage,
  call: Call,
  { approvals }: Pick<RunParts, 'approvals'>,
  files: FileTools,
): Promise<WrittenFile | undefined> {
  const [name, another] = Object.keys(call.arguments).filter((key) => fileArgument.test(key))
  const path = name === undefined || another !== undefined ? undefined : call.arguments[name]
  if (typeof path !== 'string') return undefined
  let granted: readonly Capability[]
  try {
    granted = approvals.grantedTo(pkg, call)
  } catch {
    // Without approval it does not run.
    return undefined
  }
  const text = await currentText(files, path, call, { ...call, grants: granted })
  const others = Object.keys(call.arguments).filter((key) => key !== name)
  return text === undefined ? undefined : { text, arguments: others }
}

type UsableParts = RunParts & { readonly shelf: Pick<Shelf, 'look'> }

function usableTool(pkg: ToolPackage, parts: UsableParts, files: FileTools): Tool {
  return {
    definition: { name: pkg.name, description: pkg.description, inputSchema: pkg.inputSchema },
    server: OWN_SERVER,
    needs: needsOf(pkg),
    isReadOnly: async () => changesNothing(pkg),
    written: (call) => writtenBy(pkg, call, parts, files),
    // The arguments are validated when it runs: what it takes to run tools is loaded only then.
    async run(args, host) {
      // The user may have been asked since it was found, and changed or removed it meanwhile.
      const now = parts.shelf.look(pkg.name)
      if (now === undefined) return refusal('TOOL_NOT_FOUND')
      if (now.state !== 'approved') return unusableTool(pkg.name, now).run(args, host)
      const { runUserTool } = await import('./run-user-tool.ts')
      return runUserTool(pkg, args, host, parts)
    },
  }
}

/** Found, so that a call of it says why it cannot be used; never listed. */
function unusableTool(name: string, found: Exclude<ShelvedTool, { state: 'approved' }>): Tool {
  return {
    definition: { name, description: '', inputSchema: { type: 'object' } },
    server: OWN_SERVER,
    needs: [],
    async run() {
      if (found.state !== 'broken') throw new ContextdError('APPROVAL_REQUIRED')
      // What is wrong with it is told to the person: names and texts in it are a stranger's.
      throw new ContextdError('TOOL_PACKAGE_INVALID', {
        name,
        problem: 'it is broken',
        hint: `Ask the person to look at it: \`ctxd tool show ${name}\`.`,
      })
    },
  }
}
