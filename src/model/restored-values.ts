/** Values that the door put back in a tool call become their tokens again, also those that no rule would find. */

import { replaceSpans, type SpanChange } from './wire/replace-spans.ts'
import { tokensInText, writtenInString } from './wire/token-spans.ts'

export interface RestoredValue {
  readonly token: string
  readonly value: string
}

/** For the audit: what was found not by a rule but because we restored it. */
export const restoredRule = 'restored-value'

/** Each also as it is written inside a JSON string. */
export function maxFirstLength(restored: readonly RestoredValue[]): RestoredValue[] {
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

/** `restored` is sorted by `maxFirstLength`. The characters of tokens stay: a short value may be in one by chance. */
export function withTokens(
  text: string,
  restored: readonly RestoredValue[],
): { text: string; count: number } {
  const changes: SpanChange[] = []
  /** One for each character that belongs to a token or to a longer value. */
  const taken = new Uint8Array(text.length)
  for (const { start, end } of tokensInText(text)) taken.fill(1, start, end)
  for (const { token, value } of restored) {
    for (let start = text.indexOf(value); start !== -1;) {
      const end = start + value.length
      const isFree = !taken.subarray(start, end).includes(1)
      if (isFree) {
        changes.push({ start, end, text: token })
        taken.fill(1, start, end)
      }
      start = text.indexOf(value, isFree ? end : start + 1)
    }
  }
  changes.sort((a, b) => a.start - b.start)
  return { text: replaceSpans(text, changes), count: changes.length }
}
