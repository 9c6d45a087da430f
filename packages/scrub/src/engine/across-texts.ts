/** Secrets split across related texts: a key as a list of lines, two blocks of one answer. */

import type { Scrubbed } from './scrubbed.ts'

export interface AcrossTexts {
  /** One for each given text. A secret's token is in the first text it spans; its parts are removed from the others. */
  readonly texts: readonly string[]
  /** `index` is the text that contains the token. */
  readonly findings: readonly { readonly rule: string; readonly index: number }[]
}

/** Replaces only secrets that span more than one text; those within one text are found more reliably there. */
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
