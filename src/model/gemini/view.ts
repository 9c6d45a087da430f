/** Which parts of a request to generateContent, its streaming variant and countTokens need special treatment. */

import { createCallQueue } from '../wire/derived-ids.ts'
import type { NotePlace, RequestView } from '../wire/dialect.ts'
import { itemsOf, memberOf, memberText, type JsonNode } from '../wire/json-spans.ts'
import { dataKindAt } from '../wire/media.ts'
import { createViewBuilder, placeInObject, type ViewBuilder } from '../wire/view-builder.ts'
import { functionCallOf } from './function-calls.ts'
import { fieldOf, fieldTextOf } from './members.ts'

export function viewGemini(text: string, root: JsonNode): RequestView {
  const view = createViewBuilder(text)
  const calls = createCallQueue()
  // countTokens accepts the contents directly or inside a complete request.
  for (const request of [root, fieldOf(text, root, 'generateContentRequest')]) {
    view.exemptIds(request, ['model', 'cachedContent', 'cached_content'])
    readParts(text, fieldOf(text, request, 'systemInstruction'), view, false, calls)
    for (const content of itemsOf(memberOf(text, request, 'contents'))) {
      view.exemptIds(content, ['role'])
      readParts(text, content, view, (memberText(text, content, 'role') ?? 'user') === 'user', calls)
    }
  }
  return view.build()
}

type CallQueue = ReturnType<typeof createCallQueue>

function readParts(
  text: string,
  content: JsonNode | undefined,
  view: ViewBuilder,
  hasNotes: boolean,
  calls: CallQueue,
): void {
  for (const part of itemsOf(memberOf(text, content, 'parts'))) {
    const signature = fieldOf(text, part, 'thoughtSignature')
    const isSigned = signature?.kind === 'string' && signature.end - signature.start > 2
    if (isSigned && isThought(text, part)) {
      view.exempt(part)
      continue
    }
    if (signature?.kind === 'string') view.exempt(signature)
    const string = memberOf(text, part, 'text')
    if (hasNotes && string?.kind === 'string') view.text({ string })
    readInlineData(text, part, view)
    readFunctionCall(text, part, view, calls)
    readFunctionResponse(text, part, view, calls)
  }
}

function isThought(text: string, part: JsonNode): boolean {
  const thought = memberOf(text, part, 'thought')
  return thought !== undefined && text.slice(thought.start, thought.end) === 'true'
}

function readInlineData(text: string, part: JsonNode, view: ViewBuilder): void {
  const inline = fieldOf(text, part, 'inlineData')
  const data = memberOf(text, inline, 'data')
  if (data?.kind !== 'string') return
  const kind = dataKindAt(text, data, fieldTextOf(text, inline, 'mimeType') ?? '')
  if (kind === 'opaque') view.exempt(data)
  if (kind === 'text') view.base64(data)
}

function readFunctionCall(text: string, part: JsonNode, view: ViewBuilder, calls: CallQueue): void {
  view.exemptIds(fieldOf(text, part, 'functionCall'), ['id'])
  const call = functionCallOf(text, part)
  if (call === undefined) return
  view.toolUse({ id: call.id, tool: call.tool, input: call.input })
  calls.add(call)
}

function readFunctionResponse(text: string, part: JsonNode, view: ViewBuilder, calls: CallQueue): void {
  const answer = fieldOf(text, part, 'functionResponse')
  if (answer === undefined) return
  view.exemptIds(answer, ['id'])
  // Images and documents that are part of the result.
  for (const inner of itemsOf(memberOf(text, answer, 'parts'))) readInlineData(text, inner, view)
  const content = memberOf(text, answer, 'response')
  const id = calls.answer(memberText(text, answer, 'name') ?? '', memberText(text, answer, 'id'))
  if (content === undefined || id === undefined) return
  const notePlace = placeOf(text, content)
  view.toolResult({ id, content, ...(notePlace && { notePlace }) })
}

/** The fields in which clients return a result as text. */
const textMembers = ['output', 'error', 'result', 'content']

function placeOf(text: string, response: JsonNode): NotePlace | undefined {
  if (response.kind !== 'object') return undefined
  for (const name of textMembers) {
    const string = memberOf(text, response, name)
    if (string?.kind === 'string') return { string }
  }
  return placeInObject(response, 'contextd_note')
}
