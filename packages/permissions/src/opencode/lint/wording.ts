/** Text fragments for messages about OpenCode's rules. */

import { masked } from '../../findings/masked.ts'
import type { OpenCodeRule } from '../ruleset.ts'
import type { OpenCodeSetup } from '../setup.ts'
import { isAny } from '../wildcard.ts'

const maxQuoteLength = 80

/** In backquotes, with secrets masked, and truncated. */
export function quote(text: string, { secretsIn }: OpenCodeSetup): string {
  const shown = masked(text, secretsIn).replaceAll(/\s+/g, ' ')
  return `\`${shown.length > maxQuoteLength ? `${shown.slice(0, maxQuoteLength)}…` : shown}\``
}

/** `` `bash` `` or `` `bash` with `git *` ``. */
export function subject({ tool, pattern }: OpenCodeRule, setup: OpenCodeSetup): string {
  return isAny(pattern) ? quote(tool, setup) : `${quote(tool, setup)} with ${quote(pattern, setup)}`
}

export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
