/** Matches path rules against files that have several names because of symlinks. */

import { join } from 'node:path'

import { isWithin } from '@contextd/shared/files/within'
import { anchorOf, matchesPathRule, splitAtWildcard, type Anchors } from '../../rules/path-rule.ts'
import type { RuleInForce } from './rules-in-force.ts'
import type { ClaudeSetup, Level } from '../../setup/setup.ts'

export type Disk = Anchors & Pick<ClaudeSetup, 'namesOf'>
type Matches = (content: string, level: Level, path: string, places: Anchors) => boolean

/** Deny and ask rules match any name of a file; rules with an absolute path also match where that path's links lead. */
export function matchesAnyName(
  { entry, rule }: RuleInForce,
  names: readonly string[],
  disk: Disk,
  matches: Matches = matchesPathRule,
): boolean {
  const contents = [rule.content!, ...resolvedContents(rule.content!, entry.level, disk)]
  return names.some((name) => contents.some((content) => matches(content, entry.level, name, disk)))
}

/** The rules that together allow every name of a file; empty if one name is not covered. */
export function rulesAllowingFile(
  rules: readonly RuleInForce[],
  names: readonly string[],
  disk: Disk,
  matches: Matches = matchesPathRule,
): RuleInForce[] {
  const byName = names.map((name) =>
    rules.filter(({ entry, rule }) => matches(rule.content!, entry.level, name, disk)),
  )
  return byName.every((matching) => matching.length > 0) ? [...new Set(byName.flat())] : []
}

export function isAllWithin(folders: readonly string[], names: readonly string[]): boolean {
  return names.every((name) => folders.some((folder) => isWithin(folder, name)))
}

/** Whether a path in these folders resolves to a file outside them. */
export function resolvesOutside(names: readonly string[], folders: readonly string[]): boolean {
  return isAllWithin(folders, names.slice(0, 1)) && !isAllWithin(folders, names)
}

export function allowsEdits({ entry, rule, ignored }: RuleInForce): boolean {
  return ignored === undefined && entry.list === 'allow' && rule.tool === 'Edit' && rule.content !== undefined
}

/** `/link/**` also matches the target of the link; `./link/**` and `link/**` do not. */
function resolvedContents(content: string, level: Level, disk: Disk): string[] {
  if (!/^~?\//.test(content)) return []
  const { base, line } = anchorOf(content, level, disk)
  const { plain, rest } = splitAtWildcard(line)
  const path = join(base, ...plain)
  const real = disk.namesOf(path).all.at(-1)!
  return real === path ? [] : [[`/${real}`, ...rest].join('/')]
}
