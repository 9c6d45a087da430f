/** Which parts of a request to Anthropic's Messages API need special treatment. */

import type { NotePlace, RequestView } from '../wire/dialect.ts'
import { itemsOf, memberOf, nameAt, memberText, type JsonNode, type ObjectNode } from '../wire/json-spans.ts'
import { dataKindAt } from '../wire/media.ts'
import { createViewBuilder, placeInArray, type ViewBuilder } from '../wire/view-builder.ts'

/** Only for the provider; the model does not see them. */
const opaqueMembers = ['model', 'metadata', 'container', 'cache_control']
const signedBlocks = new Set(['thinking', 'redacted_thinking'])
/** Strings that the provider compares, decrypts or looks up: it rejects changed ones. */
const opaqueNames = new Set([
  'type',
  'role',
  'id',
  'tool_use_id',
  'tool_id',
  'file_id',
  'media_type',
  'signature',
  'encrypted_content',
  'encrypted_index',
  'encrypted_stdout',
])

export function anthropicView(text: string, root: JsonNode): RequestView {
  const view = createViewBuilder(text)
  for (const name of opaqueMembers) view.exempt(memberOf(text, root, name))
  for (const tool of itemsOf(memberOf(text, root, 'tools'))) {
    view.exemptIds(tool, ['type'])
    view.exempt(memberOf(text, tool, 'cache_control'))
  }
  // A credential for a server that the provider connects to.
  for (const server of itemsOf(memberOf(text, root, 'mcp_servers'))) {
    view.exemptIds(server, ['type', 'authorization_token'])
  }
  readContent(text, memberOf(text, root, 'system'), 'system', view)
  for (const message of itemsOf(memberOf(text, root, 'messages'))) {
    view.exemptIds(message, ['role'])
    readContent(text, memberOf(text, message, 'content'), memberText(text, message, 'role'), view)
  }
  return view.build()
}

function readContent(
  text: string,
  content: JsonNode | undefined,
  role: string | undefined,
  view: ViewBuilder,
): void {
  const isFromModel = role === 'assistant'
  // The system prompt gets no note: it may contain a token before one is issued, and would then change.
  const isFromUser = role === 'user'
  if (content?.kind === 'string' && isFromUser) view.text({ string: content })
  for (const block of itemsOf(content)) {
    if (block.kind !== 'object') continue
    const type = memberText(text, block, 'type') ?? ''
    if (isFromModel && signedBlocks.has(type)) {
      view.exempt(block)
      continue
    }
    exemptOpaque(text, block, view)
    if (type === 'text') {
      const textNode = memberOf(text, block, 'text')
      if (textNode?.kind === 'string' && isFromUser) view.text({ string: textNode })
    } else readTools(text, block, type, view)
  }
}

function readTools(text: string, block: ObjectNode, type: string, view: ViewBuilder): void {
  const id = memberText(text, block, 'id')
  const tool = memberText(text, block, 'name')
  const input = memberOf(text, block, 'input')
  if (type.endsWith('tool_use') && id !== undefined && tool !== undefined && input !== undefined) {
    view.toolUse({ id, tool, input })
  }
  const callId = memberText(text, block, 'tool_use_id')
  const content = memberOf(text, block, 'content')
  if (callId === undefined || content === undefined) return
  // Results of the provider's own tools cannot contain a note.
  const notePlace = type === 'tool_result' ? placeIn(content) : undefined
  view.toolResult({ id: callId, content, ...(notePlace && { notePlace }) })
}

function placeIn(content: JsonNode): NotePlace | undefined {
  if (content.kind === 'string') return { string: content }
  if (content.kind !== 'array') return undefined
  return placeInArray(content, (note) => ({ type: 'text', text: note }))
}

/** Applies to a block and everything in it, except tool inputs, whose field names are defined by the tool. */
function exemptOpaque(text: string, node: JsonNode, view: ViewBuilder): void {
  for (const item of itemsOf(node)) exemptOpaque(text, item, view)
  if (node.kind !== 'object') return
  for (const { key, value } of node.entries) {
    const name = nameAt(text, key)
    if (name === 'cache_control' || (value.kind === 'string' && opaqueNames.has(name))) view.exempt(value)
    else if (name !== 'input') exemptOpaque(text, value, view)
    if (name === 'source') readSource(text, value, view)
  }
}

function readSource(text: string, source: JsonNode, view: ViewBuilder): void {
  const data = memberOf(text, source, 'data')
  if (data?.kind !== 'string' || memberText(text, source, 'type') !== 'base64') return
  const kind = dataKindAt(text, data, memberText(text, source, 'media_type') ?? '')
  if (kind === 'opaque') view.exempt(data)
  if (kind === 'text') view.base64(data)
}
