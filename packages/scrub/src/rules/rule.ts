/** Helpers to define built-in rules: what a secret looks like, and which keywords lead to it. */

/**
 * How a rule recognises a secret. Patterns are sources of JavaScript regular expressions without anchors, lookaround or
 * backreferences. They describe only the secret; the engine checks its surroundings, the same for all rules.
 */
export type Recognition =
  /** By itself: the keyword is its prefix. */
  | { readonly by: 'prefix'; readonly pattern: string }
  /** By itself, with the keyword anywhere inside. The secret is the group named `secret`, or else the whole match. */
  | { readonly by: 'shape'; readonly pattern: string; readonly before: number }
  /** By the name before it: keywords are names, the pattern is the value. */
  | { readonly by: 'name'; readonly pattern: string }

export interface SecretRule {
  /** The same id as in gitleaks, if gitleaks has a rule for this kind. */
  readonly id: string
  readonly description: string
  /** Lower case. The rule runs only where one of them occurs. */
  readonly keywords: readonly string[]
  readonly recognition: Recognition
  /** Minimum Shannon entropy (bits per character) of the secret; higher than that of any placeholder in this format. */
  readonly entropy?: number
  /** The format is so loose that the secret must also look random. */
  readonly random?: true
}

type Options = Pick<SecretRule, 'entropy' | 'random'>

/** A secret that starts with one of the prefixes (case-sensitive) and continues with `body`. */
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
 * A secret with a recognisable part: a keyword at most `before` characters after the start of the pattern. If only a
 * part of the match is secret, as in URLs and files, that part is `(?<secret>…)`.
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

/**
 * A value of a known format that is recognised only by the name before it: `ACME_API_KEY=…`, `"acme": {"key": "…"}`.
 */
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

/** Upper bound for open-ended repeats: no credential is longer, and bounded patterns run in linear time. */
const maxRepeat = 2048

const times = (unit: string, min: number, max = min): string =>
  min === max ? `${unit}{${min}}` : `${unit}{${min},${Math.min(max, maxRepeat)}}`

export const hex = (min: number, max?: number): string => times('[0-9a-f]', min, max)
export const HEX = (min: number, max?: number): string => times('[0-9A-F]', min, max)
/** Hexadecimal in either case. */
export const anyHex = (min: number, max?: number): string => times('[0-9A-Fa-f]', min, max)
export const digits = (min: number, max?: number): string => times('[0-9]', min, max)
export const alnum = (min: number, max?: number): string => times('[A-Za-z0-9]', min, max)
export const lower = (min: number, max?: number): string => times('[a-z0-9]', min, max)
export const upper = (min: number, max?: number): string => times('[A-Z0-9]', min, max)
/** Letters, digits, `_` and `-`, as in base64url. */
export const word = (min: number, max?: number): string => times('[A-Za-z0-9_-]', min, max)
export const base64 = (min: number, max?: number): string => `${times('[A-Za-z0-9+/]', min, max)}={0,2}`
export const base32 = (min: number, max?: number): string => times('[A-Z2-7]', min, max)
export const uuid = '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}'

/** Three parts in base64url, the first two of them JSON. */
export const jwt = String.raw`eyJ[A-Za-z0-9_-]{10,1000}\.eyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,1000}`

/** For formats that words could match too. */
export const loose: Options = { entropy: 3 }

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}
