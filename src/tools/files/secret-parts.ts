/**
 * A part of a text may contain a part of a secret that no rule matches, such as a line from the middle of a key, so it
 * is scrubbed with its surroundings.
 */

import type { ToolHost } from '../../core/ports.ts'

/** Scrubbed together with a part, before and after it: longer than any key. */
export const surroundingBytes = 16_384

/** Shorter parts of a secret are useless. */
const minPartLength = 8

/** A line that is masked differently with its surroundings than alone is part of a longer secret. */
export async function maskParts(
  lines: readonly string[],
  scrubbedAround: string,
  scrub: ToolHost['scrub'],
): Promise<string[]> {
  const kept = new Set(scrubbedAround.split('\n'))
  const shown: string[] = []
  for (const line of lines) {
    if (line.length <= minPartLength || kept.has(line)) shown.push(line)
    else {
      const alone = await scrub(line)
      shown.push(kept.has(alone) ? alone : '[part of a secret]')
    }
  }
  return shown
}
