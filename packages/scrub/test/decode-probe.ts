import * as fc from 'fast-check'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { editedView } from '../src/decode/edited-view.ts'
import { scanSource } from '../src/decode/scan.ts'
import { sourceOf } from '../src/decode/text/source.ts'
import { viewsOf } from '../src/decode/views.ts'

/** Number of nested views to search, as in `findSecrets`. */
const maxDepth = 5

export interface HiddenRange {
  readonly start: number
  readonly end: number
}

/** The location of a value hidden in the text, as reported by the view that contains it. */
export function findHidden(text: string, value: string, depth = maxDepth): HiddenRange | undefined {
  if (depth === 0) return undefined
  for (const view of viewsOf(text)) {
    const at = view.text.indexOf(value)
    const range = at >= 0 ? { start: at, end: at + value.length } : findHidden(view.text, value, depth - 1)
    if (range !== undefined) return view.locate(range.start, range.end)
  }
  return undefined
}

/** The text with everything decoded in place; undefined if nothing was. */
export function decodedInPlace(text: string): string | undefined {
  const source = sourceOf(text)
  return editedView(source, scanSource(source).edits)?.text
}

/** The texts of all views on one level. */
export const viewTextsOf = (text: string): string[] => viewsOf(text).map((view) => view.text)

/** Makes property tests reproducible. */
export const fixedRuns = { seed: 20260719, numRuns: 60 }

const recipes = [
  'ghp_{alnum:36}',
  'AKIA{upper:16}',
  'sk-ant-api03-{word:80}AA',
  'glpat-{word:20}',
  '{hex:32}',
]

export const secrets: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...recipes), fc.nat())
  .map(([recipe, random]) => makeSample(recipe, seededRandom(random)).text)

/** A secret alone or in a typical context. */
export const payloads: fc.Arbitrary<{ readonly text: string; readonly secret: string }> = fc
  .tuple(
    secrets,
    fc.constantFrom('§', 'TOKEN=§\n', '{"user":"deploy","token":"§","n":1}', 'PORT=80\nTOKEN=§\nHOST=a.io\n'),
  )
  .map(([secret, frame]) => ({ secret, text: frame.replace('§', () => secret) }))

/** Text before and after an encoded text. */
export const surroundings: fc.Arbitrary<readonly [before: string, after: string]> = fc.constantFrom(
  ['', ''],
  ['data: ', '\n'],
  ['$ cat out\n', '\nplain words come after it\n'],
  ['<td>', '</td>'],
)

export const sampleSecret = makeSample('ghp_{alnum:36}', seededRandom(7)).text
