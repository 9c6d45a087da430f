import type { Call, CallMethod, Principal } from '../../core/call.ts'
import { isJsonObject, type Json } from '../../core/json.ts'
import type { Result } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { evaluate, missingCapability } from './evaluate.ts'
import { nameInRules } from './name-in-rules.ts'
import type { RuleSet } from './rule-set.ts'

export interface FilterOptions {
  readonly call: Call
  readonly principal: Principal
  readonly rules: RuleSet
  readonly find: (name: string) => Tool | undefined
}

/** Keeps of each list what the caller may use, in the order it came. */
export function filterList(result: Result, options: FilterOptions): Result {
  if (result.kind !== 'payload') return result
  const entries = Object.entries(result.value).map(([list, items]): [string, Json] => {
    const listed = lists.get(list)
    return [
      list,
      listed && Array.isArray(items) ? items.filter((item) => mayUse(item, listed, options)) : items,
    ]
  })
  return { ...result, value: Object.fromEntries(entries) }
}

interface ListedKind {
  readonly method: CallMethod
  readonly name: string
}

const lists: ReadonlyMap<string, ListedKind> = new Map([
  ['tools', { method: 'tool', name: 'name' }],
  ['prompts', { method: 'prompt', name: 'name' }],
  ['resources', { method: 'resource', name: 'uri' }],
  ['resourceTemplates', { method: 'resource', name: 'uriTemplate' }],
])

function mayUse(item: Json, listed: ListedKind, { call, principal, rules, find }: FilterOptions): boolean {
  const name = isJsonObject(item) ? item[listed.name] : undefined
  if (typeof name !== 'string') return false
  const tool = listed.method === 'tool' ? find(name) : undefined
  const target = nameInRules({ server: call.server, tool: name }, tool)
  const { effect } = evaluate(rules, {
    ...principal,
    ...target,
    method: listed.method,
    open: tool?.open === true,
  })
  return effect === 'allow' && missingCapability(rules, principal.agent, tool?.needs ?? []) === undefined
}
