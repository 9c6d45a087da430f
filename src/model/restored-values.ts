/**
 * Turns values that the model door restored in a tool call back into tokens, including values that no rule would
 * find.
 */

import { replaceSpans, type SpanChange } from './wire/replace-spans.ts'
import { tokensInText, writtenInString } from './wire/token-spans.ts'

export interface RestoredValue {
  readonly token: string
  readonly value: string
}

/** Marks audit findings that were recognized because we restored them rather than by a rule. */
export const restoredRule = 'restored-value'

/** Includes each value's form inside a JSON string. */
export function longestFirst(restored: readonly RestoredValue[]): RestoredValue[] {
  const forms = restored.flatMap(({ token, value }) => {
    const escaped = writtenInString(value)
    return escaped === value
      ? [{ token, value }]
      : [
          { token, value },
          { token, value: escaped },
        ]
  })
  return forms.filter(({ value }) => value !== '').sort((a, b) => b.value.length - a.value.length)
}

/**
 * `restored` must be sorted by `longestFirst`. Existing tokens are preserved: a short value may occur in one by
 * chance.
 */
export function withTokens(
  text: string,
  restored: readonly RestoredValue[],
): { text: string; count: number } {
  const changes: SpanChange[] = []
  /** Marks characters that belong to a token or to a longer value. */
  const covered = new Uint8Array(text.length)
  for (const { start, end } of tokensInText(text)) covered.fill(1, start, end)
  for (const { token, value } of restored) {
    for (let start = text.indexOf(value); start !== -1;) {
      const end = start + value.length
      const isFree = !covered.subarray(start, end).includes(1)
      if (isFree) {
        changes.push({ start, end, text: token })
        covered.fill(1, start, end)
      }
      start = text.indexOf(value, isFree ? end : start + 1)
    }
  }
  changes.sort((a, b) => a.start - b.start)
  return { text: replaceSpans(text, changes), count: changes.length }
}
