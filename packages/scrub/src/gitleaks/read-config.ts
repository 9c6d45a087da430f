/** Reads a configuration in gitleaks' format together with the files it extends. */

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
  /** As it is named in messages. */
  readonly file: string
}

export interface ConfigSurroundings {
  readonly defaultIds: ReadonlySet<string>
  /** The text of a file named under `extend.path` of the file `from`. What it throws becomes a problem of that line. */
  readonly load: (path: string, from: string) => string
}

/** Without a config where there are problems: no rule is left out silently. */
export interface ReadConfig {
  readonly config?: GitleaksConfig
  readonly problems: readonly ConfigProblem[]
  readonly warnings: readonly ConfigProblem[]
}

export function readGitleaksConfig(
  { text, file }: GitleaksConfigSource,
  around: ConfigSurroundings,
): ReadConfig {
  const notes: Notes = { problems: [], warnings: [] }
  const document = readDocument(text, file, notes)
  const config = document && assemble(document, resolve(document, file, 0, around, notes), around)
  const problems = inOrder(notes.problems)
  const warnings = inOrder(notes.warnings)
  return { ...(config && problems.length === 0 && { config }), problems, warnings }
}

/** gitleaks goes from a file to the one it extends, to the one that extends, and no further. */
const maxExtendDepth = 2

/** One file with all it extends. */
interface Joined {
  readonly usesDefault: boolean
  readonly disabled: ReadonlySet<string>
  readonly rules: ReadonlyMap<string, DraftRule>
  readonly overrides: ReadonlyMap<string, DraftRule>
  readonly allowlists: readonly Allowlist[]
  readonly targeted: readonly TargetedAllowlist[]
}

const nothing: Joined = {
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
  around: ConfigSurroundings,
  notes: Notes,
): Joined {
  const { extend } = document
  if (extend === undefined) return join(document, nothing, around)
  const { path, useDefault, table } = extend
  if (depth === maxExtendDepth && (path !== '' || useDefault)) {
    table.warn('extend is not followed here: two levels of files are, as in gitleaks')
    return join(document, nothing, around)
  }
  if (useDefault) return join(document, { ...nothing, usesDefault: true }, around)
  if (path === '') return join(document, nothing, around)
  let text: string
  try {
    text = around.load(path, file)
  } catch (error) {
    table.fail(`path cannot be read: ${error instanceof Error ? error.message : String(error)}`, 'path')
    return join(document, nothing, around)
  }
  const extended = readDocument(text, path, notes)
  return join(document, extended ? resolve(extended, path, depth + 1, around, notes) : nothing, around)
}

/** Rules of the file stand first. One with the id of an extended rule changes that rule. */
function join(document: ConfigDocument, base: Joined, around: ConfigSurroundings): Joined {
  const disabled = new Set(base.disabled)
  const extended = new Map(base.rules)
  const overrides = new Map(base.overrides)
  const isDefault = (id: string): boolean =>
    base.usesDefault && around.defaultIds.has(id) && !disabled.has(id)

  for (const [index, id] of (document.extend?.disabledRules ?? []).entries()) {
    if (isDefault(id)) {
      disabled.add(id)
      overrides.delete(id)
    } else if (!extended.delete(id)) {
      const known = [...extended.keys(), ...(base.usesDefault ? around.defaultIds : [])]
      const message = `disabledRules names ${JSON.stringify(id)}, and no extended rule has this id`
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
      table.warn(`${key} of a rule that changes an extended one does not count, as in gitleaks`, key)
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

/** Checks what can be checked only now that all files are joined. */
function assemble(document: ConfigDocument, joined: Joined, around: ConfigSurroundings): GitleaksConfig {
  const rules = new Map<string, GitleaksRule>()
  for (const [id, draft] of joined.rules) if (standsAlone(draft, joined, around)) rules.set(id, draft.rule)
  const overrides = new Map<string, GitleaksRule>()
  for (const [id, { rule, table }] of joined.overrides) {
    overrides.set(id, rule)
    if (rule.regex !== undefined) checkGroup(rule, table)
    else if (rule.secretGroup > 0)
      table.warn('secretGroup has no meaning here: the default rule of this id has no groups', 'secretGroup')
  }
  for (const { rule, table } of joined.rules.values()) checkRequired(rule, table, rules, overrides)
  targetAllowlists(joined, rules, overrides, around)
  return {
    title: document.title,
    description: document.description,
    minVersion: document.minVersion,
    usesDefault: joined.usesDefault,
    disabledRules: [...joined.disabled],
    rules: [...rules.values()],
    overrides: [...overrides.values()],
    allowlists: joined.allowlists,
  }
}

function standsAlone(
  { rule, table }: DraftRule,
  { usesDefault }: Joined,
  { defaultIds }: ConfigSurroundings,
): boolean {
  if (rule.regex !== undefined) checkGroup(rule, table)
  if (rule.regex !== undefined || rule.path !== undefined) return true
  // What cannot be read has been noted already.
  if (table.isGiven('regex') || table.isGiven('path')) return false
  // A rule without a pattern changes a default one. gitleaks may have one of this id that is not among ours.
  if (usesDefault) {
    table.warn(`changes nothing: no default rule has this id${suggestion(rule.id, [...defaultIds])}`, 'id')
  } else {
    table.fail('a rule needs a regex or a path')
  }
  return false
}

function checkGroup({ regex, secretGroup }: GitleaksRule, table: GitleaksTable): void {
  const most = regex?.groupCount ?? 0
  if (secretGroup <= most) return
  const groups = most === 1 ? '1 group' : `${most} groups`
  table.fail(`secretGroup is ${secretGroup}, and the regex has ${groups}`, 'secretGroup')
}

function checkRequired(
  rule: GitleaksRule,
  table: GitleaksTable,
  rules: ReadonlyMap<string, GitleaksRule>,
  overrides: ReadonlyMap<string, GitleaksRule>,
): void {
  for (const [index, { id }] of rule.required.entries()) {
    if (rules.has(id) || overrides.get(id)?.regex !== undefined) continue
    const message = `requires ${JSON.stringify(id)}, and no rule of the file with a pattern has this id`
    table.fail(message + suggestion(id, [...rules.keys()]), 'required', index)
  }
}

/** Puts allowlists with targetRules to these rules. gitleaks forgets those of extended files. */
function targetAllowlists(
  { targeted, usesDefault, disabled }: Joined,
  rules: Map<string, GitleaksRule>,
  overrides: Map<string, GitleaksRule>,
  { defaultIds }: ConfigSurroundings,
): void {
  for (const { allowlist, targets, table } of targeted) {
    for (const [index, id] of targets.entries()) {
      const isDefault = usesDefault && defaultIds.has(id) && !disabled.has(id)
      const target = rules.get(id) ?? overrides.get(id) ?? noChange(id, { source: table.place() })
      const added = { ...target, allowlists: [...target.allowlists, allowlist] }
      if (rules.has(id)) rules.set(id, added)
      else if (isDefault) overrides.set(id, added)
      else {
        const message = `targetRules names ${JSON.stringify(id)}, and no rule has this id`
        const meant = suggestion(id, [...rules.keys(), ...(usesDefault ? defaultIds : [])])
        // gitleaks may have a default rule of this id that is not among ours.
        if (usesDefault) table.warn(message + meant, 'targetRules', index)
        else table.fail(message + meant, 'targetRules', index)
      }
    }
  }
}

function suggestion(id: string, known: readonly string[]): string {
  const meant = nearest(id, known)
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`
}

/** By line within each file, files in the order in which they are read, and everything once. */
function inOrder(found: readonly ConfigProblem[]): ConfigProblem[] {
  const files = [...new Set(found.map(({ file }) => file))]
  const distinct = new Map(found.map((problem) => [JSON.stringify(problem), problem]))
  return [...distinct.values()].sort(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line,
  )
}
