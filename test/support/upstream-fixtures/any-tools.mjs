// An MCP server with the tools that its arguments name: any-tools.mjs FILE TOOL… Each call is written as a line to the
// file, so that a test can see which calls arrived. INPUT_SCHEMA and CONTENT set the input schema and the results of
// the tools.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [file, ...names] = process.argv.slice(2)
const inputSchema = JSON.parse(process.env.INPUT_SCHEMA ?? '{"type":"object"}')
const content = process.env.CONTENT === undefined ? undefined : JSON.parse(process.env.CONTENT)
const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'any-tools', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: names.map((name) => ({ name, description: `Does ${name}.`, inputSchema })),
  }),
  'tools/call': ({ name, arguments: { mark } = {} }) => {
    appendFileSync(file, `${JSON.stringify({ mark, tool: name })}\n`)
    return { content: content ?? [{ type: 'text', text: `did ${name}` }] }
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = answers[method]?.(params ?? {})
  const error = { code: -32601, message: 'no such method' }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })}\n`)
})
