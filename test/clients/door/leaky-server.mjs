// An MCP server that quotes files of the project wherever a server can say something. Arguments: the files.
import { readFileSync } from 'node:fs'

import { McpServer, ProtocolError } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod/v4'

const [inInstructions, inDescription, inError, inException, inAnswer] = process.argv
  .slice(2)
  .map((file) => readFileSync(file, 'utf8'))

serveStdio(() => {
  const server = new McpServer(
    { name: 'leaky', version: '1.0.0' },
    { instructions: `Connects with ${inInstructions}` },
  )
  const inputSchema = z.object({})
  server.registerTool('describe', { description: `Needs ${inDescription}`, inputSchema }, async () => ({
    content: [{ type: 'text', text: inAnswer }],
  }))
  server.registerTool('fail', { description: 'Fails', inputSchema }, async () => ({
    isError: true,
    content: [{ type: 'text', text: `connection refused, tried ${inError}` }],
  }))
  server.registerTool('throw', { description: 'Fails harder', inputSchema }, async () => {
    throw new ProtocolError(-32603, `internal error near ${inException}`)
  })
  return server
})
