import type { CatalogueEntry } from './catalogue-entry.ts'

/** The part of the catalogue about steering contextd from outside. */
export const controlErrors = {} as const satisfies Record<string, CatalogueEntry>
