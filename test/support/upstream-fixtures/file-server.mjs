// An MCP server on the SDK that reads, searches and writes files below the folder in its argument.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod/v4'

const [folder = '.'] = process.argv.slice(2)
const text = (value) => ({ content: [{ type: 'text', text: value }] })
const read = (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : '')
const reading = { readOnlyHint: true }

serveStdio(() => {
  const server = new McpServer({ name: 'file-server', version: '1' })
  const path = z.string()
  server.registerTool('read_file', { inputSchema: z.object({ path }), annotations: reading }, (args) =>
    text(read(args.path)),
  )
  server.registerTool(
    'search_file',
    { inputSchema: z.object({ path, query: z.string() }), annotations: reading },
    (args) => text(`${read(args.path).split(args.query).length - 1} places`),
  )
  server.registerTool('write_file', { inputSchema: z.object({ path, content: z.string() }) }, (args) => {
    writeFileSync(join(folder, args.path), args.content)
    return text('written')
  })
  return server
})
