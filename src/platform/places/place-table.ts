/** A table of places in a folder, with the reason why agents are kept from each. The documentation is generated from it. */
export interface PlaceGroup {
  readonly title: string
  /** These names mean something in the home folder, and nothing elsewhere. */
  readonly isHomeOnly?: true
  readonly rows: readonly PlaceRow[]
}

export interface PlaceRow {
  /** One line in plain words, without a full stop. */
  readonly reason: string
  /** Files, or folders with everything below them, relative to the folder that the table is about. */
  readonly paths: readonly string[]
  /** What below these paths does not belong to them after all. */
  readonly except?: readonly string[]
}

/** The paths are separated by commas. */
export function row(reason: string, paths: string): PlaceRow {
  return { reason, paths: paths.split(/,\s+/) }
}

export function groupPaths(groups: readonly PlaceGroup[]): string[] {
  return groups.flatMap(({ rows }) => rows.flatMap(({ paths }) => paths))
}
