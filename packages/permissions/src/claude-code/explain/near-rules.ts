/** Rules and entries of agents that were meant for a tool and miss it, as they name it in a way that the client does not. */

import { matchesStars } from '@contextd/shared/text/wildcard'
import { entryName, missingFor } from './agent-tools.ts'
import type { Case } from './case.ts'
import type { Ground } from '../../findings/explanation.ts'
import { placeOf } from '../../findings/finding.ts'
import { meaningOf, origin, runtimeForms } from '../rules/named-servers.ts'
import { namesTool } from './rule-match.ts'
import { parseRule } from '../rules/rule.ts'
import type { RuleInForce } from './in-force/rules-in-force.ts'

/** Why it misses, in one sentence; undefined where it is about something else. */
export function missedBy(one: Case, { rule }: RuleInForce): string | undefined {
  return rule.hasParentheses ? undefined : missedName(one, rule.tool)
}

/** Of who calls: entries that were to give it the tool, where it does not have it, or to take it away, where it does. */
export function missedInLists(one: Case): Ground[] {
  const { setup, agent, tool } = one
  if (typeof agent !== 'object') return []
  const key = missingFor(setup, agent, tool) === undefined ? 'disallowedTools' : 'tools'
  return (agent[key] ?? []).flatMap((entry) => {
    const name = entryName(entry.text)
    const why = missedName(one, name, agent.name) ?? (isStarred(name, tool) ? noSuchStar : undefined)
    return why === undefined
      ? []
      : [{ ...placeOf(entry), rule: `${key}: ${entry.text}`, source: 'agent' as const, why }]
  })
}

const noSuchStar =
  'It misses the tool: in the list of an agent the client takes a wildcard for all of a server only.'

function isStarred(name: string, { name: tool, prefix }: Case['tool']): boolean {
  return prefix !== undefined && name.startsWith('mcp__') && name.includes('*') && matchesStars(name, tool)
}

function missedName({ setup, tool, server }: Case, name: string, agent?: string): string | undefined {
  if (server === undefined) return undefined
  const meaning = meaningOf(setup, name, agent)
  if (meaning?.kind !== 'elsewhere' && meaning?.kind !== 'rewritten') return undefined
  if (!meaning.servers.includes(server)) return undefined
  const forms = runtimeForms(meaning.servers, meaning.tool).map(parseRule)
  if (!forms.some((form) => !('problem' in form) && namesTool(form, 'deny', tool))) return undefined
  return meaning.kind === 'rewritten'
    ? `It misses the tool: the client writes its name as ${tool.name}.`
    : `It misses the tool: ${server.name} ${origin(server).replaceAll('`', '')}, so the name begins with ${server.prefix}__.`
}
