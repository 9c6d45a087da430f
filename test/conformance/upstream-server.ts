// The fixtures as a server of its own, to stand behind contextd: upstream-server.ts stdio|http legacy|modern
// Over HTTP it listens on any free port of this machine and prints its address. It serves until its stdin is closed.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from '@modelcontextprotocol/node'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'

import { createFixtureServer } from './fixture-server.ts'

/** On a connection that lasts, changes are told there. */
function reportConnection(list: 'tools' | 'prompts', server: McpServer): void {
  if (list === 'tools') server.sendToolListChanged()
  else server.sendPromptListChanged()
}

type HttpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

function modernHttp(): HttpHandler {
  const handler = createMcpHandler(
    () =>
      createFixtureServer((list) =>
        list === 'tools' ? handler.notify.toolsChanged() : handler.notify.promptsChanged(),
      ),
    { legacy: 'reject' },
  )
  return toNodeHandler(handler) as HttpHandler
}

function legacyHttp(): HttpHandler {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>()
  const open = async (): Promise<NodeStreamableHTTPServerTransport> => {
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await createFixtureServer(reportConnection).connect(transport)
    return transport
  }
  return async (request, response) => {
    const id = request.headers['mcp-session-id']
    const known = typeof id === 'string' ? sessions.get(id) : undefined
    if (typeof id === 'string' && known === undefined) {
      response.writeHead(404).end()
      return
    }
    await (known ?? (await open())).handleRequest(request, response)
  }
}

const [transport, era] = process.argv.slice(2)
if (transport === 'stdio') {
  if (era === 'modern') serveStdio(() => createFixtureServer(reportConnection), { legacy: 'reject' })
  else await createFixtureServer(reportConnection).connect(new StdioServerTransport())
} else {
  const handle = era === 'modern' ? modernHttp() : legacyHttp()
  const guards = [localhostHostValidation(), localhostOriginValidation()]
  const http = createServer((request, response) => {
    if (guards.every((guard) => guard(request, response))) void handle(request, response)
  })
  http.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp\n`)
  })
  process.stdin.resume().once('end', () => process.exit())
}
