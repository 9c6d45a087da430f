/** The result of scrubbing a text. */

/**
 * A secret in a text, and the token that replaced it.
 *
 * @example
 * import { createScrubber, type Finding } from '@contextd/scrub'
 *
 * const describe = ({ rule, start, end, token }: Finding) => `${rule} at ${start} to ${end} is ${token}`
 * const scrubber = createScrubber()
 * scrubber.know('correct horse battery staple', 'passphrase')
 * const { findings } = scrubber.scrub('it is correct horse battery staple', { session: 'a' })
 * console.log(findings.map(describe).join())
 * // → passphrase at 6 to 34 is [SECRET_1]
 */
export interface Finding {
  readonly rule: string
  /** UTF-16 offsets in the original text. */
  readonly start: number
  readonly end: number
  readonly token: string
}

/**
 * A text without its secrets.
 *
 * @example
 * import { createScrubber, type Scrubbed } from '@contextd/scrub'
 *
 * const scrubbed: Scrubbed = createScrubber().scrub('nothing to hide', { session: 'a' })
 * console.log(scrubbed.text, scrubbed.findings.length)
 * // → nothing to hide 0
 */
export interface Scrubbed {
  readonly text: string
  readonly findings: readonly Finding[]
}

/** The scope in which tokens are numbered. */
export interface TokenScope {
  readonly tenant: string
  readonly session: string
}

/** `key` is the key of the text in structured data, if it has one. Throws if the text could not be checked. */
export type Scrub = (text: string, scope: TokenScope, key?: string) => Scrubbed

/** Fixed cost of checking a text, in characters. */
export const textOverhead = 16
