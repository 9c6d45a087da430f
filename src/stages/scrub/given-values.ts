/** The secrets that one call was given, and whether a text carries one of them on. Pure. */

import { createKnownValues } from '@contextd/scrub/internal/known-values'

export interface GivenValues {
  add(values: readonly string[]): void
  /** Whether one of them is in an address or a header, as it is, in another case, or encoded. */
  isIn(text: string): boolean
}

/** Percent signs of percent signs; an address that goes on after that is not read by anybody. */
const maxDecodings = 5

export function createGivenValues(): GivenValues {
  const given = new Set<string>()
  return {
    add(values) {
      for (const value of values) given.add(value)
    },
    isIn(text) {
      // Made here, because few calls that are given something are then led elsewhere.
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

/** The text, and what it is after each decoding. */
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

/** A `+` is a space only in forms; what a value is compared with has neither changed. */
function withoutPercents(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
  )
}
