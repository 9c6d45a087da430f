/** How rules of OpenCode are spoken of. */

import { masked } from '../../findings/masked.ts'
import type { OpenCodeRule } from '../ruleset.ts'
import type { OpenCodeSetup } from '../setup.ts'
import { isAny } from '../wildcard.ts'

const longest = 80

/** In backquotes, without what should be secret and not at any length. */
export function quote(text: string, { secretsIn }: OpenCodeSetup): string {
  const shown = masked(text, secretsIn).replaceAll(/\s+/g, ' ')
  return `\`${shown.length > longest ? `${shown.slice(0, longest)}…` : shown}\``
}

/** `` `bash` `` or `` `bash` with `git *` ``. */
export function subject({ tool, pattern }: OpenCodeRule, setup: OpenCodeSetup): string {
  return isAny(pattern) ? quote(tool, setup) : `${quote(tool, setup)} with ${quote(pattern, setup)}`
}

export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
