/** Describes a tool of a project: its state, its problems, its capabilities in words. */

import { nearest } from '@contextd/shared/text/nearest'

import type { Capability } from '../../core/capability.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { SandboxLimits } from '../../sandbox/sandbox.ts'
import { hasCapability, type ApprovalStore } from './approval-store.ts'
import { describeCapability } from './capability-words.ts'
import { compileSchema } from './input-schema.ts'
import { MANIFEST, toolNamePattern } from './manifest.ts'
import { TOOLS_FOLDER, type Shelf, type ShelvedTool } from './shelf.ts'
import { describeLimits, limitsOf } from './tool-limits.ts'
import { SCHEMA, type ToolPackage } from './tool-package.ts'
import { whyNotGrantable } from './tool-view.ts'

/** `gone`: approved, but the package was deleted. */
export type ToolState = ShelvedTool['state'] | 'gone'

export interface ToolReport {
  readonly name: string
  readonly state: ToolState
  /** The problems or the changes. */
  readonly why: readonly string[]
  /** Absent if the package is broken or gone. */
  readonly package?: ToolPackage
  readonly granted: readonly Capability[]
  /** In words that follow “may”. */
  readonly may: readonly string[]
  /** Capabilities the user can grant later. */
  readonly mayAsk: readonly string[]
  readonly approvedAt?: number
}

export interface ReportParts {
  /** Links resolved. */
  readonly project: string
  readonly stateFolder: string
  readonly limits: SandboxLimits
  readonly callTimeMs: number
  readonly shelf: Shelf
  readonly approvals: Pick<ApprovalStore, 'find'>
}

/** Throws NOT_FOUND. */
export async function reportTool(parts: ReportParts, name: string): Promise<ToolReport> {
  const report = toolNamePattern.test(name) ? await reportPackage(parts, name) : undefined
  if (report !== undefined) return report
  const approval = parts.approvals.find(name)
  if (approval === undefined) {
    const meant = nearest(name, parts.shelf.names())
    const hint = meant === undefined ? undefined : `Did you mean ${meant}?`
    throw new ContextdError('NOT_FOUND', { what: `tool ${name} in ${TOOLS_FOLDER}`, name, hint })
  }
  return {
    ...withoutPackage(name, 'gone', ['the package was deleted']),
    approvedAt: approval.approvedAt,
  }
}

/** Undefined if there is no such package. */
export async function reportPackage(parts: ReportParts, name: string): Promise<ToolReport | undefined> {
  const found = parts.shelf.look(name)
  if (found === undefined) return undefined
  if (found.state === 'broken') return withoutPackage(name, 'broken', found.problems)
  const { state, package: pkg } = found
  const problems = await findProblems(parts, pkg)
  if (problems.length > 0) return withoutPackage(name, 'broken', problems)
  const granted = state === 'approved' ? found.approval.capabilities : []
  return {
    name,
    state,
    why: state === 'changed' ? found.changes : [],
    ...(state === 'approved' && { approvedAt: found.approval.approvedAt }),
    ...describePackage(parts, pkg, [
      ...pkg.manifest.required,
      ...pkg.manifest.optional.filter((one) => hasCapability(granted, one)),
    ]),
  }
}

function withoutPackage(name: string, state: ToolState, why: readonly string[]): ToolReport {
  return { name, state, why, granted: [], may: [], mayAsk: [] }
}

/** Problems that keep the package from being used. */
export async function findProblems(parts: ReportParts, pkg: ToolPackage): Promise<string[]> {
  const compiled = await compileSchema(pkg.inputSchema)
  const schemaProblems = compiled.ok ? [] : [`${SCHEMA}: ${compiled.problem}`]
  return [...schemaProblems, ...pathProblems(parts, pkg)]
}

/** Capabilities that the format allows but that cannot be granted on this machine. */
function pathProblems({ project, stateFolder }: ReportParts, { manifest }: ToolPackage): string[] {
  const terms = { workspace: project, ownFolders: [stateFolder], protect: [] }
  return [...manifest.required, ...manifest.optional].flatMap((one) => {
    const problem = whyNotGrantable(one, terms)
    return problem === undefined ? [] : [`${MANIFEST}: ${problem}`]
  })
}

export function describePackage(
  { limits, callTimeMs }: ReportParts,
  pkg: ToolPackage,
  granted: readonly Capability[],
): Pick<ToolReport, 'granted' | 'may' | 'mayAsk'> & { readonly package: ToolPackage } {
  const toolLimits = limitsOf(pkg.manifest.limits, limits, callTimeMs)
  const open = pkg.manifest.optional.filter((one) => !hasCapability(granted, one))
  return {
    package: pkg,
    granted,
    may: [...granted.map(describeCapability), describeLimits(toolLimits)],
    mayAsk: open.map(describeCapability),
  }
}
