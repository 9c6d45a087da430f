/** User-defined tools: listed and called like built-in ones once exactly these bytes are approved. */

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
  /** Private to this user; stores the approved bytes. */
  readonly stateFolder: string
  readonly count: CountTokens
  readonly files: FileTools
  /** Whether a built-in tool has this name. */
  readonly isTaken: (name: string) => boolean
  /** Adds to the audit. */
  readonly onEvent: (name: string, details: JsonObject, call: Call) => void
}

export interface UserTools {
  /** The callable tools, sorted by name. */
  tools(): readonly Tool[]
  /** Also finds tools that are not approved yet: the policy stage reports that. */
  find(name: string): Tool | undefined
  readonly approvals: ToolApprovals
  /** Notifies of changes to the list; returns how to unsubscribe. */
  onChanged(listener: () => void): () => void
  /** Deletes session approvals older than that (epoch milliseconds), and copies that nobody may run. */
  prune(before: number): number
}

/** The folder of the approved bytes, below the state folder. */
export function pinnedFolder(stateFolder: string): string {
  return join(stateFolder, 'tools')
}

/** How often to check for changes while there are listeners. */
const checkEveryMs = 1000

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
  /** A cheap fingerprint of the list, without reading packages. */
  const state = (): string => {
    const approved = stored.list()
    const places = approved.map(({ tool }) => fingerprintFolder(join(project, TOOLS_FOLDER, tool)))
    return JSON.stringify([approved.map(({ tool, sha256 }) => [tool, sha256]), places])
  }
  // Only approved packages are read at all: an untrusted project may contain any number of them.
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
          // The store may be busy or closed: the next check reports the change.
          return
        }
        if (now === last) return
        last = now
        listener()
      }
      const timer = setInterval(look, checkEveryMs)
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

/**
 * The grants an agent needs to see the tool. Capabilities that only concern the tool itself are part of its approval.
 */
function needsOf({ manifest }: ToolPackage): CapabilityKind[] {
  const kinds = manifest.required.map(({ kind }) => kind)
  return [...new Set(kinds)].filter((kind) => kind !== 'scrubber:scan')
}

/** Capabilities that change nothing outside contextd's own storage. */
const readingKinds: ReadonlySet<CapabilityKind> = new Set(['fs:read', 'memory:read', 'scrubber:scan'])

function changesNothing({ manifest: { required, optional } }: ToolPackage): boolean {
  return [...required, ...optional].every(({ kind }) => readingKinds.has(kind))
}

/** Argument names that identify the file of a call. */
const fileArgument = /^(?:path|file|filename|file_?(?:path|name))$/i

/** The tool can read the file itself, so it learns nothing from a secret of the file in its other arguments. */
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
    // It does not run without approval.
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
    // Arguments are validated when it runs, so that the modules for running tools are loaded only then.
    async run(args, host) {
      // The user may have been asked since the tool was found, and changed or removed it meanwhile.
      const now = parts.shelf.look(pkg.name)
      if (now === undefined) return refusal('TOOL_NOT_FOUND', { tool: pkg.name })
      if (now.state !== 'approved') return unusableTool(pkg.name, now).run(args, host)
      const { runUserTool } = await import('./run-user-tool.ts')
      return runUserTool(pkg, args, host, parts)
    },
  }
}

/** Findable, so that a call explains why it cannot be used; never listed. */
function unusableTool(name: string, found: Exclude<ShelvedTool, { state: 'approved' }>): Tool {
  return {
    definition: { name, description: '', inputSchema: { type: 'object' } },
    server: OWN_SERVER,
    needs: [],
    async run() {
      if (found.state !== 'broken') throw new ContextdError('APPROVAL_REQUIRED')
      // The problems are for the user only: they contain untrusted names and texts.
      throw new ContextdError('TOOL_PACKAGE_INVALID', {
        name,
        problem: 'it is broken',
        hint: `Ask the user to run \`ctxd tool show ${name}\`.`,
      })
    },
  }
}
