/** Where Claude Code was observed to read a text differently from bash; everything else it reads as `parseShell` does. */

import type { PartOf } from '@contextd/shared/shell/syntax'
import type { LineReader } from './reader.ts'

/** bash joins two lines at a backslash, also inside a word; the client sees a blank between words, and in quotes the text. */
export const continuation = { betweenWords: ' ', inQuotes: '\\\n' }

/** An unclosed quote loses its last letter. */
export const contentOf = ({ content, isClosed }: PartOf<'single-quoted' | 'ansi-quoted'>): string =>
  isClosed ? content : content.slice(0, -1)

/** The dollar of `$'…'` and `$"…"` is a letter, and escapes in the quotes are not resolved. */
export const translatedSign = '$'

/** After a line with several here-documents, nothing is read. */
export const isBlind = ({ begun }: LineReader): boolean => begun > 1
