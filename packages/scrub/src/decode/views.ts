import type { View } from '../text/span.ts'
import { editedView } from './edited-view.ts'
import { runViews } from './run-views.ts'
import { scanSource } from './scan.ts'
import { sourceOf } from './text/source.ts'

/** No secret that is looked for is shorter. */
const shortest = 8

/**
 * The other readings of a text in which a secret could hide: one view with everything that reads differently in its
 * place (escapes, invisible characters, broken lines), and one for each run that is encoded as a whole. One level only:
 * what is encoded twice shows in the views of a view. All views together are no longer than twice the text, apart from
 * what was compressed.
 */
export function viewsOf(text: string): View[] {
  if (text.length < shortest) return []
  const source = sourceOf(text)
  const found = scanSource(source)
  const views = runViews(source, found)
  const inPlace = editedView(source, found.edits)
  if (inPlace !== undefined && inPlace.text.length >= shortest) views.push(inPlace)
  return views
}
