import type { CatalogueEntry } from './catalogue-entry.ts'

/** The part of the catalogue about telling other programs what happened. */
export const webhookErrors = {} as const satisfies Record<string, CatalogueEntry>
