/** The words in which our own rules are written: what a secret looks like, and by which keywords it is found. */

/**
 * How a rule knows a secret. Patterns are sources of JavaScript regular expressions without anchors, look-arounds or
 * back-references, and describe the secret alone: what may stand around it is the engine's business, the same for all.
 */
export type Recognition =
  /** By itself: the keyword is how it begins. */
  | { readonly by: 'prefix'; readonly pattern: string }
  /** By itself, with the keyword somewhere inside. The part in a group named `secret` is it, else the whole match. */
  | { readonly by: 'shape'; readonly pattern: string; readonly before: number }
  /** By a name in front of it: the keywords are names, the pattern is the value. */
  | { readonly by: 'name'; readonly pattern: string }

export interface SecretRule {
  /** The id gitleaks uses where it means the same kind. */
  readonly id: string
  readonly description: string
  /** Lower case. The rule is looked at only where one of them occurs. */
  readonly keywords: readonly string[]
  readonly recognition: Recognition
  /** Least Shannon entropy (bits per character) of the secret; more than any placeholder of that form has. */
  readonly entropy?: number
  /** The form is so loose that the secret must also look drawn at random. */
  readonly random?: true
}

type Options = Pick<SecretRule, 'entropy' | 'random'>

/** A secret that begins with one of the prefixes as they stand (case counts) and goes on with `body`. */
export function token(
  id: string,
  description: string,
  prefixes: string | readonly string[],
  body: string,
  options: Options = {},
): SecretRule {
  const all = typeof prefixes === 'string' ? [prefixes] : prefixes
  const head = all.length === 1 ? literal(all[0]!) : `(?:${all.map(literal).join('|')})`
  return {
    id,
    description,
    keywords: [...new Set(all.map((prefix) => prefix.toLowerCase()))],
    recognition: { by: 'prefix', pattern: head + body },
    ...options,
  }
}

/**
 * A secret with a telling part inside: a keyword at most `before` characters after the start of the pattern. For
 * addresses and files of which only a part is secret, that part stands in `(?<secret>…)`.
 */
export function shape(
  id: string,
  description: string,
  keywords: string | readonly string[],
  pattern: string,
  before: number,
  options: Options = {},
): SecretRule {
  return {
    id,
    description,
    keywords: typeof keywords === 'string' ? [keywords] : keywords,
    recognition: { by: 'shape', pattern, before },
    ...options,
  }
}

/** A value of a known form that only a name in front of it gives away: `ACME_API_KEY=…`, `"acme": {"key": "…"}`. */
export function named(
  id: string,
  description: string,
  names: string | readonly string[],
  value: string,
  options: Options = {},
): SecretRule {
  return {
    id,
    description,
    keywords: typeof names === 'string' ? [names] : names,
    recognition: { by: 'name', pattern: value },
    ...options,
  }
}

/** Open ends are closed here: no credential is longer, and a bound keeps every pattern linear. */
const longest = 2048

const times = (of: string, least: number, most = least): string =>
  least === most ? `${of}{${least}}` : `${of}{${least},${Math.min(most, longest)}}`

export const hex = (least: number, most?: number): string => times('[0-9a-f]', least, most)
export const HEX = (least: number, most?: number): string => times('[0-9A-F]', least, most)
/** Hexadecimal in either case. */
export const anyHex = (least: number, most?: number): string => times('[0-9A-Fa-f]', least, most)
export const digits = (least: number, most?: number): string => times('[0-9]', least, most)
export const alnum = (least: number, most?: number): string => times('[A-Za-z0-9]', least, most)
export const lower = (least: number, most?: number): string => times('[a-z0-9]', least, most)
export const upper = (least: number, most?: number): string => times('[A-Z0-9]', least, most)
/** Letters, digits, `_` and `-`, as in base64url. */
export const word = (least: number, most?: number): string => times('[A-Za-z0-9_-]', least, most)
export const base64 = (least: number, most?: number): string => `${times('[A-Za-z0-9+/]', least, most)}={0,2}`
export const base32 = (least: number, most?: number): string => times('[A-Z2-7]', least, most)
export const uuid = '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}'

/** Three parts in base64url, the first two of them JSON. */
export const jwt = String.raw`eyJ[A-Za-z0-9_-]{10,1000}\.eyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,1000}`

/** For forms that words could have too. */
export const loose: Options = { entropy: 3 }

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}
