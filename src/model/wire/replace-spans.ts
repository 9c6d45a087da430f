/** Other text in place of some spans; every character outside them stays. Pure. */

export interface SpanChange {
  readonly start: number
  /** Behind its last character. */
  readonly end: number
  readonly text: string
}

/** The spans come in the order of the text and do not overlap. */
export function replaceSpans(text: string, changes: readonly SpanChange[]): string {
  let changed = ''
  let at = 0
  for (const { start, end, text: replacement } of changes) {
    changed += text.slice(at, start) + replacement
    at = end
  }
  return changed + text.slice(at)
}
