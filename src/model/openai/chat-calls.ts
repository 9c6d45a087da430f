/** Tool calls of Chat Completions, in a message or in a delta. */

import { derivedId } from '../wire/derived-ids.ts'
import type { ToolInput } from '../wire/dialect.ts'
import { itemsOf, memberOf, memberText, type JsonNode, type StringNode } from '../wire/json-spans.ts'

/** A tool call, or the part of one that a chunk contains. */
export interface CallPart {
  /** The index of the call in its message; `legacy` for `function_call`, of which a message has at most one. */
  readonly index: number | 'legacy'
  readonly id?: string
  readonly tool?: string
  /** Absent in a part that only names the call. */
  readonly input?: StringNode
  readonly form: ToolInput['form']
}

/** In the order of the text. `message` is a message or a delta. */
export function callPartsOf(text: string, message: JsonNode | undefined): CallPart[] {
  const parts = itemsOf(memberOf(text, message, 'tool_calls')).map((call, position) => {
    const index = numberOf(text, memberOf(text, call, 'index')) ?? position
    const id = memberText(text, call, 'id')
    const custom = memberOf(text, call, 'custom')
    return custom === undefined
      ? partOf(text, index, id, memberOf(text, call, 'function'), 'json')
      : partOf(text, index, id, custom, 'text')
  })
  const legacy = memberOf(text, message, 'function_call')
  if (legacy?.kind !== 'object') return parts
  return [...parts, partOf(text, 'legacy', undefined, legacy, 'json')].sort(
    (one, other) => (one.input?.start ?? 0) - (other.input?.start ?? 0),
  )
}

function partOf(
  text: string,
  index: CallPart['index'],
  id: string | undefined,
  called: JsonNode | undefined,
  form: CallPart['form'],
): CallPart {
  const tool = memberText(text, called, 'name')
  const input = memberOf(text, called, form === 'json' ? 'arguments' : 'input')
  return {
    index,
    form,
    ...(id !== undefined && id !== '' && { id }),
    ...(tool !== undefined && tool !== '' && { tool }),
    ...(input?.kind === 'string' && { input }),
  }
}

function numberOf(text: string, node: JsonNode | undefined): number | undefined {
  const value = node?.kind === 'scalar' ? Number(text.slice(node.start, node.end)) : Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}

/** Undefined for a call whose name never arrived. */
export function toolInputOf(call: Omit<CallPart, 'input'>, text: string): ToolInput | undefined {
  const { id, tool, form } = call
  if (tool === undefined) return undefined
  if (id !== undefined) return { id, tool, text, form }
  const idOf = (restored: string): string => derivedId(tool, restored)
  return { id: idOf(text), idOf, tool, text, form }
}
