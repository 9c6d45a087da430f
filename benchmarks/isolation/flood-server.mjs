// A hostile MCP server: answers of any size, and a schema with a pattern that backtracks.
import { createInterface } from 'node:readline'

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

const tools = [
  {
    name: 'flood',
    description: 'Answers with a text, repeated',
    inputSchema: {
      type: 'object',
      properties: { unit: { type: 'string' }, bytes: { type: 'number' } },
      required: ['unit', 'bytes'],
    },
  },
  {
    name: 'pattern',
    description: 'Takes a text of a pattern',
    inputSchema: { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } },
  },
]

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'flood', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ arguments: { unit = 'ok', bytes = 2 } }) => ({
    content: [{ type: 'text', text: unit.repeat(Math.ceil(bytes / unit.length)) }],
  }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  if (answer === undefined) say({ id, error: { code: -32601, message: 'unknown method' } })
  else say({ id, result: answer(params) })
})
