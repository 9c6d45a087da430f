import type { Call, CallMethod, Principal } from '../../core/call.ts'
import { isJsonObject, type Json } from '../../core/json.ts'
import type { Result } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { evaluate, missingCapability } from './evaluate.ts'
import { nameInRules } from './name-in-rules.ts'
import type { RuleSet } from './rule-set.ts'

export interface FilterOptions {
  readonly call: Call
  /** Kept is what any of them may use. */
  readonly principals: readonly Principal[]
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
      listed && Array.isArray(items) ? items.filter((item) => isUsable(item, listed, options)) : items,
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

function isUsable(item: Json, listed: ListedKind, { call, principals, rules, find }: FilterOptions): boolean {
  const name = isJsonObject(item) ? item[listed.name] : undefined
  if (typeof name !== 'string') return false
  const tool = listed.method === 'tool' ? find(name) : undefined
  const target = nameInRules({ server: call.server, tool: name }, tool)
  const { method } = listed
  const open = tool?.open === true
  return principals.some(
    (principal) =>
      evaluate(rules, { ...principal, ...target, method, open }).effect === 'allow' &&
      missingCapability(rules, principal.agent, tool?.needs ?? []) === undefined,
  )
}
