/** Permissions in the format of other tools: an action or a list per tool. The client ignores them. */

import { isJsonObject, isTexts, type Json, type JsonObject } from '@contextd/shared/json/value'

/** The equivalent rule of the client. */
export interface MeantRule {
  readonly list: 'deny' | 'ask'
  readonly rule: string
}

/** By the lowercase name that other tools use. */
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

/** The rules meant by `"bash": "deny"`, `"read": { "*.env": "deny" }` or `"read": { "deny": ["*.env"] }`. */
export function restrictionsOfTool(name: string, value: Json): MeantRule[] {
  const tool = tools.get(name.toLowerCase())
  // For a name that is no tool of the client, the user has to write the rule.
  const wholeTool = tool ?? (/^(?:\*|mcp__)/.test(name) ? name : '<rule>')
  const ruleFor = (pattern: string): string =>
    tool === undefined || /^\*{1,2}$/.test(pattern) ? wholeTool : `${tool}(${pattern})`
  if (isList(value)) return [{ list: value, rule: ruleFor('*') }]
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, item]): MeantRule[] => {
    if (isList(item)) return [{ list: item, rule: ruleFor(key) }]
    if (!isList(key) || !isTexts(item)) return []
    // Under any other key, the list contains complete rules.
    return item.map((text) => ({ list: key, rule: tool === undefined ? text : ruleFor(text) }))
  })
}

/** Whether it has an action or an object per tool, and no list that the client reads. */
export function hasForeignShape(permission: Json): permission is JsonObject {
  return isJsonObject(permission) && !Object.values(permission).some((value) => Array.isArray(value))
}

export function foreignRestrictions(permission: Json): MeantRule[] {
  if (!hasForeignShape(permission)) return []
  return Object.entries(permission).flatMap(([name, value]) => restrictionsOfTool(name, value))
}

const maxRules = 3

/** What to write instead: `` `"deny": ["Bash"]` ``. */
export function meantLists(rules: readonly MeantRule[]): string {
  return (['deny', 'ask'] as const)
    .flatMap((list) => {
      const meant = rules.filter((rule) => rule.list === list).map(({ rule }) => JSON.stringify(rule))
      const unique = [...new Set(meant)]
      const shown = unique.length > maxRules ? [...unique.slice(0, maxRules), '…'] : unique
      return unique.length === 0 ? [] : [`\`"${list}": [${shown.join(', ')}]\``]
    })
    .join(' and ')
}
