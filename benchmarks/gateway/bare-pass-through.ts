// The baseline: a minimal gateway on the official SDK, which only forwards.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const [command = '', ...args] = process.argv.slice(2)
const upstream = new Client({ name: 'bare-pass-through', version: '1.0.0' })
await upstream.connect(new StdioClientTransport({ command, args }))

const executeTool = {
  name: 'execute_tool',
  description: 'Calls a tool of the server',
  inputSchema: {
    type: 'object' as const,
    properties: { server: { type: 'string' }, tool: { type: 'string' }, args: { type: 'object' } },
  },
}

serveStdio(() => {
  const server = new Server({ name: 'bare-pass-through', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools: [executeTool] }))
  server.setRequestHandler('tools/call', ({ params }) => {
    const { tool, args } = params.arguments as { tool: string; args: Record<string, unknown> }
    return upstream.callTool({ name: tool, arguments: args })
  })
  return server
})

// Exit with the client.
process.stdin.once('end', () => void upstream.close())
