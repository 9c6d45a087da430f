/**
 * Samples of secrets are written as recipes and made when they are needed, so that nothing in the repository is, or
 * looks like, a credential: `ghp_{alnum:36}`. `«…»` marks the part that a scrubber has to take.
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

/** Rules of one file and what they must and must not take. */
export type RuleSamples = Readonly<
  Record<string, { readonly secret: readonly string[]; readonly clean: readonly string[] }>
>

export interface Sample {
  readonly text: string
  /** What was marked; the whole text where nothing was. */
  readonly secret: string
}

export type Random = () => number

/** A small generator with a seed: the same samples in every run (mulberry32). */
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

/** Makes the text of a recipe: `{alphabet:length}`, `{[abc]:length}` for an alphabet of its own, `{uuid}`. */
export function makeSample(recipe: string, random: Random): Sample {
  const made = recipe.replace(
    /\{(?:(\w+):(\d+)|\[([^\]]+)\]:(\d+)|(uuid))\}/g,
    (_, name?: string, length?: string, own?: string, ownLength?: string) => {
      if (name !== undefined) return draw(alphabetOf(name), Number(length), random)
      if (own !== undefined) return draw(own, Number(ownLength), random)
      return [8, 4, 4, 4, 12].map((part) => draw(alphabets.hex!, part, random)).join('-')
    },
  )
  const marked = /«([\s\S]*)»/.exec(made)
  return { text: made.replace(/[«»]/g, ''), secret: marked?.[1] ?? made }
}

function alphabetOf(name: string): string {
  const alphabet = alphabets[name]
  if (alphabet === undefined) throw new Error(`a recipe names no such alphabet: ${name}`)
  return alphabet
}

/** Always with a digit and, where the alphabet has them, a letter, as issuers' tokens are: no test hangs on luck. */
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
