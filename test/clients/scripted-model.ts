import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { isJsonObject, mapStrings, textsIn, type Json, type JsonObject } from '@contextd/shared/json/value'
import { chatChunks } from './scripted-chat.ts'

/** One tool the model wants used. The id is what the result can be found by. */
export interface ToolUse {
  readonly id: string
  readonly tool: string
  readonly input: JsonObject
}

/** What the model answers: a text, or tools to use at once. */
export type Answer = string | readonly ToolUse[]
export type Turn = Answer | StagedTurn
/** An answer with something around it. */
export interface StagedTurn {
  readonly say: Answer
  /** Comes first, in a block with a signature that a client must send back as it was. */
  readonly thinking?: string
  /** Happens after the request has arrived and before it is answered, such as an edit by someone else. */
  readonly before?: () => void
  /** How many tokens the model reports to have read: a client compacts its context when there are many. */
  readonly read?: number
}
export type Scripts = Readonly<Record<string, readonly Turn[]>>

/** One request for an answer, as the client made it. */
export interface ModelRequest {
  /** Which conversation it belongs to; undefined for what the client asks on its own account, such as a title. */
  readonly script?: string
  readonly body: JsonObject
  /** The body as it arrived. */
  readonly text: string
  readonly headers: IncomingHttpHeaders
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
 * A model that knows its part, in the wire format of the Anthropic Messages API or of OpenAI's Chat Completions. A client
 * and its subagents talk to the same one: a user text says which script a conversation follows, the answers since then say
 * where it is.
 */
export async function startScriptedModel(scripts: Scripts): Promise<ScriptedModel> {
  const requests: ModelRequest[] = []
  const unfilled: string[] = []
  const answerTo = (text: string, headers: IncomingHttpHeaders): ScriptedAnswer => {
    const body = JSON.parse(text) as JsonObject
    const part = partOf(body)
    requests.push({ body, text, headers, ...(part !== undefined && { script: part.script }) })
    const turn = (part === undefined ? undefined : scripts[part.script]?.[part.step]) ?? 'ok'
    if (typeof turn === 'string' || !('say' in turn)) return { content: answerOf(turn, body), read: 10 }
    turn.before?.()
    const { thinking, read = 10 } = turn
    const thoughts = thinking === undefined ? [] : [thinkingBlock(fill(thinking, saidIn(body), unfilled))]
    return { content: [...thoughts, ...answerOf(turn.say, body)], read }
  }
  const saidIn = (body: JsonObject): string => [...textsIn(body.messages ?? null)].join('\n')
  const answerOf = (turn: Answer, body: JsonObject): JsonObject[] => {
    const said = saidIn(body)
    if (typeof turn === 'string') return [{ type: 'text', text: fill(turn, said, unfilled) }]
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

interface ScriptedAnswer {
  readonly content: JsonObject[]
  readonly read: number
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answerTo: (text: string, headers: IncomingHttpHeaders) => ScriptedAnswer,
): Promise<void> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const sendJson = (status: number, value: JsonObject): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
  if (request.method !== 'POST') return sendJson(404, { type: 'error' })
  if (pathname === '/v1/messages/count_tokens') return sendJson(200, { input_tokens: 100 })
  if (pathname === '/v1/chat/completions') {
    const { content } = answerTo(text, request.headers)
    const chunks = chatChunks((JSON.parse(text) as JsonObject).model, content)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    return void response.end('data: [DONE]\n\n')
  }
  if (pathname !== '/v1/messages') return sendJson(404, { type: 'error' })
  const body = JSON.parse(text) as JsonObject
  const { content, read } = answerTo(text, request.headers)
  const message = {
    // Clients put answers with the same id together.
    id: `msg_${randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model: body.model ?? null,
    stop_sequence: null,
    usage: { input_tokens: read, output_tokens: 10 },
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
    const { empty, deltas } = streamed(block)
    yield { type: 'content_block_start', index, content_block: empty }
    for (const delta of deltas) yield { type: 'content_block_delta', index, delta }
    yield { type: 'content_block_stop', index }
  }
  yield {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 10 },
  }
  yield { type: 'message_stop' }
}

/** A block as a stream brings it: empty first, then what fills it. */
function streamed(block: JsonObject): { empty: JsonObject; deltas: readonly JsonObject[] } {
  if (block.type === 'text') {
    return { empty: { ...block, text: '' }, deltas: [{ type: 'text_delta', text: block.text ?? '' }] }
  }
  if (block.type === 'thinking') {
    const { thinking = '', signature = '' } = block
    const deltas = [
      { type: 'thinking_delta', thinking },
      { type: 'signature_delta', signature },
    ]
    return { empty: { ...block, thinking: '', signature: '' }, deltas }
  }
  const input = { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
  return { empty: { ...block, input: {} }, deltas: [input] }
}

const signatureOf = (thinking: Json): string =>
  createHash('sha512').update(JSON.stringify(thinking)).digest('base64')

function thinkingBlock(thinking: Json): JsonObject {
  return { type: 'thinking', thinking, signature: signatureOf(thinking) }
}

/** The thoughts in a request, and whether a provider would still accept them as its own. */
export function thoughtsIn(body: JsonObject): { thinking: Json; isSigned: boolean }[] {
  const blocks = messagesOf(body).flatMap(({ content }) => (Array.isArray(content) ? content : []))
  return blocks
    .filter(isJsonObject)
    .filter(({ type }) => type === 'thinking')
    .map(({ thinking = null, signature }) => ({ thinking, isSigned: signature === signatureOf(thinking) }))
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
  return role === 'user' ? [...spokenIn(content).matchAll(/\[follow ([\w-]+)\]/g)].at(-1)?.[1] : undefined
}

/** What the text blocks of a message say, or those of a tool's answer. */
export function spokenIn(content: Json | undefined): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  const texts = content.filter(isJsonObject).map(({ text }) => (typeof text === 'string' ? text : ''))
  return texts.join('\n')
}

function fill(input: Json, said: string, unfilled: string[]): Json {
  return mapStrings(input, (text) =>
    text.replace(/<<(.+?)>>/g, (placeholder, pattern: string) => {
      const match = [...said.matchAll(new RegExp(pattern, 'g'))].at(-1)?.[1]
      if (match === undefined) unfilled.push(placeholder)
      return match ?? 'nothing'
    }),
  )
}
