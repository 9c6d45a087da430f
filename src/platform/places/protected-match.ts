/** Which entry of the table of protected places a path matches. Pure. */

import { foldCase } from './fold-case.ts'
import { protectedPlaces } from './protected-places.ts'

export interface ProtectedMatch {
  /** As in the table: `.vscode`. */
  readonly path: string
  readonly reason: string
  /** The index of the path segment at which the match starts. */
  readonly at: number
}

export interface MatchedIn {
  /** Earlier path segments are ignored: the workspace may itself be in such a folder. */
  readonly from: number
  readonly home: string
}

interface Entry {
  readonly path: string
  readonly reason: string
  readonly names: readonly string[]
  readonly except: readonly (readonly string[])[]
  readonly isHomeOnly: boolean
}

/** Grouped by first segment, so that a path is compared with a few entries only. */
const entriesByName = new Map<string, Entry[]>()
for (const { rows, isHomeOnly = false } of protectedPlaces) {
  for (const { paths, reason, except = [] } of rows) {
    for (const path of paths) {
      const names = foldedNames(path)
      const others = entriesByName.get(names[0]!) ?? []
      const entry = { path, reason, names, except: except.map(foldedNames), isHomeOnly }
      entriesByName.set(names[0]!, [...others, entry])
    }
  }
}

/**
 * Most places are protected in every folder, so a match can start at any segment of an absolute path. A file in place
 * of a parent folder of an entry matches too.
 */
export function* protectedMatches(path: string, { from, home }: MatchedIn): Generator<ProtectedMatch> {
  const names = foldedNames(path)
  const homeNames = foldedNames(home)
  const atHome = beginsWith(names, homeNames) ? homeNames.length : undefined
  for (let at = from; at < names.length; at++) {
    const found = entriesByName
      .get(names[at]!)
      ?.find((entry) => (!entry.isHomeOnly || at === atHome) && covers(entry, names.slice(at)))
    if (found !== undefined) yield { path: found.path, reason: found.reason, at }
  }
}

/** Whether a path, from segment `at` on, equals one of `places` or is below one. */
export function isBelowOneOf(places: readonly string[], path: string, at: number): boolean {
  const names = foldedNames(path).slice(at)
  return places.some((place) => beginsWith(names, foldedNames(place)))
}

function covers({ names, except }: Entry, path: readonly string[]): boolean {
  const length = Math.min(names.length, path.length)
  if (!beginsWith(path.slice(0, length), names.slice(0, length))) return false
  return !except.some((inner) => beginsWith(path, inner))
}

function beginsWith(path: readonly string[], names: readonly string[]): boolean {
  return path.length >= names.length && names.every((name, index) => path[index] === name)
}

function foldedNames(path: string): string[] {
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .map(foldCase)
}
