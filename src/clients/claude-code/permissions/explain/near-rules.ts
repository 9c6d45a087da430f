/** Rules that were meant for a tool and miss it, as they name its server in a way that the client does not. */

import type { Case } from './case.ts'
import { meaningOf, origin, runtimeForms } from '../rules/named-servers.ts'
import { namesTool } from './rule-match.ts'
import { parseRule } from '../rules/rule.ts'
import type { RuleInForce } from './rules-in-force.ts'

/** Why it misses, in one sentence; undefined where it is about something else. */
export function missedBy({ setup, tool, server }: Case, { rule }: RuleInForce): string | undefined {
  if (server === undefined || rule.hasParentheses) return undefined
  const meaning = meaningOf(setup, rule.tool)
  if (meaning?.kind !== 'elsewhere' && meaning?.kind !== 'rewritten') return undefined
  if (!meaning.servers.includes(server)) return undefined
  const forms = runtimeForms(meaning.servers, meaning.tool).map(parseRule)
  if (!forms.some((form) => !('problem' in form) && namesTool(form, 'deny', tool))) return undefined
  return meaning.kind === 'rewritten'
    ? `It misses the tool: the client writes its name as ${tool.name}.`
    : `It misses the tool: ${server.name} ${origin(server).replaceAll('`', '')}, so the name begins with ${server.prefix}__.`
}
