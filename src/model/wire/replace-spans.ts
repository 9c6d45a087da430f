/** Replaces spans of a text without changing any other character. Pure. */

export interface SpanChange {
  readonly start: number
  /** Exclusive. */
  readonly end: number
  readonly text: string
}

/** The spans must be in order and not overlap. */
export function replaceSpans(text: string, changes: readonly SpanChange[]): string {
  let changed = ''
  let at = 0
  for (const { start, end, text: replacement } of changes) {
    changed += text.slice(at, start) + replacement
    at = end
  }
  return changed + text.slice(at)
}
