/** Reads a configuration in gitleaks' format and the files it extends. */

import { nearest } from '@contextd/shared/text/nearest'
import {
  mergeRules,
  type Allowlist,
  type ConfigProblem,
  type GitleaksConfig,
  type GitleaksRule,
} from './gitleaks-config.ts'
import { readDocument, type ConfigDocument, type DraftRule, type TargetedAllowlist } from './read-document.ts'
import type { Notes, GitleaksTable } from './toml-table.ts'

export interface GitleaksConfigSource {
  readonly text: string
  /** The name used in messages. */
  readonly file: string
}

export interface ConfigContext {
  readonly defaultIds: ReadonlySet<string>
  /**
   * The text of the file that `extend.path` of the file `from` names. If this throws, the error becomes a problem on
   * that line.
   */
  readonly load: (path: string, from: string) => string
}

/** No config if there are problems: no rule is left out silently. */
export interface ReadConfig {
  readonly config?: GitleaksConfig
  readonly problems: readonly ConfigProblem[]
  readonly warnings: readonly ConfigProblem[]
}

export function readGitleaksConfig({ text, file }: GitleaksConfigSource, context: ConfigContext): ReadConfig {
  const notes: Notes = { problems: [], warnings: [] }
  const document = readDocument(text, file, notes)
  const config = document && assemble(document, resolve(document, file, 0, context, notes), context)
  const problems = inOrder(notes.problems)
  const warnings = inOrder(notes.warnings)
  return { ...(config && problems.length === 0 && { config }), problems, warnings }
}

/** gitleaks follows `extend` for two levels. */
const maxExtendDepth = 2

/** One file merged with the files it extends. */
interface MergedConfig {
  readonly usesDefault: boolean
  readonly disabled: ReadonlySet<string>
  readonly rules: ReadonlyMap<string, DraftRule>
  readonly overrides: ReadonlyMap<string, DraftRule>
  readonly allowlists: readonly Allowlist[]
  readonly targeted: readonly TargetedAllowlist[]
}

const nothing: MergedConfig = {
  usesDefault: false,
  disabled: new Set(),
  rules: new Map(),
  overrides: new Map(),
  allowlists: [],
  targeted: [],
}

function resolve(
  document: ConfigDocument,
  file: string,
  depth: number,
  context: ConfigContext,
  notes: Notes,
): MergedConfig {
  const { extend } = document
  if (extend === undefined) return join(document, nothing, context)
  const { path, useDefault, table } = extend
  if (depth === maxExtendDepth && (path !== '' || useDefault)) {
    table.warn('extend is not followed here: only two levels of files are, as in gitleaks')
    return join(document, nothing, context)
  }
  if (useDefault) return join(document, { ...nothing, usesDefault: true }, context)
  if (path === '') return join(document, nothing, context)
  let text: string
  try {
    text = context.load(path, file)
  } catch (error) {
    table.fail(`path cannot be read: ${error instanceof Error ? error.message : String(error)}`, 'path')
    return join(document, nothing, context)
  }
  const extended = readDocument(text, path, notes)
  return join(document, extended ? resolve(extended, path, depth + 1, context, notes) : nothing, context)
}

/** Rules of the file come first. One with the id of an extended rule changes that rule. */
function join(document: ConfigDocument, base: MergedConfig, context: ConfigContext): MergedConfig {
  const disabled = new Set(base.disabled)
  const extended = new Map(base.rules)
  const overrides = new Map(base.overrides)
  const isDefault = (id: string): boolean =>
    base.usesDefault && context.defaultIds.has(id) && !disabled.has(id)

  for (const [index, id] of (document.extend?.disabledRules ?? []).entries()) {
    if (isDefault(id)) {
      disabled.add(id)
      overrides.delete(id)
    } else if (!extended.delete(id)) {
      const known = [...extended.keys(), ...(base.usesDefault ? context.defaultIds : [])]
      const message = `disabledRules names ${JSON.stringify(id)}, but no extended rule has this id`
      document.extend?.table.warn(message + suggestion(id, known), 'disabledRules', index)
    }
  }

  const rules = new Map<string, DraftRule>()
  for (const draft of document.rules) {
    const { id } = draft.rule
    const changed = extended.get(id)
    if (changed !== undefined) {
      rules.set(id, change(changed.rule, draft))
      extended.delete(id)
    } else if (isDefault(id)) {
      overrides.set(id, change(overrides.get(id)?.rule ?? noChange(id, draft.rule), draft))
    } else {
      rules.set(id, draft)
    }
  }
  return {
    usesDefault: base.usesDefault,
    disabled,
    rules: new Map([...rules, ...extended]),
    overrides,
    allowlists: [...document.allowlists, ...base.allowlists],
    targeted: [...document.targeted, ...base.targeted],
  }
}

function change(base: GitleaksRule, { rule, table }: DraftRule): DraftRule {
  for (const key of ['required', 'skipReport'] as const) {
    const isGiven = key === 'required' ? rule.required.length > 0 : rule.skipReport
    if (isGiven)
      table.warn(`${key} has no effect in a rule that changes an extended one, as in gitleaks`, key)
  }
  return { rule: mergeRules(base, rule), table }
}

function noChange(id: string, { source }: Pick<GitleaksRule, 'source'>): GitleaksRule {
  return {
    id,
    description: '',
    secretGroup: 0,
    entropy: 0,
    keywords: [],
    tags: [],
    allowlists: [],
    required: [],
    skipReport: false,
    source,
  }
}

/** Validates what is only known once all files are merged. */
function assemble(document: ConfigDocument, merged: MergedConfig, context: ConfigContext): GitleaksConfig {
  const rules = new Map<string, GitleaksRule>()
  for (const [id, draft] of merged.rules)
    if (isCompleteRule(draft, merged, context)) rules.set(id, draft.rule)
  const overrides = new Map<string, GitleaksRule>()
  for (const [id, { rule, table }] of merged.overrides) {
    overrides.set(id, rule)
    if (rule.regex !== undefined) checkGroup(rule, table)
    else if (rule.secretGroup > 0)
      table.warn('secretGroup has no effect here: the default rule of this id has no groups', 'secretGroup')
  }
  for (const { rule, table } of merged.rules.values()) checkRequired(rule, table, rules, overrides)
  targetAllowlists(merged, rules, overrides, context)
  return {
    title: document.title,
    description: document.description,
    minVersion: document.minVersion,
    usesDefault: merged.usesDefault,
    disabledRules: [...merged.disabled],
    rules: [...rules.values()],
    overrides: [...overrides.values()],
    allowlists: merged.allowlists,
  }
}

function isCompleteRule(
  { rule, table }: DraftRule,
  { usesDefault }: MergedConfig,
  { defaultIds }: ConfigContext,
): boolean {
  if (rule.regex !== undefined) checkGroup(rule, table)
  if (rule.regex !== undefined || rule.path !== undefined) return true
  // Invalid values were reported already.
  if (table.isGiven('regex') || table.isGiven('path')) return false
  // A rule without a pattern changes a default rule. gitleaks may have one of this id that we do not have.
  if (usesDefault) {
    table.warn(`has no effect: no default rule has this id${suggestion(rule.id, [...defaultIds])}`, 'id')
  } else {
    table.fail('a rule needs a regex or a path')
  }
  return false
}

function checkGroup({ regex, secretGroup }: GitleaksRule, table: GitleaksTable): void {
  const groupCount = regex?.groupCount ?? 0
  if (secretGroup <= groupCount) return
  const groups = groupCount === 1 ? '1 group' : `${groupCount} groups`
  table.fail(`secretGroup is ${secretGroup}, but the regex has ${groups}`, 'secretGroup')
}

function checkRequired(
  rule: GitleaksRule,
  table: GitleaksTable,
  rules: ReadonlyMap<string, GitleaksRule>,
  overrides: ReadonlyMap<string, GitleaksRule>,
): void {
  for (const [index, { id }] of rule.required.entries()) {
    if (rules.has(id) || overrides.get(id)?.regex !== undefined) continue
    const message = `requires ${JSON.stringify(id)}, but no rule of the file with a pattern has this id`
    table.fail(message + suggestion(id, [...rules.keys()]), 'required', index)
  }
}

/** Adds allowlists with targetRules to those rules. gitleaks ignores them in extended files. */
function targetAllowlists(
  { targeted, usesDefault, disabled }: MergedConfig,
  rules: Map<string, GitleaksRule>,
  overrides: Map<string, GitleaksRule>,
  { defaultIds }: ConfigContext,
): void {
  for (const { allowlist, targets, table } of targeted) {
    for (const [index, id] of targets.entries()) {
      const isDefault = usesDefault && defaultIds.has(id) && !disabled.has(id)
      const target = rules.get(id) ?? overrides.get(id) ?? noChange(id, { source: table.place() })
      const added = { ...target, allowlists: [...target.allowlists, allowlist] }
      if (rules.has(id)) rules.set(id, added)
      else if (isDefault) overrides.set(id, added)
      else {
        const message = `targetRules names ${JSON.stringify(id)}, but no rule has this id`
        const hint = suggestion(id, [...rules.keys(), ...(usesDefault ? defaultIds : [])])
        // gitleaks may have a default rule of this id that we do not have.
        if (usesDefault) table.warn(message + hint, 'targetRules', index)
        else table.fail(message + hint, 'targetRules', index)
      }
    }
  }
}

function suggestion(id: string, known: readonly string[]): string {
  const meant = nearest(id, known)
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`
}

/** Sorted by file in reading order, then by line, without duplicates. */
function inOrder(found: readonly ConfigProblem[]): ConfigProblem[] {
  const files = [...new Set(found.map(({ file }) => file))]
  const distinct = new Map(found.map((problem) => [JSON.stringify(problem), problem]))
  return [...distinct.values()].sort(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line,
  )
}
