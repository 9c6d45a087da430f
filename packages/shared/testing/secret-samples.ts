/**
 * Secret samples are recipes that are expanded when needed, so that nothing in the repository is, or looks like, a
 * credential: `ghp_{alnum:36}`. `«…»` marks the part that a scrubber must detect.
 */

const alphabets: Record<string, string> = {
  hex: '0123456789abcdef',
  HEX: '0123456789ABCDEF',
  digits: '0123456789',
  letters: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
  alnum: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  lower: 'abcdefghijklmnopqrstuvwxyz0123456789',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  word: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-',
  base64: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/',
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
}

/** The rules of one file, with samples that they must and must not match. */
export type RuleSamples = Readonly<
  Record<string, { readonly secret: readonly string[]; readonly clean: readonly string[] }>
>

export interface Sample {
  readonly text: string
  /** The marked part, or the whole text if nothing is marked. */
  readonly secret: string
}

export type Random = () => number

/** A seeded generator (mulberry32), for the same samples in every run. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Expands a recipe: `{alphabet:length}`, `{[abc]:length}` for a custom alphabet, `{uuid}`. */
export function makeSample(recipe: string, random: Random): Sample {
  const expanded = recipe.replace(
    /\{(?:(\w+):(\d+)|\[([^\]]+)\]:(\d+)|(uuid))\}/g,
    (_, name?: string, length?: string, custom?: string, customLength?: string) => {
      if (name !== undefined) return draw(alphabetOf(name), Number(length), random)
      if (custom !== undefined) return draw(custom, Number(customLength), random)
      return [8, 4, 4, 4, 12].map((part) => draw(alphabets.hex!, part, random)).join('-')
    },
  )
  const marked = /«([\s\S]*)»/.exec(expanded)
  return { text: expanded.replace(/[«»]/g, ''), secret: marked?.[1] ?? expanded }
}

function alphabetOf(name: string): string {
  const alphabet = alphabets[name]
  if (alphabet === undefined) throw new Error(`unknown alphabet in a recipe: ${name}`)
  return alphabet
}

/** Always includes a digit and a letter if the alphabet has them, like real tokens, so that tests are not flaky. */
function draw(alphabet: string, length: number, random: Random): string {
  const pick = (from: string): string => from[Math.floor(random() * from.length)]!
  const drawn = Array.from({ length }, () => pick(alphabet))
  const inside = (range: RegExp): string =>
    Array.from(alphabet)
      .filter((char) => range.test(char))
      .join('')
  for (const [place, range] of [
    [Math.floor(length / 3), inside(/\d/)],
    [Math.floor(length / 2), inside(/[A-Za-z]/)],
  ] as const) {
    if (length >= 4 && range !== '') drawn[place] = pick(range)
  }
  return drawn.join('')
}
