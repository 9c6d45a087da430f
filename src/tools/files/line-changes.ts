/** Describes the changes of a text in lines. Pure. */

import { diffRows, linesWithEnds, type DiffRow } from '@contextd/shared/text/sequence-diff'

export interface LineChanges {
  readonly added: number
  readonly removed: number
  /**
   * The range of changed lines in the new text, with unchanged ones between them; absent if lines were only removed in
   * one place.
   */
  readonly changed?: { readonly first: number; readonly last: number }
}

export function lineChanges(before: string, after: string): LineChanges {
  const rows = diffRows(linesWithEnds(before), linesWithEnds(after))
  const start = rows.findIndex(isChange)
  const changed = rows.slice(start, rows.findLastIndex(isChange) + 1)
  const count = (kind: DiffRow['kind']): number => changed.filter((row) => row.kind === kind).length
  const [added, removed] = [count('+'), count('-')]
  const height = changed.length - removed
  return { added, removed, ...(height > 0 && { changed: { first: start + 1, last: start + height } }) }
}

function isChange({ kind }: DiffRow): boolean {
  return kind !== ' '
}
