/** The packages of a project in their current state, and whether they are approved. */

import { readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'

import type { CountTokens } from '../../core/ports.ts'
import type { Approval, ApprovalStore } from './approval-store.ts'
import { toolNamePattern, type ParseResult } from './manifest.ts'
import { fingerprintFolder, readPackageFiles } from './package-files.ts'
import { describeCopyChanges, type PinnedCopies } from './pinned-copies.ts'
import { readToolPackage, type ToolPackage } from './tool-package.ts'

export const TOOLS_FOLDER = '.contextd/tools'

export type ShelvedTool =
  | { readonly state: 'approved'; readonly package: ToolPackage; readonly approval: Approval }
  | { readonly state: 'changed'; readonly package: ToolPackage; readonly changes: readonly string[] }
  | { readonly state: 'new'; readonly package: ToolPackage }
  | { readonly state: 'broken'; readonly problems: readonly string[] }

export interface Shelf {
  /** Of all packages, in a stable order. */
  names(): string[]
  /** Undefined if there is no such package. Cheap as long as nothing changes. */
  look(name: string): ShelvedTool | undefined
  /** Whether a built-in tool has this name, so that a package cannot use it. */
  isTaken(name: string): boolean
}

export interface ShelfOptions {
  /** Links resolved. */
  readonly project: string
  readonly approvals: Pick<ApprovalStore, 'find'>
  readonly copies: Pick<PinnedCopies, 'read'>
  readonly count: CountTokens
  /** Whether a built-in tool has this name. */
  readonly isTaken: (name: string) => boolean
  /** Recovers the installs of killed processes; returns whether there were any. */
  readonly recover?: () => boolean
}

/** More could not be reviewed by a user. */
const maxPackages = 100

export function createShelf(options: ShelfOptions): Shelf {
  const { project, approvals, copies, count, isTaken, recover = () => false } = options
  const root = join(project, TOOLS_FOLDER)
  const known = new Map<string, { fingerprint: string; parsed: ParseResult<ToolPackage> }>()

  const parse = (name: string): ParseResult<ToolPackage> | undefined => {
    const folder = join(root, name)
    const fingerprint = fingerprintFolder(folder)
    if (fingerprint === undefined) {
      known.delete(name)
      return undefined
    }
    const earlier = known.get(name)
    if (earlier?.fingerprint === fingerprint) return earlier.parsed
    const parsed = readToolPackage(name, readPackageFiles(folder), count)
    if (known.size < maxPackages) known.set(name, { fingerprint, parsed })
    return parsed
  }

  const look = (name: string): ShelvedTool | undefined => {
    if (!toolNamePattern.test(name))
      return broken(['the name must be 1 to 32 lower-case letters, digits, "_" and "-"'])
    const parsed = parse(name)
    if (parsed === undefined) return undefined
    if (isTaken(name)) return broken(['contextd has a built-in tool with this name'])
    if (!parsed.ok) return broken(parsed.problems)
    const approval = approvals.find(name)
    if (approval === undefined) return { state: 'new', package: parsed.value }
    const { files } = parsed.value
    if (approval.sha256 === files.sha256) return { state: 'approved', package: parsed.value, approval }
    return {
      state: 'changed',
      package: parsed.value,
      changes: describeCopyChanges(copies.read(approval.sha256), files.files),
    }
  }

  return {
    names() {
      let entries: Dirent[]
      try {
        entries = readdirSync(root, { withFileTypes: true })
      } catch {
        return []
      }
      const names = entries
        .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
        .map(({ name }) => name)
      return names.sort().slice(0, maxPackages)
    },
    look(name) {
      const found = look(name)
      return found?.state === 'approved' || !recover() ? found : look(name)
    },
    isTaken,
  }
}

function broken(problems: readonly string[]): ShelvedTool {
  return { state: 'broken', problems }
}
