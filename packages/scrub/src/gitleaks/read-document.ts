/** Reads one file in gitleaks' format. Extended files are merged elsewhere. */

import type { Allowlist, GitleaksRule, RequiredRule } from './gitleaks-config.ts'
import { openDocument, type Notes, type GitleaksTable, type TableShape } from './toml-table.ts'

/** A rule with its table, which knows the line numbers. */
export interface DraftRule {
  readonly rule: GitleaksRule
  readonly table: GitleaksTable
}

/** An allowlist for certain rules. */
export interface TargetedAllowlist {
  readonly allowlist: Allowlist
  readonly targets: readonly string[]
  readonly table: GitleaksTable
}

/** The `extend` table. */
export interface Extend {
  readonly useDefault: boolean
  readonly path: string
  readonly disabledRules: readonly string[]
  readonly table: GitleaksTable
}

export interface ConfigDocument {
  readonly title: string
  readonly description: string
  readonly minVersion: string
  readonly extend?: Extend
  readonly rules: readonly DraftRule[]
  readonly allowlists: readonly Allowlist[]
  readonly targeted: readonly TargetedAllowlist[]
}

/** Undefined if the text is not TOML. Other invalid parts are left out and reported. */
export function readDocument(text: string, file: string, notes: Notes): ConfigDocument | undefined {
  const root = openDocument(text, file, tableShapes.root, notes)
  if (root === undefined) return undefined
  const minVersion = root.text('minVersion')
  if (minVersion !== '') checkVersion(minVersion, root)
  const extend = root.table('extend', tableShapes.extend)
  const allowlists: Allowlist[] = []
  const targeted: TargetedAllowlist[] = []
  for (const { allowlist, table } of readAllowlists(root, tableShapes.globalAllowlist)) {
    const targets = table.texts('targetRules')
    if (targets.length === 0) allowlists.push(allowlist)
    else targeted.push({ allowlist, targets, table })
  }
  return {
    title: root.text('title'),
    description: root.text('description'),
    minVersion,
    ...(extend && { extend: readExtend(extend) }),
    rules: readRules(root),
    allowlists,
    targeted,
  }
}

const allowlistKeys = ['description', 'condition', 'commits', 'paths', 'regexes', 'regexTarget', 'stopwords']

/** The tables of the format and their keys. */
export const tableShapes = {
  root: { keys: ['title', 'description', 'minVersion', 'extend', 'rules', 'allowlists', 'allowlist'] },
  extend: { keys: ['useDefault', 'path', 'url', 'disabledRules'] },
  allowlist: { keys: allowlistKeys },
  globalAllowlist: { keys: [...allowlistKeys, 'targetRules'] },
  required: { keys: ['id', 'withinLines', 'withinColumns'] },
  rule: {
    keys: [
      'id',
      'description',
      'regex',
      'path',
      'secretGroup',
      'entropy',
      'keywords',
      'tags',
      'allowlists',
      'allowlist',
      'required',
      'skipReport',
    ],
    nameOf: (read) => {
      const id = read('id')
      return typeof id === 'string' && id !== '' ? id : 'a rule without id'
    },
  },
} satisfies Record<string, TableShape>

/** The newest gitleaks version whose format is supported. */
const knownVersion = [8, 30] as const

function checkVersion(minVersion: string, root: GitleaksTable): void {
  const [, major = '', minor = ''] = /^v?(\d+)\.(\d+)(?:\.|$)/.exec(minVersion) ?? []
  if (major === '') root.warn(`minVersion ${JSON.stringify(minVersion)} is not a version`, 'minVersion')
  const [knownMajor, knownMinor] = knownVersion
  if (Number(major) > knownMajor || (Number(major) === knownMajor && Number(minor) > knownMinor)) {
    root.warn(
      `the file is for gitleaks ${minVersion}; the supported format is that of ${knownVersion.join('.')}`,
      'minVersion',
    )
  }
}

function readExtend(table: GitleaksTable): Extend {
  const useDefault = table.flag('useDefault')
  const path = table.text('path')
  if (path !== '' && useDefault) table.fail('useDefault and path are mutually exclusive', 'path')
  if (table.text('url') !== '') table.warn('url is not loaded, as in gitleaks', 'url')
  return { useDefault, path, disabledRules: table.texts('disabledRules'), table }
}

function readRules(root: GitleaksTable): DraftRule[] {
  const drafts = new Map<string, DraftRule>()
  for (const table of root.tables('rules', tableShapes.rule)) {
    // gitleaks ignores an empty [[rules]].
    if (!tableShapes.rule.keys.some((key) => table.isGiven(key))) {
      table.warn('is empty and ignored')
      continue
    }
    const rule = readRule(table)
    const duplicate = drafts.get(rule.id)
    if (rule.id.trim() === '') table.fail('id is missing', 'id')
    else if (duplicate === undefined) drafts.set(rule.id, { rule, table })
    else table.fail(`the rule on line ${duplicate.rule.source.line} has the same id`, 'id')
  }
  return [...drafts.values()]
}

function readRule(table: GitleaksTable): GitleaksRule {
  const regex = table.pattern('regex')
  const path = table.pattern('path')
  if (regex?.test('')) table.warn('regex also matches the empty string; such matches are ignored', 'regex')
  const keywords = table.texts('keywords').map((keyword) => keyword.toLowerCase())
  return {
    id: table.text('id'),
    description: table.text('description'),
    ...(regex && { regex }),
    ...(path && { path }),
    secretGroup: table.count('secretGroup') ?? 0,
    entropy: table.number('entropy') ?? 0,
    // Every text contains an empty keyword, so the others have no effect.
    keywords: keywords.includes('') ? [] : keywords,
    tags: table.texts('tags'),
    allowlists: readAllowlists(table, tableShapes.allowlist).map(({ allowlist }) => allowlist),
    required: table.tables('required', tableShapes.required).flatMap(readRequired),
    skipReport: table.flag('skipReport'),
    source: table.place(),
  }
}

function readRequired(table: GitleaksTable): RequiredRule[] {
  const id = table.text('id')
  const withinLines = table.count('withinLines')
  const withinColumns = table.count('withinColumns')
  if (id === '') {
    table.fail('required has no id', 'id')
    return []
  }
  return [
    {
      id,
      ...(withinLines !== undefined && { withinLines }),
      ...(withinColumns !== undefined && { withinColumns }),
    },
  ]
}

/** `[[allowlists]]`, or one `[allowlist]` in the older form. */
function readAllowlists(
  table: GitleaksTable,
  shape: TableShape,
): { readonly allowlist: Allowlist; readonly table: GitleaksTable }[] {
  const older = table.table('allowlist', shape)
  const newer = table.tables('allowlists', shape)
  if (older !== undefined && newer.length > 0) {
    table.fail('allowlist is the older form of allowlists; use only one of them', 'allowlist')
  }
  return [...newer, ...(older === undefined ? [] : [older])].map((list) => ({
    allowlist: readAllowlist(list),
    table: list,
  }))
}

const conditions: Readonly<Record<string, Allowlist['condition']>> = {
  '': 'or',
  OR: 'or',
  '||': 'or',
  AND: 'and',
  '&&': 'and',
}
const targets = ['secret', 'match', 'line'] as const

function readAllowlist(table: GitleaksTable): Allowlist {
  if (['commits', 'paths', 'regexes', 'stopwords'].every((key) => table.size(key) === 0)) {
    table.fail('an allowlist needs one of commits, paths, regexes and stopwords')
  }
  const conditionText = table.text('condition')
  const condition = conditions[conditionText.toUpperCase()]
  if (condition === undefined) {
    table.fail(`condition must be "OR" or "AND", but is ${JSON.stringify(conditionText)}`, 'condition')
  }
  const target = table.text('regexTarget') || 'secret'
  const regexTarget = targets.find((known) => known === target)
  if (regexTarget === undefined) {
    const found = JSON.stringify(target)
    table.fail(`regexTarget must be "secret", "match" or "line", but is ${found}`, 'regexTarget')
  }
  const stopwords = table.texts('stopwords')
  if (stopwords.includes('')) {
    table.fail(
      'stopwords contains an empty string, which is part of every secret',
      'stopwords',
      stopwords.indexOf(''),
    )
  }
  return {
    description: table.text('description'),
    condition: condition ?? 'or',
    commits: table.texts('commits').map((commit) => commit.trim().toLowerCase()),
    paths: table.patterns('paths'),
    regexes: table.patterns('regexes'),
    regexTarget: regexTarget ?? 'secret',
    stopwords: stopwords.map((word) => word.toLowerCase()),
  }
}
