/** What a provider reports about a response, as far as it can be true. Pure. */

import type { Json } from '@contextd/shared/json/value'

/** No response has more. Sums of numbers up to here can be stored and read back. */
const maxTokens = 1_000_000_000

/** A number of tokens; undefined for what is none. A negative one would pay back what a limit has counted. */
export function readTokens(value: Json | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? Math.min(Math.ceil(value), maxTokens) : undefined
}

const maxNameLength = 256

export function readModelName(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value.slice(0, maxNameLength) : undefined
}
