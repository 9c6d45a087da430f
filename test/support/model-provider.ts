import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

import { onTestFinished } from 'vitest'

import type { Certified } from './certificates.ts'

export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

export type AnswerRequest = (response: ServerResponse, request: SeenRequest) => unknown

export interface ModelProvider {
  readonly url: string
  /** Every complete request, in order. */
  readonly seen: readonly SeenRequest[]
  /** Sets the response to the next requests; a short message by default. */
  answer(how: AnswerRequest): void
}

/** A model provider on its own port; with a certificate it uses TLS. */
export async function startModelProvider(certified?: Certified): Promise<ModelProvider> {
  const seen: SeenRequest[] = []
  let answer: AnswerRequest = (response) => sendMessage(response, [{ type: 'text', text: 'Hello.' }])
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders } = request
      const one = { method, url, headers, rawHeaders, body: Buffer.concat(parts) }
      seen.push(one)
      answer(response, one)
    })
  }
  const server = certified === undefined ? createServer(take) : createSecureServer(certified, take)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  const protocol = certified === undefined ? 'http' : 'https'
  return { url: `${protocol}://127.0.0.1:${port}`, seen, answer: (how) => void (answer = how) }
}

export const messageUsage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 20,
}

/** A complete response of the Messages API. */
export function messageOf(content: readonly object[]): object {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content,
    usage: messageUsage,
  }
}

export function sendMessage(response: ServerResponse, content: readonly object[]): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(messageOf(content)))
}

/** The same as stream events; tool inputs are split into single characters. */
export function messageEvents(content: readonly ({ type: string } & Record<string, unknown>)[]): string[] {
  const event = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
  const { output_tokens: output, ...input } = messageUsage
  return [
    event('message_start', { message: { ...messageOf([]), usage: { ...input, output_tokens: 1 } } }),
    ...content.flatMap((block, index) => {
      const isTool = block.type === 'tool_use'
      const text = isTool ? JSON.stringify(block.input) : String(block.text)
      const delta = (piece: string): object =>
        isTool ? { type: 'input_json_delta', partial_json: piece } : { type: 'text_delta', text: piece }
      return [
        event('content_block_start', {
          index,
          content_block: { ...block, ...(isTool ? { input: {} } : { text: '' }) },
        }),
        ...Array.from(text, (piece) => event('content_block_delta', { index, delta: delta(piece) })),
        event('content_block_stop', { index }),
      ]
    }),
    event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: output } }),
    event('message_stop', {}),
  ]
}
