/** What the ignore files of a tree leave out, folder by folder: a deeper file has the last word. */

import { readIgnorePattern, type IgnorePattern } from './ignore-pattern.ts'

export interface IgnoreRules {
  /** `name` is a name in this folder. */
  ignores(name: string, isFolder: boolean): boolean
  /** With the text of an ignore file of this folder. */
  add(text: string): IgnoreRules
  /** The rules in a folder below, without those of its own ignore file. */
  enter(name: string): IgnoreRules
}

interface Level {
  /** The names from the folder of the ignore file down to the folder that is asked about. */
  readonly below: readonly string[]
  readonly patterns: readonly IgnorePattern[]
}

/** `text` is that of an ignore file of the outermost folder. */
export function createIgnoreRules(text: string): IgnoreRules {
  return rulesOf([{ below: [], patterns: readPatterns(text) }])
}

function rulesOf(levels: readonly Level[]): IgnoreRules {
  return {
    ignores(name, isFolder) {
      for (const { below, patterns } of levels.toReversed()) {
        const path = [...below, name]
        const last = patterns.findLast(
          (pattern) => (isFolder || !pattern.foldersOnly) && pattern.matches(path),
        )
        if (last !== undefined) return !last.negated
      }
      return false
    },
    add: (text) => rulesOf([...levels, { below: [], patterns: readPatterns(text) }]),
    enter: (name) => rulesOf(levels.map(({ below, patterns }) => ({ below: [...below, name], patterns }))),
  }
}

function readPatterns(text: string): IgnorePattern[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line) => readIgnorePattern(line) ?? [])
}
