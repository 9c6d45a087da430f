/** Which parts of a request to the Chat Completions API need special treatment. */

import { createCallQueue, derivedId } from '../wire/derived-ids.ts'
import type { NotePlace, RequestView } from '../wire/dialect.ts'
import { itemsOf, memberOf, stringAt, memberText, type JsonNode } from '../wire/json-spans.ts'
import { createViewBuilder, placeInArray, type ViewBuilder } from '../wire/view-builder.ts'
import { readParts } from './content-parts.ts'

export function viewChat(text: string, root: JsonNode): RequestView {
  const view = createViewBuilder(text)
  const calls = createCallQueue()
  view.exemptIds(root, ['model', 'prompt_cache_key', 'safety_identifier', 'user'])
  view.exempt(memberOf(text, root, 'metadata'))
  for (const message of itemsOf(memberOf(text, root, 'messages'))) readMessage(text, message, view, calls)
  return view.build()
}

function readMessage(
  text: string,
  message: JsonNode,
  view: ViewBuilder,
  calls: ReturnType<typeof createCallQueue>,
): void {
  const role = memberText(text, message, 'role')
  const content = memberOf(text, message, 'content')
  view.exemptIds(message, ['role', 'tool_call_id'])
  readParts(text, content, view, role === 'user')
  if (role === 'user' && content?.kind === 'string') view.text({ string: content })
  if (role === 'tool' || role === 'function') {
    const name = memberText(text, message, 'name') ?? ''
    const id = calls.answer(name, memberText(text, message, 'tool_call_id'))
    const notePlace = placeOf(content)
    if (id !== undefined && content !== undefined) {
      view.toolResult({ id, content, ...(notePlace && { notePlace }) })
    }
  }
  readReasoning(text, message, view)
  view.exemptIds(memberOf(text, message, 'audio'), ['id', 'data'])
  for (const call of itemsOf(memberOf(text, message, 'tool_calls'))) readCall(text, call, view, calls)
  const legacy = memberOf(text, message, 'function_call')
  const tool = memberText(text, legacy, 'name')
  const input = memberOf(text, legacy, 'arguments')
  if (tool === undefined || input === undefined) return
  const use = { id: derivedId(tool, input.kind === 'string' ? stringAt(text, input) : ''), tool, input }
  view.toolUse(use)
  view.json(input)
  calls.add(use)
}

function placeOf(content: JsonNode | undefined): NotePlace | undefined {
  if (content?.kind === 'string') return { string: content }
  if (content?.kind !== 'array') return undefined
  return placeInArray(content, (note) => ({ type: 'text', text: note }))
}

function readCall(
  text: string,
  call: JsonNode,
  view: ViewBuilder,
  calls: ReturnType<typeof createCallQueue>,
): void {
  view.exemptIds(call, ['id', 'type'])
  // Gemini through this format.
  const google = memberOf(text, memberOf(text, call, 'extra_content'), 'google')
  view.exemptIds(google, ['thought_signature'])
  const called = memberOf(text, call, 'function')
  const custom = memberOf(text, call, 'custom')
  const input = memberOf(text, called, 'arguments') ?? memberOf(text, custom, 'input')
  const tool = memberText(text, called ?? custom, 'name')
  const id = memberText(text, call, 'id')
  if (called !== undefined) view.json(input)
  if (input === undefined || tool === undefined || id === undefined) return
  view.toolUse({ id, tool, input })
  calls.add({ id, tool })
}

/** Lists of reasoning blocks that some providers send and expect back. */
const reasoningLists = ['reasoning_details', 'thinking_blocks']

/** Providers reject signed or encrypted blocks that were changed. Plain reasoning text is scrubbed. */
function readReasoning(text: string, message: JsonNode, view: ViewBuilder): void {
  view.exemptIds(message, ['reasoning_opaque'])
  for (const name of reasoningLists) {
    for (const block of itemsOf(memberOf(text, message, name))) {
      const isSigned = ['signature', 'data'].some((seal) => (memberText(text, block, seal) ?? '') !== '')
      if (isSigned) view.exempt(block)
      else view.exemptIds(block, ['id'])
    }
  }
}
