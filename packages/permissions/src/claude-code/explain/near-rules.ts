/** Rules and agent entries that were meant for a tool but do not match it, because they name it differently than the client. */

import { matchesStars } from '@contextd/shared/text/wildcard'
import { entryName, missingFor } from './agent-tools.ts'
import type { Case } from './case.ts'
import type { Ground } from '../../findings/explanation.ts'
import { placeOf } from '../../findings/finding.ts'
import { meaningOf, origin, runtimeForms } from '../rules/named-servers.ts'
import { namesTool } from './rule-match.ts'
import { parseRule } from '../rules/rule.ts'
import type { RuleInForce } from './in-force/rules-in-force.ts'

/** Why the rule does not match the tool, in one sentence; undefined if it was not meant for the tool. */
export function nearMissReason(one: Case, { rule }: RuleInForce): string | undefined {
  return rule.hasParentheses ? undefined : nameMismatch(one, rule.tool)
}

/** Entries of the calling agent that were meant to grant the tool but do not, or to remove it but do not. */
export function nearMissesInLists(one: Case): Ground[] {
  const { setup, agent, tool } = one
  if (typeof agent !== 'object') return []
  const key = missingFor(setup, agent, tool) === undefined ? 'disallowedTools' : 'tools'
  return (agent[key] ?? []).flatMap((entry) => {
    const name = entryName(entry.text)
    const why =
      nameMismatch(one, name, agent.name) ?? (matchesAsWildcard(name, tool) ? unsupportedWildcard : undefined)
    return why === undefined
      ? []
      : [{ ...placeOf(entry), rule: `${key}: ${entry.text}`, source: 'agent' as const, why }]
  })
}

const unsupportedWildcard =
  "It does not match the tool: in an agent's list, a wildcard can only match all tools of a server."

function matchesAsWildcard(name: string, { name: tool, prefix }: Case['tool']): boolean {
  return prefix !== undefined && name.startsWith('mcp__') && name.includes('*') && matchesStars(name, tool)
}

function nameMismatch({ setup, tool, server }: Case, name: string, agent?: string): string | undefined {
  if (server === undefined) return undefined
  const meaning = meaningOf(setup, name, agent)
  if (meaning?.kind !== 'elsewhere' && meaning?.kind !== 'rewritten') return undefined
  if (!meaning.servers.includes(server)) return undefined
  const forms = runtimeForms(meaning.servers, meaning.tool).map(parseRule)
  if (!forms.some((form) => !('problem' in form) && namesTool(form, 'deny', tool))) return undefined
  return meaning.kind === 'rewritten'
    ? `It does not match the tool: the client's name for it is ${tool.name}.`
    : `It does not match the tool: ${server.name} ${origin(server).replaceAll('`', '')}, so the name begins with ${server.prefix}__.`
}
