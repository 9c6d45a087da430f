/** A stretch of text that a rule takes for a secret. Offsets are UTF-16 units. */
export interface SecretSpan {
  readonly rule: string
  readonly start: number
  readonly end: number
}

/** A text read in another way (decoded, cleaned), and where each stretch of it stands in the text it was read from. */
export interface View {
  readonly text: string
  /** The source of `text.slice(start, end)`: at least everything that shaped it. */
  locate(start: number, end: number): { readonly start: number; readonly end: number }
}

/** In order and without overlaps: where two meet, the whole contested stretch is one secret. */
export function mergeSpans(spans: readonly SecretSpan[]): SecretSpan[] {
  if (spans.length < 2) return [...spans]
  const merged: SecretSpan[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last === undefined || span.start >= last.end) {
      merged.push(span)
    } else {
      const rule = isGeneral(last.rule) ? span.rule : last.rule
      merged[merged.length - 1] = { rule, start: last.start, end: Math.max(last.end, span.end) }
    }
  }
  return merged
}

/** Knows a secret by what stands around it; a rule that knows the secret itself says more. */
export function isGeneral(rule: string): boolean {
  return /^(?:generic-.*|authorization-header|bearer-token|basic-auth|cookie|known-prefix)$/.test(rule)
}
