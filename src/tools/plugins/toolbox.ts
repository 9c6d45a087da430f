/** What a person does with the tools of a project: look at them, approve them, take the approval back. */

import { join } from 'node:path'

import { formatCapability, type Capability } from '../../core/capability.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock, CountTokens } from '../../core/ports.ts'
import { nearest } from '@contextd/shared/text/nearest'
import type { Store } from '../../platform/storage/store.ts'
import type { Trust } from '../../platform/trust.ts'
import type { SandboxLimits } from '../../sandbox/sandbox.ts'
import { realPathOf } from '../files/real-path.ts'
import { recoverInstalls } from '../install/recover.ts'
import { createApprovalStore } from './approval-store.ts'
import { describeCapability } from './capability-words.ts'
import { compileSchema } from './input-schema.ts'
import { MANIFEST, toolNamePattern } from './manifest.ts'
import { writeNewPackage } from './new-package.ts'
import { readPackageFiles } from './package-files.ts'
import { createPinnedCopies } from './pinned-copies.ts'
import { createShelf, TOOLS_FOLDER, type ShelvedTool } from './shelf.ts'
import { describeLimits, limitsOf } from './tool-limits.ts'
import { readToolPackage, SCHEMA, type ToolPackage } from './tool-package.ts'
import { whyNotGiven } from './tool-view.ts'
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
  /** What a call may take in all. */
  readonly callTimeMs: number
  /** For the audit. */
  readonly onEvent: (name: string, details: JsonObject) => void
}

/** `gone`: approved, and the package is not there any more. */
export type ToolState = ShelvedTool['state'] | 'gone'

export interface ToolReport {
  readonly name: string
  readonly state: ToolState
  /** Why it cannot be used, or what changed. */
  readonly why: readonly string[]
  /** Absent where the package is broken or gone. */
  readonly package?: ToolPackage
  readonly granted: readonly Capability[]
  /** In plain words, to stand behind “may”. */
  readonly may: readonly string[]
  /** What it may ask a person for later. */
  readonly mayAsk: readonly string[]
  readonly approvedAt?: number
}

export interface Toolbox {
  readonly project: string
  list(): Promise<ToolReport[]>
  /** Throws NOT_FOUND. */
  show(name: string): Promise<ToolReport>
  /**
   * What is to be approved, and how to approve just that: the bytes that were looked at, not those that may be there by
   * then. `grants` are those of its optional capabilities that it gets for good.
   */
  prepareApproval(name: string, grants: readonly string[]): Promise<{ report: ToolReport; approve(): void }>
  /**
   * The same for a package in another folder that is yet to be put in its place, which comes before `approve`. That is
   * part of more that happens at once, so the audit is told before.
   */
  prepareInstall(
    name: string,
    folder: string,
  ): Promise<{ report: ToolReport; announce(): void; approve(): void }>
  /** Answers whether there was an approval, and whether the package is still there. */
  remove(name: string): { readonly wasApproved: boolean; readonly hasFiles: boolean }
  /** Makes a package that works; answers the files of it, below the project. */
  create(name: string): string[]
}

export function createToolbox(options: ToolboxOptions): Toolbox {
  const { store, tenant, stateFolder, clock, count, isTaken, trust, onEvent } = options
  const project = realPathOf(options.project)
  const approvals = createApprovalStore(store, { tenant, project }, clock)
  const copies = createPinnedCopies(pinnedFolder(stateFolder))
  const recover = (): boolean => recoverInstalls({ project, store, approvals })
  const shelf = createShelf({ project, approvals, copies, count, isTaken, recover })

  const reportOn = async (name: string): Promise<ToolReport | undefined> => {
    const found = shelf.look(name)
    if (found === undefined) return undefined
    if (found.state === 'broken') return { ...empty(name), state: 'broken', why: found.problems }
    const { state, package: pkg } = found
    const problems = await problemsOf(pkg)
    if (problems.length > 0) return { ...empty(name), state: 'broken', why: problems }
    const granted = state === 'approved' ? found.approval.capabilities : []
    return {
      name,
      state,
      why: state === 'changed' ? found.changes : [],
      ...(state === 'approved' && { approvedAt: found.approval.approvedAt }),
      ...inWords(pkg, [
        ...pkg.manifest.required,
        ...pkg.manifest.optional.filter((one) => isIn(granted, one)),
      ]),
    }
  }

  const problemsOf = async (pkg: ToolPackage): Promise<string[]> => [
    ...(await schemaProblems(pkg)),
    ...pathProblems(pkg),
  ]

  /** What the format allows, and this machine has no way to give. */
  const pathProblems = ({ manifest }: ToolPackage): string[] => {
    const terms = { workspace: project, ownFolders: [stateFolder], protect: [] }
    return [...manifest.required, ...manifest.optional].flatMap((one) => {
      const problem = whyNotGiven(one, terms)
      return problem === undefined ? [] : [`${MANIFEST}: ${problem}`]
    })
  }

  const inWords = (pkg: ToolPackage, granted: readonly Capability[]) => {
    const limits = limitsOf(pkg.manifest.limits, options.limits, options.callTimeMs)
    const open = pkg.manifest.optional.filter((one) => !isIn(granted, one))
    return {
      package: pkg,
      granted,
      may: [...granted.map(describeCapability), describeLimits(limits)],
      mayAsk: open.map(describeCapability),
    }
  }

  const forgetCopies = (): void => copies.prune(approvals.hashesInUse())

  /** What is written down of an approval, and how it is given. */
  const approvalOf = (pkg: ToolPackage, granted: readonly Capability[]) => {
    const { name } = pkg
    const { sha256, files } = pkg.files
    return {
      announce: () =>
        onEvent('tool-approved', {
          tool: name,
          project,
          sha256,
          capabilities: granted.map(formatCapability),
        }),
      approve() {
        copies.keep(pkg.files)
        for (const { path, bytes } of files) trust.trust(join(project, TOOLS_FOLDER, name, path), bytes)
        approvals.put({ tool: name, sha256, capabilities: granted })
        forgetCopies()
      },
    }
  }

  const refuseName = (name: string): void => {
    if (!toolNamePattern.test(name)) {
      throw new ContextdError('USAGE', {
        problem: 'a name is 1 to 32 lower-case letters, digits, "_" and "-", beginning with a letter',
      })
    }
    if (isTaken(name))
      throw new ContextdError('USAGE', { problem: 'a tool of contextd itself has this name' })
  }

  const show = async (name: string): Promise<ToolReport> => {
    const report = toolNamePattern.test(name) ? await reportOn(name) : undefined
    if (report !== undefined) return report
    const approval = approvals.find(name)
    if (approval === undefined) {
      const meant = nearest(name, shelf.names())
      const hint = meant === undefined ? undefined : `Did you mean ${meant}?`
      throw new ContextdError('NOT_FOUND', { what: `such tool in ${TOOLS_FOLDER}`, hint })
    }
    return {
      ...empty(name),
      state: 'gone',
      why: ['the package is not there any more'],
      approvedAt: approval.approvedAt,
    }
  }

  return {
    project,
    show,
    async list() {
      const names = new Set([...shelf.names(), ...approvals.list().map(({ tool }) => tool)])
      const reports: ToolReport[] = []
      for (const name of [...names].sort()) reports.push((await reportOn(name)) ?? (await show(name)))
      return reports
    },
    async prepareApproval(name, grants) {
      const found = await show(name)
      const { package: pkg } = found
      if (pkg === undefined)
        throw new ContextdError('TOOL_PACKAGE_INVALID', { name, problem: found.why.join('\n') })
      const optional = grants.map((text) => {
        const known = pkg.manifest.optional.find((one) => formatCapability(one) === text)
        if (known !== undefined) return known
        throw new ContextdError('USAGE', {
          problem: `${name} does not list that capability as optional`,
          hint: `Optional are: ${pkg.manifest.optional.map(formatCapability).join(', ') || 'none'}.`,
        })
      })
      // An approval of the same bytes keeps what was granted before.
      const kept = found.state === 'approved' ? found.granted : pkg.manifest.required
      const granted = [...kept, ...optional.filter((one) => !isIn(kept, one))]
      const approval = approvalOf(pkg, granted)
      return {
        report: { ...found, ...inWords(pkg, granted) },
        approve() {
          approval.announce()
          approval.approve()
        },
      }
    },
    async prepareInstall(name, folder) {
      refuseName(name)
      const parsed = readToolPackage(name, readPackageFiles(folder), count)
      const problems = parsed.ok ? await problemsOf(parsed.value) : parsed.problems
      if (!parsed.ok || problems.length > 0)
        throw new ContextdError('TOOL_PACKAGE_INVALID', { name, problem: problems.join('\n') })
      const { required } = parsed.value.manifest
      const report = { name, state: 'new', why: [], ...inWords(parsed.value, required) } as const
      return { report, ...approvalOf(parsed.value, required) }
    },
    remove(name) {
      const approval = approvals.find(name)
      if (approval !== undefined)
        onEvent('tool-approval-removed', { tool: name, project, sha256: approval.sha256 })
      const wasApproved = approvals.remove(name)
      forgetCopies()
      return { wasApproved, hasFiles: shelf.look(name) !== undefined }
    },
    create(name) {
      refuseName(name)
      try {
        return writeNewPackage(join(project, TOOLS_FOLDER, name), name).map((file) =>
          join(TOOLS_FOLDER, name, file),
        )
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        throw new ContextdError('USAGE', { problem: `${join(TOOLS_FOLDER, name)} is there already` })
      }
    },
  }
}

async function schemaProblems({ inputSchema }: ToolPackage): Promise<string[]> {
  const compiled = await compileSchema(inputSchema)
  return compiled.ok ? [] : [`${SCHEMA}: ${compiled.problem}`]
}

function empty(name: string): Pick<ToolReport, 'name' | 'granted' | 'may' | 'mayAsk'> {
  return { name, granted: [], may: [], mayAsk: [] }
}

function isIn(list: readonly Capability[], capability: Capability): boolean {
  return list.some((one) => formatCapability(one) === formatCapability(capability))
}
