import { OWN_SERVER, type Call, type CallMethod, type Principal } from '../../core/call.ts'
import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { Result } from '../../core/result.ts'
import type { Catalogue } from '../../core/tool.ts'
import { resolveTarget } from './resolve-target.ts'
import { evaluate, missingCapability } from './evaluate.ts'
import type { RuleSet } from './rule-set.ts'

export interface FilterOptions {
  readonly call: Call
  /** The list keeps what any of them may use. */
  readonly principals: readonly Principal[]
  readonly rules: RuleSet
  readonly catalogue: Pick<Catalogue, 'find' | 'payloads'>
}

/** Filters each list to what the caller may use, preserving the order. */
export async function filterList(result: Result, options: FilterOptions): Promise<Result> {
  if (result.kind !== 'payload') return result
  const value: { [list: string]: Json } = {}
  for (const [list, items] of Object.entries(result.value)) {
    const listed = lists.get(list)
    value[list] = listed && Array.isArray(items) ? await usableItems(items, listed, options) : items
  }
  return { ...result, value }
}

interface ListedKind {
  readonly method: Exclude<CallMethod, 'list'>
  readonly name: string
}

const lists: ReadonlyMap<string, ListedKind> = new Map([
  ['tools', { method: 'tool', name: 'name' }],
  ['prompts', { method: 'prompt', name: 'name' }],
  ['resources', { method: 'resource', name: 'uri' }],
  ['resourceTemplates', { method: 'resource', name: 'uriTemplate' }],
])

async function usableItems(
  items: readonly Json[],
  listed: ListedKind,
  options: FilterOptions,
): Promise<Json[]> {
  const kept: Json[] = []
  for (const item of items) if (await isUsable(item, listed, options)) kept.push(item)
  return kept
}

async function isUsable(
  item: Json,
  { method, name: key }: ListedKind,
  { call, principals, rules, catalogue }: FilterOptions,
): Promise<boolean> {
  const name = isJsonObject(item) ? item[key] : undefined
  if (typeof name !== 'string') return false
  const tool = method === 'tool' ? catalogue.find(name) : undefined
  const open = tool?.open === true
  const asked = { ...call, method, server: tool?.server ?? OWN_SERVER, tool: name, resolvedTool: tool }
  // The target of an open tool is only known when it is called.
  const resolved = open ? asked : await resolveTarget(asked, catalogue)
  if ('kind' in resolved) return false
  const { server, tool: target } = resolved
  return principals.some(
    (principal) =>
      evaluate(rules, { agent: principal.agent, level: principal.level, server, tool: target, method, open })
        .effect === 'allow' && missingCapability(rules, principal.agent, tool?.needs ?? []) === undefined,
  )
}
