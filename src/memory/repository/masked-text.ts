/** Removes secrets from text while keeping every line in place. Pure. */

/** UTF-16 offsets. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** Each secret is replaced by `mark`, plus its line ends if it spans several lines. */
export function maskSpans(text: string, spans: readonly TextSpan[], mark: string): string {
  if (spans.length === 0) return text
  let masked = ''
  let at = 0
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (end <= at) continue
    const from = Math.max(at, start)
    const lineEnds = text.slice(from, end).replace(/[^\n]+/g, '')
    masked += text.slice(at, from) + mark + lineEnds
    at = end
  }
  return masked + text.slice(at)
}
