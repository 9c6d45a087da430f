/** Which parts of a request to the Responses API need special treatment. */

import type { NotePlace, RequestView } from '../wire/dialect.ts'
import { itemsOf, memberOf, memberText, type JsonNode } from '../wire/json-spans.ts'
import { createViewBuilder, placeInArray, placeInObject, type ViewBuilder } from '../wire/view-builder.ts'
import { callItemOf } from './call-items.ts'
import { readParts } from './content-parts.ts'

const requestIds = [
  'model',
  'previous_response_id',
  'prompt_cache_key',
  'safety_identifier',
  'user',
  'conversation',
]
/** For the provider's own records; the model does not see them. */
const opaqueMembers = ['metadata', 'client_metadata', 'include']
/** Fields of any item that the provider compares or looks up. */
const itemIds = ['type', 'role', 'status', 'id', 'call_id', 'approval_request_id', 'encrypted_content']

export function viewResponses(text: string, root: JsonNode): RequestView {
  const view = createViewBuilder(text)
  view.exemptIds(root, requestIds)
  view.exemptIds(memberOf(text, root, 'conversation'), ['id'])
  for (const name of opaqueMembers) view.exempt(memberOf(text, root, name))
  for (const tool of itemsOf(memberOf(text, root, 'tools'))) readTool(text, tool, view)
  const input = memberOf(text, root, 'input')
  if (input?.kind === 'string') view.text({ string: input })
  for (const item of itemsOf(input)) readItem(text, item, view)
  return view.build()
}

/** The provider uses this credential to connect to an MCP server; the model does not see it. */
function readTool(text: string, tool: JsonNode, view: ViewBuilder): void {
  if (memberText(text, tool, 'type') !== 'mcp') return
  for (const name of ['authorization', 'headers']) view.exempt(memberOf(text, tool, name))
}

function readItem(text: string, item: JsonNode, view: ViewBuilder): void {
  const type = memberText(text, item, 'type') ?? 'message'
  const encrypted = memberOf(text, item, 'encrypted_content')
  if (encrypted?.kind === 'string' && encryptedItems.has(type)) {
    view.exempt(item)
    return
  }
  view.exemptIds(item, itemIds)
  const call = callItemOf(text, item)
  if (call !== undefined) {
    view.toolUse(call)
    if (call.form === 'json') view.json(call.input)
    return
  }
  switch (type) {
    case 'message':
      readMessage(text, item, view)
      break
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'shell_call_output':
    case 'local_shell_call_output':
    case 'apply_patch_call_output':
    case 'computer_call_output':
      readOutput(text, item, view)
      break
    case 'mcp_call':
      readMcpCall(text, item, view)
      break
    case 'mcp_approval_request':
      view.json(memberOf(text, item, 'arguments'))
      break
    case 'image_generation_call':
      view.exemptIds(item, ['result'])
      break
    case 'code_interpreter_call':
      view.exemptIds(item, ['container_id'])
      for (const output of itemsOf(memberOf(text, item, 'outputs'))) view.url(memberOf(text, output, 'url'))
      break
  }
}

/** The encrypted content covers the rest of the item, and the provider rejects changed items. */
const encryptedItems = new Set(['reasoning', 'compaction', 'compaction_summary'])

function readMessage(text: string, item: JsonNode, view: ViewBuilder): void {
  const content = memberOf(text, item, 'content')
  const isUser = memberText(text, item, 'role') === 'user'
  if (isUser && content?.kind === 'string') view.text({ string: content })
  readParts(text, content, view, isUser)
}

function readOutput(text: string, item: JsonNode, view: ViewBuilder): void {
  const output = memberOf(text, item, 'output')
  readParts(text, output, view, false)
  // A screenshot is a single part rather than a list.
  if (output?.kind === 'object') {
    view.url(memberOf(text, output, 'image_url'))
    view.exemptIds(output, ['file_id'])
  }
  // Results of local_shell_call have the call's id in `id`.
  const id = memberText(text, item, 'call_id') ?? memberText(text, item, 'id')
  if (id === undefined) return
  const notePlace = outputPlace(text, item, output)
  view.toolResult({ id, content: output ?? item, ...(notePlace && { notePlace }) })
}

function outputPlace(text: string, item: JsonNode, output: JsonNode | undefined): NotePlace | undefined {
  if (output?.kind === 'string') return { string: output }
  const type = memberText(text, item, 'type')
  if (type === 'apply_patch_call_output' && output === undefined && item.kind === 'object') {
    return placeInObject(item, 'output')
  }
  if (output?.kind !== 'array') return undefined
  if (type !== 'shell_call_output') {
    return placeInArray(output, (note) => ({ type: 'input_text', text: note }))
  }
  const stdout = memberOf(text, output.items.at(-1), 'stdout')
  return stdout?.kind === 'string' ? { string: stdout } : undefined
}

/** Ran at the provider: the call and its result are one item. */
function readMcpCall(text: string, item: JsonNode, view: ViewBuilder): void {
  const input = memberOf(text, item, 'arguments')
  const output = memberOf(text, item, 'output')
  const id = memberText(text, item, 'id')
  const tool = memberText(text, item, 'name')
  view.json(input)
  if (input === undefined || id === undefined || tool === undefined) return
  view.toolUse({ id, tool, input })
  if (output?.kind === 'string') view.toolResult({ id, content: output, notePlace: { string: output } })
}
