/** Secrets that are cut between texts that belong together: a key as a list of lines, two blocks of one answer. */

import type { Scrubbed } from './scrubbed.ts'

export interface AcrossTexts {
  /** As many as were given. The first text that a secret lies in has its token, the others have their part taken out. */
  readonly texts: readonly string[]
  /** Each with the text that has its token. */
  readonly findings: readonly { readonly rule: string; readonly index: number }[]
}

/** Takes only what lies in more than one text: what lies in one is found there, and better. */
export function scrubAcross(
  texts: readonly string[],
  scrub: (text: string) => Scrubbed,
  joint = '\n',
): AcrossTexts {
  const found: { rule: string; index: number }[] = []
  if (texts.length < 2) return { texts, findings: found }
  const starts: number[] = []
  let length = 0
  for (const text of texts) {
    starts.push(length)
    length += text.length + joint.length
  }
  const cleaned = texts.map(() => '')
  const copied = texts.map(() => 0)
  let index = 0
  for (const { rule, start, end, token } of scrub(texts.join(joint)).findings) {
    while (starts[index]! + texts[index]!.length <= start && index < texts.length - 1) index++
    const parts: { at: number; from: number; to: number }[] = []
    for (let at = index; at < texts.length && starts[at]! < end; at++) {
      const from = Math.max(start - starts[at]!, 0)
      const to = Math.min(end - starts[at]!, texts[at]!.length)
      if (from < to) parts.push({ at, from, to })
    }
    if (parts.length < 2) continue
    for (const [nth, { at, from, to }] of parts.entries()) {
      cleaned[at] += texts[at]!.slice(copied[at], from) + (nth === 0 ? token : '')
      copied[at] = to
    }
    found.push({ rule, index: parts[0]!.at })
  }
  if (found.length === 0) return { texts, findings: found }
  return { texts: texts.map((text, at) => cleaned[at] + text.slice(copied[at])), findings: found }
}
