/** Operations of the user on the tools of a project: show, approve, revoke, create. */

import { join } from 'node:path'

import type { JsonObject } from '@contextd/shared/json/value'

import { formatCapability, type Capability } from '../../core/capability.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock, CountTokens } from '../../core/ports.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Trust } from '../../platform/trust.ts'
import type { SandboxLimits } from '../../sandbox/sandbox.ts'
import { realPathOf } from '../real-path.ts'
import { createApprovalStore, hasCapability, type ApprovalStore } from './approval-store.ts'
import { toolNamePattern } from './manifest.ts'
import { writeNewPackage } from './new-package.ts'
import { readPackageFiles } from './package-files.ts'
import { createPinnedCopies, type PinnedCopies } from './pinned-copies.ts'
import { recoverInstalls } from './recover.ts'
import { createShelf, TOOLS_FOLDER } from './shelf.ts'
import { readToolPackage, type ToolPackage } from './tool-package.ts'
import {
  describePackage,
  findProblems,
  reportPackage,
  reportTool,
  type ReportParts,
  type ToolReport,
} from './tool-report.ts'
import { pinnedFolder } from './user-tools.ts'

export interface ToolboxOptions {
  readonly store: Store
  readonly tenant: string
  readonly project: string
  readonly stateFolder: string
  readonly clock: Clock
  readonly count: CountTokens
  readonly isTaken: (name: string) => boolean
  readonly trust: Pick<Trust, 'trust'>
  readonly limits: SandboxLimits
  /** The maximum duration of a call. */
  readonly callTimeMs: number
  /** Adds to the audit. */
  readonly onEvent: (name: string, details: JsonObject) => void
}

export interface Toolbox {
  readonly project: string
  list(): Promise<ToolReport[]>
  /** Throws NOT_FOUND. */
  show(name: string): Promise<ToolReport>
  /** `approve` covers the bytes in the report, not later ones. `grants` are optional capabilities granted permanently. */
  prepareApproval(name: string, grants: readonly string[]): Promise<{ report: ToolReport; approve(): void }>
  /**
   * For a package in another folder, which must be moved into the project before `approve`. Installing is one transaction,
   * so `announce` writes the audit record before it.
   */
  prepareInstall(
    name: string,
    folder: string,
  ): Promise<{ report: ToolReport; announce(): void; approve(): void }>
  remove(name: string): { readonly wasApproved: boolean; readonly hasFiles: boolean }
  /** Creates a working package; returns its files, relative to the project. */
  create(name: string): string[]
}

interface ToolboxState extends ToolboxOptions, ReportParts {
  readonly approvals: ApprovalStore
  readonly copies: PinnedCopies
}

export function createToolbox(options: ToolboxOptions): Toolbox {
  const { store, tenant, stateFolder, clock, count, isTaken } = options
  const project = realPathOf(options.project)
  const approvals = createApprovalStore(store, { tenant, project }, clock)
  const copies = createPinnedCopies(pinnedFolder(stateFolder))
  const recover = (): boolean => recoverInstalls({ project, store, approvals })
  const shelf = createShelf({ project, approvals, copies, count, isTaken, recover })
  const state: ToolboxState = { ...options, project, approvals, copies, shelf }
  return {
    project,
    show: (name) => reportTool(state, name),
    async list() {
      const names = new Set([...shelf.names(), ...approvals.list().map(({ tool }) => tool)])
      const reports: ToolReport[] = []
      for (const name of [...names].sort()) {
        reports.push((await reportPackage(state, name)) ?? (await reportTool(state, name)))
      }
      return reports
    },
    prepareApproval: (name, grants) => prepareApproval(state, name, grants),
    prepareInstall: (name, folder) => prepareInstall(state, name, folder),
    remove: (name) => removeApproval(state, name),
    create(name) {
      refuseName(name, isTaken)
      return createPackage(project, name)
    },
  }
}

async function prepareApproval(
  state: ToolboxState,
  name: string,
  grants: readonly string[],
): ReturnType<Toolbox['prepareApproval']> {
  const found = await reportTool(state, name)
  const { package: pkg } = found
  if (pkg === undefined)
    throw new ContextdError('TOOL_PACKAGE_INVALID', { name, problem: found.why.join('\n') })
  const optional = grants.map((text) => findOptional(pkg, text))
  // Approving the same bytes again preserves earlier grants.
  const kept = found.state === 'approved' ? found.granted : pkg.manifest.required
  const granted = [...kept, ...optional.filter((one) => !hasCapability(kept, one))]
  return {
    report: { ...found, ...describePackage(state, pkg, granted) },
    approve() {
      announceApproval(state, pkg, granted)
      approve(state, pkg, granted)
    },
  }
}

function findOptional({ name, manifest }: ToolPackage, text: string): Capability {
  const known = manifest.optional.find((one) => formatCapability(one) === text)
  if (known !== undefined) return known
  throw new ContextdError('USAGE', {
    problem: `${name} does not list that capability as optional`,
    hint: `Optional are: ${manifest.optional.map(formatCapability).join(', ') || 'none'}.`,
  })
}

async function prepareInstall(
  state: ToolboxState,
  name: string,
  folder: string,
): ReturnType<Toolbox['prepareInstall']> {
  refuseName(name, state.isTaken)
  const parsed = readToolPackage(name, readPackageFiles(folder), state.count)
  const problems = parsed.ok ? await findProblems(state, parsed.value) : parsed.problems
  if (!parsed.ok || problems.length > 0)
    throw new ContextdError('TOOL_PACKAGE_INVALID', { name, problem: problems.join('\n') })
  const pkg = parsed.value
  const { required } = pkg.manifest
  return {
    report: { name, state: 'new', why: [], ...describePackage(state, pkg, required) },
    announce: () => announceApproval(state, pkg, required),
    approve: () => approve(state, pkg, required),
  }
}

function announceApproval(
  { project, onEvent }: ToolboxState,
  { name, files }: ToolPackage,
  granted: readonly Capability[],
): void {
  const capabilities = granted.map(formatCapability)
  onEvent('tool-approved', { tool: name, project, sha256: files.sha256, capabilities })
}

function approve(state: ToolboxState, pkg: ToolPackage, granted: readonly Capability[]): void {
  const { project, approvals, copies, trust } = state
  const { sha256, files } = pkg.files
  copies.keep(pkg.files)
  for (const { path, bytes } of files) trust.trust(join(project, TOOLS_FOLDER, pkg.name, path), bytes)
  approvals.put({ tool: pkg.name, sha256, capabilities: granted })
  pruneCopies(state)
}

function removeApproval(state: ToolboxState, name: string): ReturnType<Toolbox['remove']> {
  const { project, approvals, shelf, onEvent } = state
  const approval = approvals.find(name)
  if (approval !== undefined)
    onEvent('tool-approval-removed', { tool: name, project, sha256: approval.sha256 })
  const wasApproved = approvals.remove(name)
  pruneCopies(state)
  return { wasApproved, hasFiles: shelf.look(name) !== undefined }
}

function pruneCopies({ approvals, copies }: ToolboxState): void {
  copies.prune(approvals.hashesInUse())
}

function refuseName(name: string, isTaken: ToolboxOptions['isTaken']): void {
  if (!toolNamePattern.test(name)) {
    throw new ContextdError('USAGE', {
      problem: 'a name is 1 to 32 lower-case letters, digits, "_" and "-", beginning with a letter',
    })
  }
  if (isTaken(name))
    throw new ContextdError('USAGE', { problem: 'contextd has a built-in tool with this name' })
}

function createPackage(project: string, name: string): string[] {
  const folder = join(TOOLS_FOLDER, name)
  try {
    return writeNewPackage(join(project, folder), name).map((file) => join(folder, file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new ContextdError('USAGE', { problem: `${folder} already exists` })
  }
}
