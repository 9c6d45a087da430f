/**
 * A part of a text may contain a part of a secret that no rule matches, such as a line from the middle of a key, so it
 * is scrubbed with its surroundings.
 */

import { tokenPattern } from '@contextd/scrub/internal/secret-token'
import type { ToolHost } from '../../core/ports.ts'

/** Scrubbed together with a part, before and after it: longer than any key. */
export const surroundingBytes = 16_384

/** More than any token has. */
const maxTokenLength = 32

/** A line that is masked differently with its surroundings than alone is part of a longer secret. */
export async function maskParts(
  lines: readonly string[],
  scrubbedAround: string,
  scrub: ToolHost['scrub'],
): Promise<string[]> {
  const kept = new Set(scrubbedAround.split('\n'))
  const shown: string[] = []
  for (const line of lines) {
    if (line === '' || kept.has(line)) shown.push(line)
    else {
      const alone = await scrub(line)
      shown.push(kept.has(alone) ? alone : '[part of a secret]')
    }
  }
  return shown
}

/** The same for a text, given with its surroundings. */
export async function withoutSecretParts(
  part: string,
  around: string,
  scrub: ToolHost['scrub'],
): Promise<string> {
  return (await maskParts(part.split('\n'), await scrub(around), scrub)).join('\n')
}

/**
 * The masked text without its last `surroundingBytes`, which were only read to find secrets that end there, and without
 * a token that is cut.
 */
export function withoutLookahead(masked: string): string {
  return withoutCutToken(masked.slice(0, Math.max(0, masked.length - surroundingBytes)))
}

/** For a masked text that was cut at its end. */
export function withoutCutToken(text: string): string {
  return text.replace(/\[[A-Z0-9_]{0,32}$/, '')
}

/** Whether every secret is completely inside or completely outside of these parts. */
export async function keepsSecretsWhole(
  text: string,
  parts: readonly { readonly start: number; readonly end: number }[],
  scrub: ToolHost['scrub'],
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
