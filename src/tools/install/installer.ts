/** Installs tools from other places into a project, updates and removes them. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { JsonObject } from '@contextd/shared/json/value'

import { formatCapability, type Capability } from '../../core/capability.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { putValue, tomlValue } from '../../platform/config/edit-config.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Trust } from '../../platform/trust.ts'
import { createApprovalStore, type ApprovalStore } from '../plugins/approval-store.ts'
import { describeCapability } from '../plugins/capability-words.ts'
import { MANIFEST, parseManifest, toolNamePattern } from '../plugins/manifest.ts'
import { readPackageFiles, type PackageFiles } from '../plugins/package-files.ts'
import type { ToolReport } from '../plugins/tool-report.ts'
import type { Toolbox } from '../plugins/toolbox.ts'
import {
  applyChange,
  asFileError,
  currentFiles,
  forgetFiles,
  isLockTrusted,
  withFileErrors,
  writeLock,
} from './apply-change.ts'
import { compareFiles, without, type FileDifference } from './differences.ts'
import { readLock, type Lock, type LockedTool } from '../plugins/lock-file.ts'
import { openSource, type SourceParts } from './open-source.ts'
import { exists, recoverInstalls, swap, moveToOld, toolFolder } from '../plugins/recover.ts'
import { parseSource, type ToolSource } from './source.ts'
import { closeStaging, openStaging, type Staging } from '../plugins/staging.ts'

export interface InstallerOptions extends Pick<SourceParts, 'env' | 'onProgress' | 'lookup' | 'ca'> {
  readonly toolbox: Toolbox
  readonly store: Store
  readonly tenant: string
  readonly trust: Pick<Trust, 'trust' | 'isTrusted' | 'forget'>
  readonly clock: Clock
  /** Adds to the audit. */
  readonly onEvent: (name: string, details: JsonObject) => void
}

/** A tool that was fetched and checked, but not installed yet. */
export interface PreparedTool {
  readonly name: string
  readonly source: string
  readonly revision: string
  /** The installed version, if there is one. */
  readonly was?: LockedTool
  /** The installed files were changed since; confirming overwrites those changes. */
  readonly isEdited: boolean
  /** The same version is installed and approved. */
  readonly isSame: boolean
  readonly report: ToolReport
  readonly files: readonly FileDifference[]
  /** Compared with the installed version: newly required, newly optional, and no longer required capabilities. */
  readonly rights: Readonly<Record<'added' | 'askable' | 'dropped', readonly Right[]>>
  /** Installs and approves it. Call only after the user agreed. */
  confirm(): void
  /** Must always be called. */
  discard(): void
}

/** A capability, as written in the manifest and in words that follow “may”. */
export interface Right {
  readonly capability: string
  readonly words: string
}

export interface Removal {
  readonly was: LockedTool
  readonly files: PackageFiles
  readonly isEdited: boolean
  /** Call only after the user agreed. */
  confirm(): void
}

export interface Installer {
  /** By name. Throws TOOLS_LOCK_INVALID. */
  installed(): Lock
  /** Whether we wrote the list of installed tools: one that came with the project may name any source. */
  isListOurs(): boolean
  /** The source's current revision, fetching only what that needs. Throws NOT_FOUND. */
  check(name: string): Promise<{ readonly revision: string; readonly isCurrent: boolean }>
  /** `name` replaces the name in the tool's manifest. */
  prepare(source: string, name?: string): Promise<PreparedTool>
  /** Throws NOT_FOUND. */
  prepareUpdate(name: string): Promise<PreparedTool>
  prepareRemoval(name: string): Removal
}

interface InstallerState extends InstallerOptions {
  readonly project: string
  readonly approvals: ApprovalStore
}

export function createInstaller(options: InstallerOptions): Installer {
  const { toolbox, store, tenant, clock } = options
  const { project } = toolbox
  const approvals = createApprovalStore(store, { tenant, project }, clock)
  const state: InstallerState = { ...options, project, approvals }
  recoverInstalls(state)
  return {
    installed: () => readLock(project).lock,
    isListOurs: () => isLockTrusted(state),
    async check(name) {
      const { source, revision: was } = installedTool(project, name)
      const staging = withFileErrors(project, () => openStaging(project))
      try {
        const { revision } = await sourceOf(state, source, staging).resolve()
        return { revision, isCurrent: revision === was }
      } finally {
        closeStaging(staging)
      }
    },
    prepare: (source, name) => prepareTool(state, source, name),
    prepareUpdate: async (name) => prepareTool(state, installedTool(project, name).source, name),
    prepareRemoval: (name) => prepareRemoval(state, name),
  }
}

function installedTool(project: string, name: string): LockedTool {
  const locked = readLock(project).lock.get(name)
  if (locked !== undefined) return locked
  throw new ContextdError('NOT_FOUND', {
    what: `tool ${name} among those that were installed`,
    hint: 'Run `ctxd tool list` to see them.',
  })
}

function sourceOf(state: InstallerState, text: string, staging: Staging): ToolSource {
  return openSource(parseSource(text), { ...state, work: staging.work })
}

async function prepareTool(
  state: InstallerState,
  source: string,
  wanted: string | undefined,
): Promise<PreparedTool> {
  const { project, toolbox } = state
  const { lock } = readLock(project)
  const staging = withFileErrors(project, () => openStaging(project))
  try {
    const { revision, fetch } = await sourceOf(state, source, staging).resolve()
    await fetch(staging.fresh)
    const name = applyName(staging.fresh, wanted)
    const prepared = await toolbox.prepareInstall(name, staging.fresh)
    const was = lock.get(name)
    if (was === undefined && exists(toolFolder(project, name)))
      throw new ContextdError('USAGE', {
        problem: `there is a tool ${name} here that was not installed`,
        hint: 'Choose another name with --name, or delete the folder of the existing tool.',
      })
    return describePrepared(state, staging, { name, source, revision, was, ...prepared })
  } catch (error) {
    closeStaging(staging)
    throw asFileError(project, error)
  }
}

interface FetchedTool extends Awaited<ReturnType<Toolbox['prepareInstall']>> {
  readonly name: string
  readonly source: string
  readonly revision: string
  readonly was: LockedTool | undefined
}

function describePrepared(state: InstallerState, staging: Staging, fetched: FetchedTool): PreparedTool {
  const { project, approvals, clock } = state
  const { name, source, revision, was, report } = fetched
  const { files, manifest } = report.package!
  const before = currentFiles(project, name)
  const { sha256 } = files
  const isSame = before.sha256 === sha256 && approvals.find(name)?.sha256 === sha256
  const locked = { source, revision, sha256, installed_at: new Date(clock()).toISOString() }
  if (isSame && was?.source === source && was.revision !== revision)
    writeLock(state, name, { ...was, revision })
  const { required: demanded = [], optional: known = [] } = manifestIn(before) ?? {}
  let isConfirmed = false
  return {
    name,
    source,
    revision,
    ...(was !== undefined && { was }),
    isEdited: was !== undefined && exists(toolFolder(project, name)) && before.sha256 !== was.sha256,
    isSame: isSame && was?.source === source,
    report,
    files: compareFiles(before.files, files.files),
    rights: {
      added: rightsOf(without(manifest.required, demanded)),
      askable: rightsOf(without(manifest.optional, [...known, ...demanded])),
      dropped: rightsOf(without(demanded, manifest.required)),
    },
    confirm() {
      recordInstall(state, fetched)
      isConfirmed = true
      install(state, staging, fetched, locked, before)
    },
    discard: () => void (isConfirmed || closeStaging(staging)),
  }
}

function recordInstall(
  { project, onEvent }: InstallerState,
  { name, source, revision, was, report, announce }: FetchedTool,
): void {
  const { files, manifest } = report.package!
  announce()
  onEvent(was === undefined ? 'tool-installed' : 'tool-updated', {
    tool: name,
    project,
    source: withoutQuery(source),
    revision,
    sha256: files.sha256,
    ...(was !== undefined && { was: was.sha256 }),
    capabilities: manifest.required.map(formatCapability),
  })
}

function install(
  state: InstallerState,
  staging: Staging,
  { name, report, approve }: FetchedTool,
  locked: LockedTool,
  before: PackageFiles,
): void {
  const { project } = state
  const { files, sha256 } = report.package!.files
  applyChange(state, staging, { action: 'put', name, sha256, locked }, before, () => {
    swap(project, name, staging)
    approve()
    const kept = new Set(files.map(({ path }) => path))
    const removed = before.files.filter(({ path }) => !kept.has(path))
    forgetFiles(state, name, removed)
  })
}

function prepareRemoval(state: InstallerState, name: string): Removal {
  const { project, approvals, toolbox, onEvent } = state
  const was = installedTool(project, name)
  const files = currentFiles(project, name)
  return {
    was,
    files,
    isEdited: exists(toolFolder(project, name)) && files.sha256 !== was.sha256,
    confirm() {
      const { source, revision, sha256 } = was
      onEvent('tool-removed', { tool: name, project, source: withoutQuery(source), revision, sha256 })
      const staging = withFileErrors(project, () => openStaging(project))
      applyChange(state, staging, { action: 'take', name }, files, () => {
        moveToOld(project, name, staging)
        approvals.remove(name)
        forgetFiles(state, name, files.files)
      })
      // Drops the copy of the approved bytes once no call uses it.
      toolbox.remove(name)
    },
  }
}

/** The name in the tool's manifest, or the wanted one, which is then written into the manifest. */
function applyName(folder: string, wanted: string | undefined): string {
  const manifest = manifestIn(readPackageFiles(folder))
  if (manifest === undefined || wanted === undefined || wanted === manifest.name)
    return wanted ?? manifest?.name ?? 'unnamed'
  if (toolNamePattern.test(wanted)) {
    const file = join(folder, MANIFEST)
    writeFileSync(file, putValue(readFileSync(file, 'utf8'), 'component', 'name', tomlValue(wanted)))
  }
  return wanted
}

/** Undefined if it is missing or invalid. */
function manifestIn({ files }: PackageFiles) {
  const file = files.find(({ path }) => path === MANIFEST)
  const parsed = file && parseManifest(file.bytes)
  return parsed?.ok === true ? parsed.value : undefined
}

function rightsOf(capabilities: readonly Capability[]): Right[] {
  return capabilities.map((one) => ({ capability: formatCapability(one), words: describeCapability(one) }))
}

/** For records: the query of a URL may contain a key. */
function withoutQuery(source: string): string {
  return source.replace(/\?[^#]*/, '?…')
}
