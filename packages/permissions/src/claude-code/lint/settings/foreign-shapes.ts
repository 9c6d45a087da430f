/** Permissions in the shape of other tools: a word or a list for each tool. The client reads none of it. */

import { isJsonObject, isTexts, type Json, type JsonObject } from '@contextd/shared/json/value'

/** A rule as it would have to be written. */
export interface MeantRule {
  readonly list: 'deny' | 'ask'
  readonly rule: string
}

/** By the name in lower case, as other tools write it. */
const tools: ReadonlyMap<string, string> = new Map([
  ['bash', 'Bash'],
  ['shell', 'Bash'],
  ['read', 'Read'],
  ['edit', 'Edit'],
  ['write', 'Edit'],
  ['glob', 'Glob'],
  ['grep', 'Grep'],
  ['webfetch', 'WebFetch'],
  ['websearch', 'WebSearch'],
  ['task', 'Agent'],
  ['agent', 'Agent'],
  ['skill', 'Skill'],
])

const isList = (word: unknown): word is MeantRule['list'] => word === 'deny' || word === 'ask'

/** What was meant to be closed by `"bash": "deny"`, `"read": { "*.env": "deny" }` or `"read": { "deny": ["*.env"] }`. */
export function closedFor(name: string, value: Json): MeantRule[] {
  const tool = tools.get(name.toLowerCase())
  // Some names are no tool of the client's: what they mean a user has to say.
  const whole = tool ?? (/^(?:\*|mcp__)/.test(name) ? name : '<rule>')
  const ruleFor = (pattern: string): string =>
    tool === undefined || /^\*{1,2}$/.test(pattern) ? whole : `${tool}(${pattern})`
  if (isList(value)) return [{ list: value, rule: ruleFor('*') }]
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, item]): MeantRule[] => {
    if (isList(item)) return [{ list: item, rule: ruleFor(key) }]
    if (!isList(key) || !isTexts(item)) return []
    // Below what is no tool stand whole rules.
    return item.map((text) => ({ list: key, rule: tool === undefined ? text : ruleFor(text) }))
  })
}

/** Whether it has a word or an object for each tool, and no list as the client reads it. */
export function isInShapeOfOthers(permission: Json): permission is JsonObject {
  return isJsonObject(permission) && !Object.values(permission).some((value) => Array.isArray(value))
}

export function closedInShapeOfOthers(permission: Json): MeantRule[] {
  if (!isInShapeOfOthers(permission)) return []
  return Object.entries(permission).flatMap(([name, value]) => closedFor(name, value))
}

const maxRules = 3

/** What to write instead: `` `"deny": ["Bash"]` ``. */
export function meantLists(rules: readonly MeantRule[]): string {
  return (['deny', 'ask'] as const)
    .flatMap((list) => {
      const meant = rules.filter((rule) => rule.list === list).map(({ rule }) => JSON.stringify(rule))
      const own = [...new Set(meant)]
      const shown = own.length > maxRules ? [...own.slice(0, maxRules), '…'] : own
      return own.length === 0 ? [] : [`\`"${list}": [${shown.join(', ')}]\``]
    })
    .join(' and ')
}
