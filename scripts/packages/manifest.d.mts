export interface EntryPoint {
  /** The specifier users import, such as `@contextd/scrub/scan`; for a program, its name. */
  readonly specifier: string
  /** Path of its TypeScript file below the root. */
  readonly source: string
  /** Path of its bundle below the root. */
  readonly output: string
}

export interface TypedEntryPoint extends EntryPoint {
  /** Path of its declarations below the root. */
  readonly types: string
}

export interface PublishedPackage {
  readonly name: string
  /** Below the root; `.` for contextd itself. */
  readonly folder: string
  /** Names of the packages installed with it. */
  readonly dependencies: readonly string[]
  readonly entries: readonly TypedEntryPoint[]
  readonly programs: readonly EntryPoint[]
}

export const root: string
export function readPackage(folder: string): PublishedPackage
export function workspacePackages(): readonly PublishedPackage[]
export function publishedPackages(): readonly PublishedPackage[]
