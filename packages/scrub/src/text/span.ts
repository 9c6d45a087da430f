import { partitionPoint } from '@contextd/shared/text/partition-point'

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

/** Tests whether a range is within one of the spans. */
export function spanCoverage(
  spans: readonly Pick<SecretSpan, 'start' | 'end'>[],
): (range: Pick<SecretSpan, 'start' | 'end'>) => boolean {
  const sorted = spans.toSorted((a, b) => a.start - b.start)
  // The furthest end up to each span: one that starts no later and ends no earlier covers the range.
  const furthest: number[] = []
  for (const { end } of sorted) furthest.push(Math.max(end, furthest.at(-1) ?? 0))
  return ({ start, end }) => {
    const later = partitionPoint(sorted.length, (at) => sorted[at]!.start <= start)
    return later > 0 && furthest[later - 1]! >= end
  }
}

/** Knows a secret by what stands around it; a rule that knows the secret itself says more. */
export function isGeneral(rule: string): boolean {
  return /^(?:generic-.*|authorization-header|bearer-token|basic-auth|cookie|known-prefix)$/.test(rule)
}
