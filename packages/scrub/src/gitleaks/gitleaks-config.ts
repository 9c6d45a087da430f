/** A file in gitleaks' format, parsed and validated. */

import type { Re2Pattern } from './re2.ts'

/** Suppresses findings. This only ever unmasks secrets, so scrubbing ignores it by default. */
export interface Allowlist {
  readonly description: string
  /** Whether one of the given checks is enough, or all must match. */
  readonly condition: 'or' | 'and'
  /** Lower case. */
  readonly commits: readonly string[]
  readonly paths: readonly Re2Pattern[]
  readonly regexes: readonly Re2Pattern[]
  readonly regexTarget: 'secret' | 'match' | 'line'
  /** Lower case. */
  readonly stopwords: readonly string[]
}

/** Another rule that must have a finding too, within the distance if one is given. */
export interface RequiredRule {
  readonly id: string
  readonly withinLines?: number
  readonly withinColumns?: number
}

/** As in gitleaks, an empty string, an empty list and 0 mean "not given". */
export interface GitleaksRule {
  readonly id: string
  readonly description: string
  readonly regex?: Re2Pattern
  /** The files the rule applies to. Without a regex, the file itself is the finding. */
  readonly path?: Re2Pattern
  readonly secretGroup: number
  /** The entropy of a secret must be higher. */
  readonly entropy: number
  /** Lower case. One of them must be in the text; without keywords, the rule always runs. */
  readonly keywords: readonly string[]
  readonly tags: readonly string[]
  readonly allowlists: readonly Allowlist[]
  readonly required: readonly RequiredRule[]
  /** Reports no findings; only used by rules that require it. */
  readonly skipReport: boolean
  readonly source: ConfigPlace
}

export interface ConfigPlace {
  readonly file: string
  readonly line: number
}

export interface ConfigProblem extends ConfigPlace {
  readonly message: string
}

export interface GitleaksConfig {
  readonly title: string
  readonly description: string
  readonly minVersion: string
  /** Whether the file, or one it extends, builds on the default rules. */
  readonly usesDefault: boolean
  /** Disabled default rules. */
  readonly disabledRules: readonly string[]
  /** Complete rules: each has a regex, a path or both. */
  readonly rules: readonly GitleaksRule[]
  /** Changes to default rules, by id. Values that are "not given" do not change; lists are appended. */
  readonly overrides: readonly GitleaksRule[]
  /** Allowlists for all rules. */
  readonly allowlists: readonly Allowlist[]
}

/** Merges a rule with changes of the same id, as gitleaks does. */
export function mergeRules(base: GitleaksRule, changes: GitleaksRule): GitleaksRule {
  const regex = changes.regex ?? base.regex
  const path = changes.path ?? base.path
  return {
    id: base.id,
    description: changes.description || base.description,
    ...(regex && { regex }),
    ...(path && { path }),
    secretGroup: changes.secretGroup || base.secretGroup,
    entropy: changes.entropy || base.entropy,
    keywords: [...base.keywords, ...changes.keywords],
    tags: [...base.tags, ...changes.tags],
    allowlists: [...base.allowlists, ...changes.allowlists],
    required: base.required,
    skipReport: base.skipReport,
    source: changes.source,
  }
}
