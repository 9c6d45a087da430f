// The provider at the end of every route: accepts requests in the format of the Anthropic Messages API and responds
// immediately. The headers `x-bench-deltas` and `x-bench-pause` set the number of text deltas in a stream and the
// milliseconds between them.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const usage = { input_tokens: 10, output_tokens: 10 }
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'bench', usage }

function eventOf(data: { type: string } & Record<string, unknown>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let bytes = 0
  for await (const chunk of request) bytes += (chunk as Buffer).length
  const deltas = Number(request.headers['x-bench-deltas'] ?? 0)
  const pause = Number(request.headers['x-bench-pause'] ?? 0)
  if (deltas === 0) {
    const content = [{ type: 'text', text: `${bytes} bytes` }]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...message, content, stop_reason: 'end_turn' }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(eventOf({ type: 'message_start', message: { ...message, content: [] } }))
  const block = { type: 'text', text: '' }
  response.write(eventOf({ type: 'content_block_start', index: 0, content_block: block }))
  for (let sent = 0; sent < deltas && !response.destroyed; sent += 1) {
    const delta = { type: 'text_delta', text: `piece ${sent} of the answer, ` }
    response.write(eventOf({ type: 'content_block_delta', index: 0, delta }))
    if (pause > 0) await sleep(pause)
  }
  response.write(eventOf({ type: 'content_block_stop', index: 0 }))
  response.write(eventOf({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }))
  response.end(eventOf({ type: 'message_stop' }))
}

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
