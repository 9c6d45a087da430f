/**
 * A table of places in a folder, each with the reason why agents may not write there. The documentation is generated
 * from it.
 */
export interface PlaceGroup {
  readonly title: string
  /** These names are only significant in the home folder. */
  readonly isHomeOnly?: true
  readonly rows: readonly PlaceRow[]
}

export interface PlaceRow {
  /** One line in plain words, without a full stop. */
  readonly reason: string
  /** Files, or folders including everything below them, relative to the table's folder. */
  readonly paths: readonly string[]
  /** Exceptions below these paths. */
  readonly except?: readonly string[]
}

/** The paths are separated by commas. */
export function row(reason: string, paths: string): PlaceRow {
  return { reason, paths: paths.split(/,\s+/) }
}

export function groupPaths(groups: readonly PlaceGroup[]): string[] {
  return groups.flatMap(({ rows }) => rows.flatMap(({ paths }) => paths))
}
