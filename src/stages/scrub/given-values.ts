/** The secrets revealed to one call, and whether a text transmits one of them. Pure. */

import { createKnownValues } from '@contextd/scrub/internal/known-values'

export interface GivenValues {
  add(values: readonly string[]): void
  /** Whether an address or a header contains one of them, verbatim, in another case, or encoded. */
  isIn(text: string): boolean
}

/** Handles repeated percent-encoding; no server decodes more often than this. */
const maxDecodings = 5

export function createGivenValues(): GivenValues {
  const given = new Set<string>()
  return {
    add(values) {
      for (const value of values) given.add(value)
    },
    isIn(text) {
      // Created here, because few calls that received a value are redirected.
      const known = createKnownValues()
      for (const value of given) known.add(value, 'given')
      return readingsOf(text).some((reading) => {
        const lower = reading.toLowerCase()
        return (
          known.find(reading).length > 0 || [...given].some((value) => lower.includes(value.toLowerCase()))
        )
      })
    },
  }
}

/** The text, and the result of each further decoding. */
function readingsOf(text: string): string[] {
  const readings = [text]
  for (let latest = text; readings.length <= maxDecodings;) {
    const decoded = withoutPercents(latest)
    if (decoded === latest) break
    readings.push(decoded)
    latest = decoded
  }
  return readings
}

/** `+` means a space only in forms; neither side of the comparison decodes it. */
function withoutPercents(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
  )
}
