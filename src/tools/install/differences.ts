/** Compares two versions of a tool. Pure. */

import { formatCapability, type Capability } from '../../core/capability.ts'
import { sharedOrder } from '@contextd/shared/json/revise-json'
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

/**
 * With more lines the comparison table would be too large, and everything between the common ends counts as changed.
 */
const maxLines = 4000

function compareLines(before: Buffer | undefined, after: Buffer | undefined): FileDifference['lines'] {
  const [from, to] = [linesOf(before), linesOf(after)]
  if (from === undefined || to === undefined) return undefined
  let head = 0
  while (head < from.length && head < to.length && from[head] === to[head]) head++
  let tail = 0
  while (tail < Math.min(from.length, to.length) - head && from.at(-1 - tail) === to.at(-1 - tail)) tail++
  const [old, next] = [from.slice(head, from.length - tail), to.slice(head, to.length - tail)]
  const shared = old.length + next.length > maxLines ? 0 : sharedOrder(old, next).size
  return { added: next.length - shared, removed: old.length - shared }
}

/** Undefined if the file is not text. */
function linesOf(bytes: Buffer | undefined): string[] | undefined {
  if (bytes === undefined) return []
  if (bytes.includes(0)) return undefined
  return bytes.toString().match(/[^\n]+\n?|\n/g) ?? []
}

/** The items of the first list that are not in the second. */
export function without(list: readonly Capability[], other: readonly Capability[]): Capability[] {
  const known = new Set(other.map(formatCapability))
  return list.filter((one) => !known.has(formatCapability(one)))
}
