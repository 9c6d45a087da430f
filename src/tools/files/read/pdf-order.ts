/** What the program that reads PDFs is asked for, and answers. */

export interface PdfOrder {
  /** The file of the package to load. */
  readonly library: string
  /** The first page, from 1; negative counts from the end. */
  readonly offset: number
  readonly limit: number
  /** Of the pages together, unless the first one alone is longer. */
  readonly maxLength: number
  /** How much text next to that is returned, for finding secrets. */
  readonly beyond: number
  /** After this time no further page is started. */
  readonly maxMs: number
}

export interface PdfPages {
  readonly total: number
  readonly first: number
  /** The first one has up to `maxLength` and `beyond` characters if it is the only one. */
  readonly pages: readonly string[]
  readonly before: string
  readonly after: string
}

export type PdfAnswer = PdfPages | { readonly problem: 'encrypted' | 'damaged' }
