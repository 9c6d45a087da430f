/** What a file in gitleaks' format says, read and checked. */

import type { Re2Pattern } from './re2.ts'

/** What makes a finding none. Only ever unmasks, so that scrubbing leaves it out of account. */
export interface Allowlist {
  readonly description: string
  /** Whether one of the checks that are given is enough, or all must hold. */
  readonly condition: 'or' | 'and'
  /** Lower case. */
  readonly commits: readonly string[]
  readonly paths: readonly Re2Pattern[]
  readonly regexes: readonly Re2Pattern[]
  readonly regexTarget: 'secret' | 'match' | 'line'
  /** Lower case. */
  readonly stopwords: readonly string[]
}

/** Another rule that must find something too, near by where a distance is given. */
export interface RequiredRule {
  readonly id: string
  readonly withinLines?: number
  readonly withinColumns?: number
}

/** As in gitleaks, an empty text, an empty list and 0 stand for "not given". */
export interface GitleaksRule {
  readonly id: string
  readonly description: string
  readonly regex?: Re2Pattern
  /** Where it applies. Alone, without a regex, the file itself is the finding. */
  readonly path?: Re2Pattern
  readonly secretGroup: number
  /** A secret with as much or less is none. */
  readonly entropy: number
  /** Lower case. One of them must be in the text; with none given, the rule always runs. */
  readonly keywords: readonly string[]
  readonly tags: readonly string[]
  readonly allowlists: readonly Allowlist[]
  readonly required: readonly RequiredRule[]
  /** Only helps other rules that require it. */
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
  /** Default rules that are switched off. */
  readonly disabledRules: readonly string[]
  /** Rules that stand by themselves: each has a regex, a path or both. */
  readonly rules: readonly GitleaksRule[]
  /** Changes to default rules, by id. What is "not given" stays as it is; lists are added to the rule's own. */
  readonly overrides: readonly GitleaksRule[]
  /** For the findings of all rules. */
  readonly allowlists: readonly Allowlist[]
}

/** A default rule is changed, or one of an extended file, by another of the same id: as gitleaks merges the two. */
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
