import type { CatalogueEntry } from './catalogue-entry.ts'

/** The part of the catalogue about tools that come from elsewhere. */
export const installErrors = {} as const satisfies Record<string, CatalogueEntry>
