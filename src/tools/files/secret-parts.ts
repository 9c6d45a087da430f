/** Parts of secrets in a part of a text, which no rule matches there. */

import { tokenPattern } from '@contextd/scrub/internal/secret-token'

/** Scrubbed together with a part, before and after it: longer than any key. */
export const surroundingBytes = 16_384

/** More than any token has. */
const maxTokenLength = 32
/** Shorter parts of a secret are useless. */
const minPartLength = 8

/** Replaces lines that are masked with their surroundings, but not alone: they are parts of a longer secret. */
export async function withoutSecretParts(
  part: string,
  around: string,
  scrub: (text: string) => Promise<string>,
): Promise<string> {
  const kept = new Set((await scrub(around)).split('\n'))
  const isPart = async (line: string): Promise<boolean> =>
    line.length > minPartLength && !kept.has(line) && (await scrub(line)) === line
  const shown: string[] = []
  for (const line of part.split('\n')) shown.push((await isPart(line)) ? '[part of a secret]' : line)
  return shown.join('\n')
}

/** Whether every secret is completely inside or completely outside of these parts. */
export async function keepsSecretsWhole(
  text: string,
  parts: readonly { readonly start: number; readonly end: number }[],
  scrub: (text: string) => Promise<string>,
): Promise<boolean> {
  const masked = await scrub(text)
  if (masked === text) return true
  const borders = [...new Set(parts.flatMap(({ start, end }) => [start, end])), text.length]
  let [at, maskedAt] = [0, 0]
  for (const border of borders.sort((a, b) => a - b)) {
    const piece = await scrub(text.slice(at, border))
    // A short secret is not recognized by itself.
    const same = masked.startsWith(piece, maskedAt) ? piece : tokenAt(masked, maskedAt)
    if (same === undefined) return false
    maskedAt += same.length
    at = border
  }
  return maskedAt === masked.length
}

function tokenAt(text: string, offset: number): string | undefined {
  const [token] = text.slice(offset, offset + maxTokenLength).match(tokenPattern) ?? []
  return token !== undefined && text.startsWith(token, offset) ? token : undefined
}
