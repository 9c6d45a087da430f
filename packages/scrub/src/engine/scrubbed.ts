/** What scrubbing a text yields. */

export interface Finding {
  readonly rule: string
  /** UTF-16 offsets in the text that was scrubbed. */
  readonly start: number
  readonly end: number
  readonly token: string
}

export interface Scrubbed {
  readonly text: string
  readonly findings: readonly Finding[]
}

/** Whose numbering of tokens applies. */
export interface TokenScope {
  readonly tenant: string
  readonly session: string
}

/** `key` is the name of the text in a structure, if it has one. Throws if the text could not be checked. */
export type Scrub = (text: string, scope: TokenScope, key?: string) => Scrubbed

/** What a text costs besides its characters: checking it takes time however short it is. */
export const textOverhead = 16
