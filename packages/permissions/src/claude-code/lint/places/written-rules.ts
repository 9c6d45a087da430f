/** Rules as written in settings, and their repairs. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import type { JsonRepair } from '../../../findings/finding.ts'
import { oncePer } from '@contextd/shared/once'
import { compileStars } from '@contextd/shared/text/wildcard'
import { parseRule, ruleEffect, type ClaudeRule } from '../../rules/rule.ts'
import type { ClaudeSetup, RuleEntry, SettingsFile } from '../../setup/setup.ts'

export interface WrittenRule extends ClaudeRule {
  readonly entry: RuleEntry
}

/** All entries that can be parsed as rules. */
export function writtenRules({ rules }: SettingsFile): WrittenRule[] {
  return rules.flatMap((entry) => {
    const rule = parseRule(entry.text)
    return 'problem' in rule ? [] : [{ ...rule, entry }]
  })
}

/** Replaces a rule by others, except those that are already in the list. */
export function replaceRule({ file, path, text }: RuleEntry, replacements: readonly string[]): JsonRepair {
  return {
    kind: 'json',
    file,
    change: (document) =>
      changeAt(document, path.slice(0, -1), (list) => {
        if (!Array.isArray(list) || !list.includes(text)) throw new Error('the rule is gone')
        const first = list.indexOf(text)
        const others = new Set(list.filter((item) => item !== text))
        return list.flatMap((item, index): Json[] => {
          if (item !== text) return [item]
          return index === first ? replacements.filter((rule) => !others.has(rule)) : []
        })
      }),
  }
}

function changeAt(value: Json, [step, ...rest]: JsonPath, change: (value: Json) => Json): Json {
  if (step === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? changeAt(item, rest, change) : item))
  if (!isJsonObject(value)) throw new Error('the list is gone')
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([key, item]) => [key, key === step ? changeAt(item, rest, change) : item]),
  )
}

/** Whether an effective rule of the same list, in any file, matches everything that `name` matches. */
export function isCovered(setup: ClaudeSetup, list: RuleEntry['list'], name: string): boolean {
  return coverageOf(setup)[list].some((covers) => covers(name))
}

type Coverage = Readonly<Record<RuleEntry['list'], ((name: string) => boolean)[]>>

const coverageOf = oncePer((setup: ClaudeSetup): Coverage => {
  const exact = { allow: new Set<string>(), ask: new Set<string>(), deny: new Set<string>() }
  const coverage = {
    allow: [hasExactly(exact.allow)],
    ask: [hasExactly(exact.ask)],
    deny: [hasExactly(exact.deny)],
  }
  for (const { mcp, tool, content, entry } of setup.settings.flatMap(writtenRules)) {
    if (mcp === undefined || content !== undefined || !ruleEffect(entry).works) continue
    if (mcp === 'server') exact[entry.list].add(`${tool}__*`)
    if (tool.includes('*') && mcp !== 'all-tools') coverage[entry.list].push(compileStars(tool))
    else exact[entry.list].add(tool)
  }
  return coverage
})

/** `mcp__server__*` covers the server and each of its tools. */
function hasExactly(names: ReadonlySet<string>): (name: string) => boolean {
  return (name) => {
    const end = name.indexOf('__', 'mcp__'.length)
    return names.has(name) || names.has(`${end === -1 ? name : name.slice(0, end)}__*`)
  }
}
