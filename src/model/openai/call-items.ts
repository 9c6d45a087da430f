/** The items of the Responses API that are tool calls of the client, and where each has its input. */

import { memberOf, memberText, type JsonNode } from '../wire/json-spans.ts'

export interface CallItem {
  readonly id: string
  readonly tool: string
  readonly input: JsonNode
  /** `node`: the input is a JSON value. The other forms are strings that contain JSON or free text. */
  readonly form: 'json' | 'text' | 'node'
}

interface ItemKind {
  /** For items without a name. */
  readonly tool?: string
  /** The field that contains the input. */
  readonly input: string
  readonly form: CallItem['form']
}

const itemKinds: ReadonlyMap<string, ItemKind> = new Map<string, ItemKind>([
  ['function_call', { input: 'arguments', form: 'json' }],
  ['custom_tool_call', { input: 'input', form: 'text' }],
  ['apply_patch_call', { tool: 'apply_patch_call', input: 'operation', form: 'node' }],
  ['shell_call', { tool: 'shell', input: 'action', form: 'node' }],
  ['local_shell_call', { tool: 'local_shell', input: 'action', form: 'node' }],
  ['computer_call', { tool: 'computer', input: 'action', form: 'node' }],
])

/** Undefined for other items, and for calls that the provider itself runs and which must not receive real values. */
export function callItemOf(text: string, item: JsonNode): CallItem | undefined {
  const kind = itemKinds.get(memberText(text, item, 'type') ?? '')
  if (kind === undefined) return undefined
  const input = memberOf(text, item, kind.input)
  const id = memberText(text, item, 'call_id') ?? memberText(text, item, 'id')
  const tool = kind.tool ?? toolName(text, item)
  if (input === undefined || id === undefined || tool === undefined) return undefined
  // An object where a string is expected: some servers send arguments that way.
  const form = input.kind === 'string' ? kind.form : 'node'
  return { id, tool, input, form }
}

/** The `name` of a tool in a namespace is only its short name. */
function toolName(text: string, item: JsonNode): string | undefined {
  const name = memberText(text, item, 'name')
  const namespace = memberText(text, item, 'namespace')
  if (name === undefined || namespace === undefined || namespace === '') return name
  if (name.startsWith(namespace)) return name
  return namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`
}
