/** Which row of the table of protected places a path falls under. Pure. */

import { foldCase } from './fold-case.ts'
import { protectedPlaces } from './protected-places.ts'

export interface ProtectedMatch {
  /** As the table has it: `.vscode`. */
  readonly path: string
  readonly reason: string
  /** Which of the names the path in the table begins with. */
  readonly at: number
}

export interface MatchedIn {
  /** Names before this one are not looked at: the workspace may itself lie in such a folder. */
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

/** By their first name, so that a path is compared with a few of them only. */
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
 * Most places are protected in every folder, so each name of an absolute path can be where one begins. Also true for a
 * file in place of a folder that leads to one.
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

/** Whether a path, from its name `at` on, is one of `places` or lies below one. */
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
