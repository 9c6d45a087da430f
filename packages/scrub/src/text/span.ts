import { partitionPoint } from '@contextd/shared/text/partition-point'

/** A range of text that a rule considers a secret. Offsets are in UTF-16 units. */
export interface SecretSpan {
  readonly rule: string
  readonly start: number
  readonly end: number
}

/** A text in another form (decoded or cleaned), with a mapping back to the original text. */
export interface View {
  readonly text: string
  /** The range of the original text that `text.slice(start, end)` came from; it may be larger. */
  locate(start: number, end: number): { readonly start: number; readonly end: number }
}

/** In order and without overlaps: overlapping spans become one secret. */
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
  // Maximum end up to each span: one that starts no later and ends no earlier covers the range.
  const maxEnds: number[] = []
  for (const { end } of sorted) maxEnds.push(Math.max(end, maxEnds.at(-1) ?? 0))
  return ({ start, end }) => {
    const later = partitionPoint(sorted.length, (at) => sorted[at]!.start <= start)
    return later > 0 && maxEnds[later - 1]! >= end
  }
}

/** Whether a rule identifies secrets by their context; a rule that recognises the secret itself is more specific. */
export function isGeneral(rule: string): boolean {
  return /^(?:generic-.*|authorization-header|bearer-token|basic-auth|cookie|known-prefix)$/.test(rule)
}
