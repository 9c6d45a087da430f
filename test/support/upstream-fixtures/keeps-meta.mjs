// An MCP server with one tool, one prompt and one resource. It returns the _meta of each request.
import { createInterface } from 'node:readline'

const seen = (params) => JSON.stringify(params._meta ?? null)
const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: 'keeps-meta', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: [{ name: 'meta', description: 'Says it.', inputSchema: { type: 'object' } }],
  }),
  'prompts/list': () => ({ prompts: [{ name: 'meta' }] }),
  'resources/list': () => ({ resources: [{ uri: 'meta://it', name: 'meta' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'tools/call': (params) => ({ content: [{ type: 'text', text: seen(params) }] }),
  'prompts/get': (params) => ({
    messages: [{ role: 'user', content: { type: 'text', text: seen(params) } }],
  }),
  'resources/read': (params) => ({ contents: [{ uri: params.uri, text: seen(params) }] }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = answers[method]?.(params ?? {})
  const error = { code: -32601, message: 'no such method' }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })}\n`)
})
