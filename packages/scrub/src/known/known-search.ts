/** Tells whether a text contains certain values, in every form and reading in which a scrubber would find them. Pure. */

import { viewsOf } from '../decode/views.ts'
import { maxDecodeDepth } from '../find/find-secrets.ts'
import { createKnownValues } from './known-values.ts'
import { pieceLength } from '../text/segments.ts'

/** Errs towards true. `key` is the name the text is under in a structure. */
export function createKnownSearch(values: readonly string[]): (text: string, key?: string) => boolean {
  const known = createKnownValues()
  for (const value of values) known.add(value, 'known')
  const isIn = (text: string, depth: number): boolean =>
    known.find(text).length > 0 || (depth > 0 && viewsOf(text).some((view) => isIn(view.text, depth - 1)))
  return (text, key) =>
    // A longer one is scrubbed in pieces, which may read differently from the whole.
    text.length > pieceLength || isIn(key === undefined ? text : `${key}=${text}`, maxDecodeDepth)
}
