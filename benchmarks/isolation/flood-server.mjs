// A hostile MCP server: responses of any size, and a schema with a backtracking pattern.
import { createInterface } from 'node:readline'

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

const tools = [
  {
    name: 'flood',
    description: 'Returns a repeated text',
    inputSchema: {
      type: 'object',
      properties: { unit: { type: 'string' }, bytes: { type: 'number' } },
      required: ['unit', 'bytes'],
    },
  },
  {
    name: 'pattern',
    description: 'Accepts a text that matches a pattern',
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
  if (answer === undefined) send({ id, error: { code: -32601, message: 'unknown method' } })
  else send({ id, result: answer(params) })
})
