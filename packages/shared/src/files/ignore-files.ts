/** Ignore rules of a tree, folder by folder: deeper ignore files take precedence. */

import { readIgnorePattern, type IgnorePattern } from './ignore-pattern.ts'

export interface IgnoreRules {
  /** `name`: a file or folder in this folder. */
  ignores(name: string, isFolder: boolean): boolean
  /** Returns the rules with an ignore file of this folder added. */
  add(text: string): IgnoreRules
  /** Returns the rules for a subfolder, without its own ignore file. */
  enter(name: string): IgnoreRules
}

interface Level {
  /** Path from the folder of the ignore file to the current folder. */
  readonly below: readonly string[]
  readonly patterns: readonly IgnorePattern[]
}

/** `text`: the content of an ignore file of the root folder. */
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
