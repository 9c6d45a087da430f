import { secretRules, type SecretRule } from './rules.ts'

export interface SecretSpan {
  readonly rule: string
  readonly start: number
  readonly end: number
}

/** No rule matches less; most strings of a message are names and shorter. */
const shortestMatch = 10

/** Every secret in the text, in order. Pure. Where two rules overlap, the whole contested stretch is one secret. */
export function findSecrets(text: string, rules: readonly SecretRule[] = secretRules): SecretSpan[] {
  if (text.length < shortestMatch) return []
  const lower = text.toLowerCase()
  const found: SecretSpan[] = []
  for (const { id, keywords, pattern } of rules) {
    if (!keywords.some((keyword) => lower.includes(keyword))) continue
    for (const match of text.matchAll(pattern)) {
      const secret = match[1] ?? match[0]
      if (match[1] !== undefined && looksLikeWords(secret)) continue
      const start = match.index + match[0].lastIndexOf(secret)
      found.push({ rule: id, start, end: start + secret.length })
    }
  }
  return mergeOverlaps(found)
}

/** The same for a value in a structure, read as the assignment it is: `{"password": "…"}` is `password=…`. */
export function findSecretsUnder(key: string, value: string): SecretSpan[] {
  const before = key.length + 1
  return findSecrets(`${key}=${value}`)
    .filter(({ end }) => end > before)
    .map(({ rule, start, end }) => ({ rule, start: Math.max(0, start - before), end: end - before }))
}

function mergeOverlaps(found: SecretSpan[]): SecretSpan[] {
  const merged: SecretSpan[] = []
  for (const span of found.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last === undefined || span.start >= last.end) merged.push(span)
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end }
  }
  return merged
}

/** `token = getToken` and `password: changeit` name things; a value that gives access mixes digits and letters. */
function looksLikeWords(value: string): boolean {
  return !(/[0-9]/.test(value) && /[A-Za-z]/.test(value))
}
