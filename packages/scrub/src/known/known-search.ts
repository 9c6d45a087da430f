/** Checks whether a text contains given values, in every form in which the scrubber would find them. Pure. */

import { viewsOf } from '../decode/views.ts'
import { maxDecodeDepth } from '../find/find-secrets.ts'
import { createKnownValues } from './known-values.ts'
import { pieceLength } from '../text/segments.ts'

/** May return false positives. `key` is the key of the text in structured data. */
export function createKnownSearch(values: readonly string[]): (text: string, key?: string) => boolean {
  const known = createKnownValues()
  for (const value of values) known.add(value, 'known')
  const isIn = (text: string, depth: number): boolean =>
    known.find(text).length > 0 || (depth > 0 && viewsOf(text).some((view) => isIn(view.text, depth - 1)))
  return (text, key) =>
    // A longer text is scrubbed in pieces, which may be decoded differently from the complete text.
    text.length > pieceLength || isIn(key === undefined ? text : `${key}=${text}`, maxDecodeDepth)
}
