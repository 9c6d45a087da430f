/** Shows parts of a text without parts of its secrets. */

import { tokenPattern } from '@contextd/scrub/internal/secret-token'

import type { ToolHost } from '../../core/ports.ts'

type Scrub = ToolHost['scrub']

/** More than any token has. */
const maxTokenLength = 32
/** Shorter parts of a secret are useless. */
const minPartLength = 8

/** A line that is masked with its surroundings, but not alone, is part of a longer secret. */
export async function withoutParts(part: string, around: string, scrub: Scrub): Promise<string> {
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
  scrub: Scrub,
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
