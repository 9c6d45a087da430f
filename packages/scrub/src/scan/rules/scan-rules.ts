/** The rules and allowlists of a scan: built-in rules, modified and extended by a file in gitleaks' format. */

import { compileSecretRules, type CompiledRules } from '../../find/compile-rules.ts'
import { prepareRules, type PreparedRules } from '../../gitleaks/apply-rules.ts'
import type { Allowlist, GitleaksConfig, GitleaksRule } from '../../gitleaks/gitleaks-config.ts'
import { builtinSecretRules } from '../../find/rule-list.ts'
import { defaultRules } from '../../rules/index.ts'

export interface ScanRules {
  /** All built-in rules, including disabled ones, which still mask secrets in the lines that a report shows. */
  readonly builtin: CompiledRules
  /** Whether findings of this built-in rule are reported. */
  readonly isEnabled: (rule: string) => boolean
  /** Changes that the file makes to built-in rules. */
  readonly changes: ReadonlyMap<string, GitleaksRule>
  /** Rules of the file that search text. */
  readonly own: PreparedRules
  readonly keyFiles: readonly KeyFileRule[]
  /** Rules of the file that match file names only. */
  readonly ownFiles: readonly GitleaksRule[]
  readonly allowlists: readonly Allowlist[]
  readonly describe: (rule: string) => RuleDescription
}

export interface RuleDescription {
  readonly description: string
  readonly tags: readonly string[]
}

/** A file that is a secret itself, recognised by name because its content is not text. */
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
    // Everyone has the same Android debug key.
    path: /(?:^|[/!])(?!debug\.keystore$)[^/!]+\.(?:jks|keystore|bks)$/i,
  },
  { id: 'keepass-file', description: 'KeePass database', path: /[^/]\.kdbx?$/i },
]

/** Ids of all built-in rules. */
export function builtinIds(): Set<string> {
  return new Set([...builtinSecretRules(), ...keyFileRules].map(({ id }) => id))
}

/** With `alwaysBuiltin`, built-in rules apply even if the file does not extend them. */
export function createScanRules(config?: GitleaksConfig, alwaysBuiltin = config === undefined): ScanRules {
  const { rules = [], overrides = [], disabledRules = [], allowlists = [], usesDefault = true } = config ?? {}
  const own = [...rules, ...overrides.filter(({ regex }) => regex !== undefined)]
  const disabled = new Set([...disabledRules, ...overrides.flatMap(({ id, regex }) => (regex ? [id] : []))])
  const changes = new Map(overrides.map((rule) => [rule.id, rule]))
  const isEnabled = (rule: string): boolean => (alwaysBuiltin || usesDefault) && !disabled.has(rule)
  return {
    builtin: compileSecretRules(
      defaultRules.map((rule) => withEntropy(rule, changes.get(rule.id)?.entropy ?? 0)),
    ),
    isEnabled,
    changes,
    own: prepareRules(own),
    keyFiles: keyFileRules.filter(({ id }) => isEnabled(id)),
    ownFiles: rules.filter(({ regex }) => regex === undefined),
    allowlists,
    describe: describer([...own, ...changes.values()]),
  }
}

/** A lower threshold must be applied while matching; a higher one is checked on the findings. */
function withEntropy<Rule extends { readonly entropy?: number }>(rule: Rule, entropy: number): Rule {
  return entropy > 0 && entropy < (rule.entropy ?? 0) ? { ...rule, entropy } : rule
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
