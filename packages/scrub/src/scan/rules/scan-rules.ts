/** What a scan looks for and what it lets pass: our rules, changed and joined by a file in gitleaks' format. */

import { compileSecretRules, type CompiledRules } from '../../find/compile-rules.ts'
import { prepareRules, type PreparedRules } from '../../gitleaks/apply-rules.ts'
import type { Allowlist, GitleaksConfig, GitleaksRule } from '../../gitleaks/gitleaks-config.ts'
import { builtinSecretRules } from '../../find/rule-list.ts'
import { defaultRules } from '../../rules/index.ts'

export interface ScanRules {
  /** All of ours, also those that do not count: they still hide secrets in the lines that a report shows. */
  readonly builtin: CompiledRules
  /** Whether findings of this rule of ours count at all. */
  readonly counts: (rule: string) => boolean
  /** What the file changes in a rule of ours. */
  readonly changes: ReadonlyMap<string, GitleaksRule>
  /** Rules of the file that look into texts. */
  readonly own: PreparedRules
  readonly keyFiles: readonly KeyFileRule[]
  /** Rules of the file that look at names of files only. */
  readonly ownFiles: readonly GitleaksRule[]
  readonly allowlists: readonly Allowlist[]
  readonly describe: (rule: string) => RuleDescription
}

export interface RuleDescription {
  readonly description: string
  readonly tags: readonly string[]
}

/** A file that is a secret as a whole, recognized by its name because its content is not text. */
interface KeyFileRule {
  readonly id: string
  readonly description: string
  readonly path: RegExp
}

const keyFileRules: readonly KeyFileRule[] = [
  { id: 'pkcs12-file', description: 'Key store in PKCS #12 format', path: /[^/]\.(?:p12|pfx)$/i },
  {
    id: 'java-keystore-file',
    description: 'Java key store',
    // Android's debug key is the same for everyone.
    path: /(?:^|[/!])(?!debug\.keystore$)[^/!]+\.(?:jks|keystore|bks)$/i,
  },
  { id: 'keepass-file', description: 'KeePass database', path: /[^/]\.kdbx?$/i },
]

/** The IDs of all built-in rules. */
export function builtinIds(): Set<string> {
  return new Set([...builtinSecretRules(), ...keyFileRules].map(({ id }) => id))
}

/** `alwaysBuiltin`: our rules count also where the file does not say that it builds on them. */
export function createScanRules(config?: GitleaksConfig, alwaysBuiltin = config === undefined): ScanRules {
  const { rules = [], overrides = [], disabledRules = [], allowlists = [], usesDefault = true } = config ?? {}
  const own = [...rules, ...overrides.filter(({ regex }) => regex !== undefined)]
  const off = new Set([...disabledRules, ...overrides.flatMap(({ id, regex }) => (regex ? [id] : []))])
  const changes = new Map(overrides.map((rule) => [rule.id, rule]))
  const counts = (rule: string): boolean => (alwaysBuiltin || usesDefault) && !off.has(rule)
  return {
    builtin: compileSecretRules(
      defaultRules.map((rule) => withEntropy(rule, changes.get(rule.id)?.entropy ?? 0)),
    ),
    counts,
    changes,
    own: prepareRules(own),
    keyFiles: keyFileRules.filter(({ id }) => counts(id)),
    ownFiles: rules.filter(({ regex }) => regex === undefined),
    allowlists,
    describe: describer([...own, ...changes.values()]),
  }
}

/** A file may ask for less than a rule of ours does; where it asks for more, its findings are checked once more. */
function withEntropy<Rule extends { readonly entropy?: number }>(rule: Rule, asked: number): Rule {
  return asked > 0 && asked < (rule.entropy ?? 0) ? { ...rule, entropy: asked } : rule
}

function describer(own: readonly GitleaksRule[]): ScanRules['describe'] {
  const described = new Map<string, RuleDescription>()
  for (const { id, description } of [...builtinSecretRules(), ...keyFileRules]) {
    described.set(id, { description, tags: [] })
  }
  for (const { id, description, tags } of own) {
    described.set(id, { description: description || (described.get(id)?.description ?? id), tags })
  }
  return (rule) => described.get(rule) ?? { description: rule, tags: [] }
}
