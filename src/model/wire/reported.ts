/** Validates what a provider reports about a response. Pure. */

import type { Json } from '@contextd/shared/json/value'

/** More than any response has. Sums of such numbers can be stored and read back exactly. */
const maxTokens = 1_000_000_000

/** A number of tokens; undefined if it is invalid. A negative number would reduce the counted usage. */
export function readTokens(value: Json | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? Math.min(Math.ceil(value), maxTokens) : undefined
}

const maxNameLength = 256

export function readModelName(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value.slice(0, maxNameLength) : undefined
}
