import type { View } from '../text/span.ts'
import { editedView } from './edited-view.ts'
import { runViews } from './run-views.ts'
import { scanSource } from './scan.ts'
import { sourceOf } from './text/source.ts'

/** No detectable secret is shorter. */
const minLength = 8

/**
 * The decoded forms of a text in which a secret could hide: one view with everything decoded in place (escapes, invisible
 * characters, wrapped lines), and one for each encoded run. Decodes one level only: what is encoded twice appears in the
 * views of a view. Except for decompressed data, all views together are at most twice as long as the text.
 */
export function viewsOf(text: string): View[] {
  if (text.length < minLength) return []
  const source = sourceOf(text)
  const scan = scanSource(source)
  const views = runViews(source, scan)
  const inPlace = editedView(source, scan.edits)
  if (inPlace !== undefined && inPlace.text.length >= minLength) views.push(inPlace)
  return views
}
