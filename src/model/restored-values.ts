/** Values that the door put back in a tool call become their tokens again, also those that no rule would find. */

import { tokensInText, writtenInString } from './token-spans.ts'

export interface RestoredValue {
  readonly token: string
  readonly value: string
}

/** For the audit: what was found not by a rule but because we restored it. */
export const restoredRule = 'restored-value'

/** Longest first, each also as it is written inside a JSON string. */
export function inOrder(restored: readonly RestoredValue[]): RestoredValue[] {
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

/** What `inOrder` answered, in a text. The characters of tokens stay: a short value may be in one by chance. */
export function withTokens(
  text: string,
  restored: readonly RestoredValue[],
): { text: string; count: number } {
  let count = 0
  const replaced = (part: string, from: number): string => {
    const next = restored[from]
    if (next === undefined) return part
    const parts = part.split(next.value)
    count += parts.length - 1
    return parts.map((one) => replaced(one, from + 1)).join(next.token)
  }
  let changed = ''
  let at = 0
  for (const { token, start, end } of tokensInText(text)) {
    changed += replaced(text.slice(at, start), 0) + token
    at = end
  }
  return { text: changed + replaced(text.slice(at), 0), count }
}
