/** The built-in rules with their descriptions and keywords. */

import { nameKeywords } from '../assignments/name.ts'
import { keyBlockKeywords } from './key-blocks.ts'
import { kubernetesKeywords } from './kubernetes-secrets.ts'
import { defaultRules, structuralRules } from '../rules/index.ts'

/**
 * A rule without its pattern.
 *
 * @example
 * import { builtinSecretRules, type ListedSecretRule } from '@contextd/scrub/rules'
 *
 * const isForSlack = ({ id }: ListedSecretRule) => id.startsWith('slack-')
 * console.log(builtinSecretRules().some(isForSlack))
 * // → true
 */
export interface ListedSecretRule {
  readonly id: string
  readonly description: string
  /** In lower case. Empty if the rule checks every text. */
  readonly keywords: readonly string[]
}

/** The name keywords that indicate a password. */
const passwordKeywords: readonly string[] = nameKeywords.filter((keyword) =>
  /^(?:pass|pwd|psw|pw|psk|identified)/.test(keyword),
)

const structuralKeywords: Readonly<Record<string, readonly string[]>> = {
  'authorization-header': ['auth', 'bearer'],
  cookie: ['cookie'],
  'generic-api-key': nameKeywords.filter((keyword) => !passwordKeywords.includes(keyword)),
  'generic-password': passwordKeywords,
  'kubernetes-secret-yaml': kubernetesKeywords,
  'private-key': keyBlockKeywords,
  'uri-with-username-and-secret': ['://'],
}

let byId: ReadonlyMap<string, ListedSecretRule> | undefined

function collectRules(): ReadonlyMap<string, ListedSecretRule> {
  const collected = new Map<string, ListedSecretRule>()
  for (const { id, description } of structuralRules) {
    collected.set(id, { id, description, keywords: structuralKeywords[id] ?? [] })
  }
  for (const { id, description, keywords } of defaultRules) {
    const same = collected.get(id)
    collected.set(id, {
      id,
      description: same?.description ?? description,
      keywords: [...new Set([...(same?.keywords ?? []), ...keywords])],
    })
  }
  return collected
}

/**
 * The built-in rule with this ID.
 *
 * @example
 * import { builtinRule } from '@contextd/scrub/rules'
 *
 * console.log(builtinRule('github-pat')?.description)
 * // → GitHub personal access token
 */
export function builtinRule(id: string): ListedSecretRule | undefined {
  return (byId ??= collectRules()).get(id)
}

/**
 * All built-in rules, sorted by ID. Rules with the same ID are listed as one.
 *
 * @example
 * import { builtinSecretRules } from '@contextd/scrub/rules'
 *
 * for (const { id, description } of builtinSecretRules().slice(0, 3)) console.log(`${id}: ${description}`)
 */
export function builtinSecretRules(): readonly ListedSecretRule[] {
  return [...(byId ??= collectRules()).values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}
