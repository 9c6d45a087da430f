import * as fc from 'fast-check'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { editedView } from '../src/decode/edited-view.ts'
import { scanSource } from '../src/decode/scan.ts'
import { sourceOf } from '../src/decode/text/source.ts'
import { viewsOf } from '../src/decode/views.ts'

/** How deep views of views are looked at, as the finder does. */
const levels = 5

export interface Found {
  readonly start: number
  readonly end: number
}

/** Where a value that is hidden in the text is said to stand; nothing where no reading shows it. */
export function findHidden(text: string, value: string, depth = levels): Found | undefined {
  if (depth === 0) return undefined
  for (const view of viewsOf(text)) {
    const at = view.text.indexOf(value)
    const found = at >= 0 ? { start: at, end: at + value.length } : findHidden(view.text, value, depth - 1)
    if (found !== undefined) return view.locate(found.start, found.end)
  }
  return undefined
}

/** The text with everything read in its place, where anything is. */
export function inPlaceReading(text: string): string | undefined {
  const source = sourceOf(text)
  return editedView(source, scanSource(source).edits)?.text
}

/** The texts of all views of one level. */
export const readingsOf = (text: string): string[] => viewsOf(text).map((view) => view.text)

/** The same runs every time. */
export const steady = { seed: 20260719, numRuns: 60 }

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

/** A secret by itself, or in what is usually around one. */
export const payloads: fc.Arbitrary<{ readonly text: string; readonly secret: string }> = fc
  .tuple(
    secrets,
    fc.constantFrom('§', 'TOKEN=§\n', '{"user":"deploy","token":"§","n":1}', 'PORT=80\nTOKEN=§\nHOST=a.io\n'),
  )
  .map(([secret, frame]) => ({ secret, text: frame.replace('§', () => secret) }))

/** Where an encoded text stands. */
export const places: fc.Arbitrary<readonly [before: string, after: string]> = fc.constantFrom(
  ['', ''],
  ['data: ', '\n'],
  ['$ cat out\n', '\nplain words come after it\n'],
  ['<td>', '</td>'],
)

export const oneSecret = makeSample('ghp_{alnum:36}', seededRandom(7)).text
