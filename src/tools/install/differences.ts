/** Compares two versions of a tool. Pure. */

import { formatCapability, type Capability } from '../../core/capability.ts'
import { lineChanges } from '../files/line-changes.ts'
import type { PackageFile } from '../plugins/package-files.ts'

export interface FileDifference {
  readonly path: string
  readonly kind: 'added' | 'removed' | 'changed'
  /** Absent if the file is not text. */
  readonly lines?: { readonly added: number; readonly removed: number }
  /** Whether it is executable, if that changed. */
  readonly executable?: boolean
}

export function compareFiles(
  before: readonly PackageFile[],
  after: readonly PackageFile[],
): FileDifference[] {
  const paths = [...new Set([...before, ...after].map(({ path }) => path))].sort()
  return paths.flatMap((path): FileDifference[] => {
    const old = before.find((file) => file.path === path)
    const next = after.find((file) => file.path === path)
    if (old?.sha256 === next?.sha256 && old?.executable === next?.executable) return []
    const lines = compareLines(old?.bytes, next?.bytes)
    const isOther = old !== undefined && next !== undefined && old.executable !== next.executable
    return [
      {
        path,
        kind: old === undefined ? 'added' : next === undefined ? 'removed' : 'changed',
        ...(lines !== undefined && { lines }),
        ...(isOther && { executable: next.executable }),
      },
    ]
  })
}

/** Undefined if one of them is not text. */
function compareLines(before: Buffer = Buffer.of(), after: Buffer = Buffer.of()): FileDifference['lines'] {
  if (before.includes(0) || after.includes(0)) return undefined
  const { added, removed } = lineChanges(before.toString(), after.toString())
  return { added, removed }
}

/** The items of the first list that are not in the second. */
export function without(list: readonly Capability[], other: readonly Capability[]): Capability[] {
  const known = new Set(other.map(formatCapability))
  return list.filter((one) => !known.has(formatCapability(one)))
}
