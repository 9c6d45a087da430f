import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { isJsonObject, mapStrings, textsIn, type Json, type JsonObject } from '../../src/core/json.ts'

/** One tool the model wants used. The id is what the result can be found by. */
export interface ToolUse {
  readonly id: string
  readonly tool: string
  readonly input: JsonObject
}

/** What the model answers: a text, or tools to use at once. */
export type Turn = string | readonly ToolUse[]
export type Scripts = Readonly<Record<string, readonly Turn[]>>

/** One request for an answer, as the client made it. */
export interface ModelRequest {
  /** Which conversation it belongs to; undefined for what the client asks on its own account, such as a title. */
  readonly script?: string
  readonly body: JsonObject
}

export interface ScriptedModel {
  readonly url: string
  readonly requests: readonly ModelRequest[]
  /** Placeholders that nothing in the conversation filled: the script does not fit the client. */
  readonly unfilled: readonly string[]
  close(): Promise<void>
}

/** The text that makes a conversation follow a script. */
export const follow = (script: string): string => `[follow ${script}]`

/** Stands for the first group of the last match in what the model has been sent. */
export const found = (pattern: string): string => `<<${pattern}>>`

/**
 * A model that knows its part, in the wire format of the Anthropic Messages API. A client and its subagents talk to
 * the same one: a user text says which script a conversation follows, the answers since then say where it is.
 */
export async function startScriptedModel(scripts: Scripts): Promise<ScriptedModel> {
  const requests: ModelRequest[] = []
  const unfilled: string[] = []
  const answerTo = (body: JsonObject): JsonObject[] => {
    const part = partOf(body)
    requests.push({ body, ...(part !== undefined && { script: part.script }) })
    const turn = (part === undefined ? undefined : scripts[part.script]?.[part.step]) ?? 'ok'
    if (typeof turn === 'string') return [{ type: 'text', text: turn }]
    const said = [...textsIn(body.messages ?? null)].join('\n')
    return turn.map(({ id, tool, input }) => ({
      type: 'tool_use',
      id,
      name: tool,
      input: fill(input, said, unfilled),
    }))
  }
  const server = createServer((request, response) => {
    void serve(request, response, answerTo)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    unfilled,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answerTo: (body: JsonObject) => JsonObject[],
): Promise<void> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const sendJson = (status: number, value: JsonObject): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
  if (request.method !== 'POST') return sendJson(404, { type: 'error' })
  if (pathname === '/v1/messages/count_tokens') return sendJson(200, { input_tokens: 100 })
  if (pathname !== '/v1/messages') return sendJson(404, { type: 'error' })
  const body = JSON.parse(text) as JsonObject
  const content = answerTo(body)
  const message = {
    // Clients put answers with the same id together.
    id: `msg_${randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model: body.model ?? null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 10 },
  }
  const reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
  if (body.stream !== true) return sendJson(200, { ...message, content, stop_reason: reason })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of eventsOf(message, content, reason)) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  response.end()
}

function* eventsOf(
  message: JsonObject,
  content: readonly JsonObject[],
  reason: string,
): Iterable<JsonObject & { type: string }> {
  yield { type: 'message_start', message: { ...message, content: [], stop_reason: null } }
  for (const [index, block] of content.entries()) {
    const isText = block.type === 'text'
    const empty = isText ? { ...block, text: '' } : { ...block, input: {} }
    const delta = isText
      ? { type: 'text_delta', text: block.text ?? '' }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    yield { type: 'content_block_start', index, content_block: empty }
    yield { type: 'content_block_delta', index, delta }
    yield { type: 'content_block_stop', index }
  }
  yield {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 10 },
  }
  yield { type: 'message_stop' }
}

export function messagesOf({ messages }: JsonObject): JsonObject[] {
  return Array.isArray(messages) ? messages.filter(isJsonObject) : []
}

/**
 * The last user text that names a script begins it: a fork has all that its parent had before. A request without tools
 * is no part of a conversation, though it may quote one.
 */
function partOf(body: JsonObject): { script: string; step: number } | undefined {
  if (!Array.isArray(body.tools) || body.tools.length === 0) return undefined
  const messages = messagesOf(body)
  const at = messages.findLastIndex((message) => markIn(message) !== undefined)
  const script = at === -1 ? undefined : markIn(messages[at]!)
  if (script === undefined) return undefined
  return { script, step: messages.slice(at).filter(({ role }) => role === 'assistant').length }
}

function markIn({ role, content }: JsonObject): string | undefined {
  return role === 'user' ? /\[follow ([\w-]+)\]/.exec(spokenIn(content))?.[1] : undefined
}

/** What the text blocks of a message say, or those of a tool's answer. */
export function spokenIn(content: Json | undefined): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  const texts = content.filter(isJsonObject).map(({ text }) => (typeof text === 'string' ? text : ''))
  return texts.join('\n')
}

function fill(input: JsonObject, said: string, unfilled: string[]): Json {
  return mapStrings(input, (text) =>
    text.replace(/<<(.+?)>>/g, (placeholder, pattern: string) => {
      const match = [...said.matchAll(new RegExp(pattern, 'g'))].at(-1)?.[1]
      if (match === undefined) unfilled.push(placeholder)
      return match ?? 'nothing'
    }),
  )
}
