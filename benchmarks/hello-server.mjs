// The baseline: the smallest server on the same SDK, as in its documentation.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod/v4'

serveStdio(() => {
  const server = new McpServer({ name: 'hello', version: '1.0.0' })
  server.registerTool(
    'hello',
    { description: 'Says hello', inputSchema: z.object({ name: z.string().optional() }) },
    async () => ({ content: [{ type: 'text', text: 'hello' }] }),
  )
  return server
})
