/** The rules of all levels and flags: those the client applies and those it ignores. */

import { oncePer } from '@contextd/shared/once'
import { nowhere, type Ground } from '../../../findings/explanation.ts'
import { parseRule, ruleEffect, type ClaudeRule } from '../../rules/rule.ts'
import {
  levels,
  type ClaudeSetup,
  type Entry,
  type Level,
  type RuleEntry,
  type SkillFile,
} from '../../setup/setup.ts'

export interface RuleInForce {
  readonly entry: RuleEntry
  readonly rule: ClaudeRule
  /** Why the client ignores it, in one sentence. */
  readonly ignored?: string
  /** The skill the rule comes from. It applies once the skill runs, with the precedence of a flag. */
  readonly skill?: SkillFile
}

export interface PermissionFlags {
  readonly cliAllow: readonly string[]
  readonly cliDeny: readonly string[]
}

/** Strongest level first. Entries that cannot be parsed as a rule are omitted. */
export function rulesInForce(setup: ClaudeSetup, flags: PermissionFlags): readonly RuleInForce[] {
  const ofFiles = rulesOfFiles(setup)
  if (flags.cliAllow.length === 0 && flags.cliDeny.length === 0) return ofFiles
  const isManagedOnly = managedOnly(setup)
  const ofFlags = [...entriesOf(flags.cliDeny, 'deny'), ...entriesOf(flags.cliAllow, 'allow')].flatMap(
    (entry) => inForce(entry, setup, isManagedOnly),
  )
  return inOrder([...ofFiles, ...ofFlags])
}

/** The rules that apply once the skill runs. */
export function withSkillRules(
  skill: SkillFile,
  rules: readonly RuleInForce[],
  setup: ClaudeSetup,
): readonly RuleInForce[] {
  return inOrder([...rules, ...rulesOfSkill(skill, setup, managedOnly(setup))])
}

const rulesOfFiles = oncePer((setup: ClaudeSetup): readonly RuleInForce[] => {
  const isManagedOnly = managedOnly(setup)
  return inOrder(
    setup.settings.flatMap((file) => file.rules).flatMap((entry) => inForce(entry, setup, isManagedOnly)),
  )
})

const strength = new Map<Level, number>(levels.map((level, index) => [level, index]))

function inOrder(rules: readonly RuleInForce[]): readonly RuleInForce[] {
  return rules.toSorted((a, b) => strength.get(a.entry.level)! - strength.get(b.entry.level)!)
}

function inForce(entry: RuleEntry, setup: ClaudeSetup, isManagedOnly: boolean): RuleInForce[] {
  const rule = parseRule(entry.text)
  if ('problem' in rule) return []
  const effect = ruleEffect(entry)
  if (!effect.works) return [{ entry, rule, ignored: effect.why }]
  // Denials on the command line apply even with managed rules only.
  const isStricter = entry.level === 'cli' && entry.list === 'deny'
  if (isManagedOnly && entry.level !== 'managed' && !isStricter)
    return [{ entry, rule, ignored: 'The managed settings allow managed rules only.' }]
  const ignored =
    !setup.isTrusted && entry.list === 'allow' && entry.level === 'project'
      ? 'The workspace is not trusted: until it is, the client ignores the allow rules of its shared settings.'
      : undefined
  return [{ entry, rule, ...(ignored !== undefined && { ignored }) }]
}

/** Whether the managed settings restrict rules to managed ones. */
export function managedOnly({ settings }: ClaudeSetup): boolean {
  return settings.some(
    ({ level, value }) => level === 'managed' && value.allowManagedPermissionRulesOnly === true,
  )
}

function rulesOfSkill(skill: SkillFile, setup: ClaudeSetup, isManagedOnly: boolean): RuleInForce[] {
  const { allowedTools = [], disallowedTools = [] } = skill
  const rules = (list: RuleEntry['list'], entries: readonly Entry[]): RuleInForce[] =>
    entries.flatMap(({ file, line, column, text }) => {
      const entry: RuleEntry = { level: 'cli', list, text, path: [], file, line, column }
      return inForce(entry, setup, isManagedOnly).map((rule) => Object.assign(rule, { skill }))
    })
  return [...rules('deny', disallowedTools), ...rules('allow', allowedTools)]
}

function entriesOf(texts: readonly string[], list: RuleEntry['list']): RuleEntry[] {
  return texts
    .flatMap(splitFlag)
    .map((text): RuleEntry => ({ level: 'cli', list, text, path: [], file: '', line: 0, column: 0 }))
}

/** The client splits rules at whitespace and commas outside parentheses. */
export function splitFlag(text: string): string[] {
  const rules = ['']
  let depth = 0
  for (const character of text) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth <= 0 && /[\s,]/.test(character)) rules.push('')
    else rules[rules.length - 1] += character
  }
  return rules.filter((rule) => rule !== '')
}

/** Where a rule is defined; flags have no file. */
export function groundOf({ entry, skill }: RuleInForce): Omit<Ground, 'why'> {
  const { file, line, column, text, list, level } = entry
  if (skill !== undefined) return { file, line, column, rule: text, list, source: 'skill' }
  const place = level === 'cli' ? nowhere : { file, line, column }
  return { ...place, rule: text, list, source: level }
}
