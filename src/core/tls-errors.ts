import type { CatalogueEntry } from './catalogue-entry.ts'

/** The part of the catalogue about certificates. */
export const tlsErrors = {} as const satisfies Record<string, CatalogueEntry>
