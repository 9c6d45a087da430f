// An MCP server whose tools only record that they were called.
//   node probe-server.mjs <file to write to> <tool> …
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [file, ...tools] = process.argv.slice(2)

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'probe', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: tools.map((name) => ({ name, description: 'A probe.', inputSchema: { type: 'object' } })),
  }),
  'tools/call': ({ name, _meta }) => {
    appendFileSync(file, `${_meta?.['claudecode/toolUseId'] ?? name}\n`)
    return { content: [{ type: 'text', text: `${name} was called` }] }
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = answers[method]?.(params)
  const answer = result === undefined ? { error: { code: -32601, message: `no ${method}` } } : { result }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
})
