/** Brings tools from elsewhere into a project, keeps them current, and takes them away again. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { formatCapability, type Capability } from '../../core/capability.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../core/ports.ts'
import { putValue, tomlValue } from '../../platform/config/edit-config.ts'
import { storeError } from '../../platform/files/store-error.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Trust } from '../../platform/trust.ts'
import { createApprovalStore } from '../plugins/approval-store.ts'
import { describeCapability } from '../plugins/capability-words.ts'
import { MANIFEST, parseManifest, toolNamePattern } from '../plugins/manifest.ts'
import { readPackageFiles, type PackageFiles } from '../plugins/package-files.ts'
import type { Toolbox, ToolReport } from '../plugins/toolbox.ts'
import { compareFiles, without, type FileDifference } from './differences.ts'
import { changeLock, lockFileOf, readLock, type Lock, type LockedTool } from './lock-file.ts'
import { openSource, type SourceParts } from './open-source.ts'
import { isThere, toolFolder, putBack, recoverInstalls, swap, takeAway } from './recover.ts'
import { parseSource } from './source.ts'
import {
  closeStaging,
  ensureFolders,
  openStaging,
  writeJournal,
  type StagedChange,
  type Staging,
} from './staging.ts'

export interface InstallerOptions extends Pick<SourceParts, 'env' | 'onProgress' | 'lookup' | 'ca'> {
  readonly toolbox: Toolbox
  readonly store: Store
  readonly tenant: string
  readonly trust: Pick<Trust, 'trust' | 'isTrusted' | 'forget'>
  readonly clock: Clock
  /** For the audit. */
  readonly onEvent: (name: string, details: JsonObject) => void
}

/** A tool that was fetched and looked at, and is not yet in its place. */
export interface PreparedTool {
  readonly name: string
  readonly source: string
  readonly revision: string
  /** What stands in its place now, where it was installed. */
  readonly was?: LockedTool
  /** Somebody changed its files since: that is lost. */
  readonly isEdited: boolean
  /** There is nothing to do. */
  readonly isSame: boolean
  readonly report: ToolReport
  readonly files: readonly FileDifference[]
  /** What it demands beyond what it did, what it may ask for beyond that, and what it does without now. */
  readonly rights: Readonly<Record<'added' | 'askable' | 'dropped', readonly Right[]>>
  /** Puts it in its place, and approves it. For after the person said yes. */
  confirm(): void
  /** To be called in any case. */
  discard(): void
}

/** A capability, as it is written and in words behind “may”. */
export interface Right {
  readonly capability: string
  readonly words: string
}

export interface Removal {
  readonly was: LockedTool
  readonly files: PackageFiles
  readonly isEdited: boolean
  /** For after the person said yes. */
  confirm(): void
}

export interface Installer {
  /** What was installed here, by name. Throws TOOLS_LOCK_INVALID. */
  installed(): Lock
  /** Whether the list of it is as we wrote it: what came with the project may name any source. */
  isListOurs(): boolean
  /** What the source has now, without fetching more than it takes to tell. Throws NOT_FOUND. */
  check(name: string): Promise<{ readonly revision: string; readonly isCurrent: boolean }>
  /** `name`: what it is called here, where that is not what it calls itself. */
  prepare(source: string, name?: string): Promise<PreparedTool>
  /** Throws NOT_FOUND. */
  prepareUpdate(name: string): Promise<PreparedTool>
  prepareRemoval(name: string): Removal
}

export function createInstaller(options: InstallerOptions): Installer {
  const { toolbox, store, tenant, trust, clock, onEvent } = options
  const { project } = toolbox
  const approvals = createApprovalStore(store, { tenant, project }, clock)
  const lockFile = lockFileOf(project)
  recoverInstalls({ project, store, approvals })

  const current = (name: string): PackageFiles => readPackageFiles(toolFolder(project, name))

  const installed = (name: string): LockedTool => {
    const locked = readLock(project).lock.get(name)
    if (locked !== undefined) return locked
    throw new ContextdError('NOT_FOUND', {
      what: 'such tool among those that were installed',
      hint: 'Run `ctxd tool list` to see them.',
    })
  }

  const isListOurs = (): boolean => {
    const { bytes } = readLock(project)
    return bytes === undefined || trust.isTrusted(lockFile, bytes)
  }

  /** What came with the project does not become ours by a change of our own. */
  const writeLock = (name: string, tool: LockedTool | undefined): void =>
    store.transaction(() => {
      const wasOurs = isListOurs()
      const bytes = changeLock(project, name, tool)
      if (bytes === undefined) trust.forget(lockFile)
      else if (wasOurs) trust.trust(lockFile, bytes)
    })

  const sourceOf = (text: string, staging: Staging) =>
    openSource(parseSource(text), { ...options, project, work: staging.work })

  /** A full disk and the like, in words. */
  const inWords = (error: unknown): unknown => storeError(error, join(project, '.contextd'))
  const safely = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw inWords(error)
    }
  }

  /**
   * Makes a change that was agreed to: the files and what the store says of them under the one lock that all processes
   * share, undone where it cannot be done whole, and the list behind them. Who is killed in between is helped by `recover`.
   */
  const carryOut = (staging: Staging, change: StagedChange, before: PackageFiles, work: () => void): void =>
    safely(() => {
      const { name } = change
      try {
        writeJournal(staging, change)
        store.transaction(() => {
          // While the person thought, another command may have cleared them away, and anyone put a link there.
          ensureFolders(project)
          if (current(name).sha256 !== before.sha256)
            throw new ContextdError('FILE_CHANGED', { hint: 'Run the command again.' })
          work()
        })
      } catch (error) {
        putBack(project, staging, change)
        closeStaging(staging)
        throw error
      }
      writeLock(name, change.action === 'put' ? change.locked : undefined)
      closeStaging(staging)
    })

  const forgetFiles = (name: string, files: PackageFiles['files']): void => {
    for (const { path } of files) trust.forget(join(toolFolder(project, name), path))
  }

  const prepare = async (source: string, wanted: string | undefined): Promise<PreparedTool> => {
    const { lock } = readLock(project)
    const staging = safely(() => openStaging(project))
    try {
      const { revision, fetch } = await sourceOf(source, staging).resolve()
      await fetch(staging.fresh)
      const name = nameIt(staging.fresh, wanted)
      const { report, announce, approve } = await toolbox.prepareInstall(name, staging.fresh)
      const was = lock.get(name)
      if (was === undefined && isThere(toolFolder(project, name)))
        throw new ContextdError('USAGE', {
          problem: `there is a tool ${name} here that was not installed`,
          hint: 'Give the new one another name with --name, or remove the folder of the other.',
        })
      const pkg = report.package!
      const before = current(name)
      const { sha256 } = pkg.files
      const isSame = before.sha256 === sha256 && approvals.find(name)?.sha256 === sha256
      const locked = { source, revision, sha256, installed_at: new Date(clock()).toISOString() }
      if (isSame && was?.source === source && was.revision !== revision) writeLock(name, { ...was, revision })
      const { required: demanded = [], optional: known = [] } = manifestIn(before) ?? {}
      let isTaken = false
      return {
        name,
        source,
        revision,
        ...(was !== undefined && { was }),
        isEdited: was !== undefined && isThere(toolFolder(project, name)) && before.sha256 !== was.sha256,
        isSame: isSame && was?.source === source,
        report,
        files: compareFiles(before.files, pkg.files.files),
        rights: {
          added: rightsOf(without(pkg.manifest.required, demanded)),
          askable: rightsOf(without(pkg.manifest.optional, [...known, ...demanded])),
          dropped: rightsOf(without(demanded, pkg.manifest.required)),
        },
        confirm() {
          announce()
          onEvent(was === undefined ? 'tool-installed' : 'tool-updated', {
            tool: name,
            project,
            source: forRecord(source),
            revision,
            sha256,
            ...(was !== undefined && { was: was.sha256 }),
            capabilities: pkg.manifest.required.map(formatCapability),
          })
          isTaken = true
          carryOut(staging, { action: 'put', name, sha256, locked }, before, () => {
            swap(project, name, staging)
            approve()
            const kept = new Set(pkg.files.files.map(({ path }) => path))
            forgetFiles(
              name,
              before.files.filter(({ path }) => !kept.has(path)),
            )
          })
        },
        discard: () => void (isTaken || closeStaging(staging)),
      }
    } catch (error) {
      closeStaging(staging)
      throw inWords(error)
    }
  }

  return {
    installed: () => readLock(project).lock,
    isListOurs,
    async check(name) {
      const { source, revision: was } = installed(name)
      const staging = safely(() => openStaging(project))
      try {
        const { revision } = await sourceOf(source, staging).resolve()
        return { revision, isCurrent: revision === was }
      } finally {
        closeStaging(staging)
      }
    },
    prepare,
    prepareUpdate: async (name) => prepare(installed(name).source, name),
    prepareRemoval(name) {
      const was = installed(name)
      const files = current(name)
      return {
        was,
        files,
        isEdited: isThere(toolFolder(project, name)) && files.sha256 !== was.sha256,
        confirm() {
          const { source, revision, sha256 } = was
          onEvent('tool-removed', { tool: name, project, source: forRecord(source), revision, sha256 })
          const staging = safely(() => openStaging(project))
          carryOut(staging, { action: 'take', name }, files, () => {
            takeAway(project, name, staging)
            approvals.remove(name)
            forgetFiles(name, files.files)
          })
          // The approval is gone: this drops the copy of its bytes, once nobody runs it any more.
          toolbox.remove(name)
        },
      }
    },
  }
}

/** The name that the tool gives itself, or the one that is wanted, which it is given then. */
function nameIt(folder: string, wanted: string | undefined): string {
  const manifest = manifestIn(readPackageFiles(folder))
  if (manifest === undefined || wanted === undefined || wanted === manifest.name)
    return wanted ?? manifest?.name ?? 'unnamed'
  if (toolNamePattern.test(wanted)) {
    const file = join(folder, MANIFEST)
    writeFileSync(file, putValue(readFileSync(file, 'utf8'), 'component', 'name', tomlValue(wanted)))
  }
  return wanted
}

/** Undefined where there is none that can be read. */
function manifestIn({ files }: PackageFiles) {
  const file = files.find(({ path }) => path === MANIFEST)
  const parsed = file && parseManifest(file.bytes)
  return parsed?.ok === true ? parsed.value : undefined
}

function rightsOf(capabilities: readonly Capability[]): Right[] {
  return capabilities.map((one) => ({ capability: formatCapability(one), words: describeCapability(one) }))
}

/** An address may carry a key behind the question mark. */
function forRecord(source: string): string {
  return source.replace(/\?[^#]*/, '?…')
}
