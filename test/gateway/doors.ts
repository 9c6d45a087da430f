import { resolve } from 'node:path'

import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import { composeRuntime } from '../../src/compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Log } from '../../src/platform/log.ts'
import { serveHttp } from '../../src/servers/http/server.ts'
import { endProgram } from '../support/stdio-program.ts'
import { asksData } from '../support/stdio-door.ts'
import type { TempHome } from '../support/temp-home.ts'

/** The result of a tool call, as the client receives it. */
export interface ToolReply {
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: JsonObject
  readonly isError?: boolean
}

/** One agent with the official client. A denial rejects with `code` and `data`, as the client parses it. */
export interface Agent {
  readonly client: Client
  /** Every received message, unchanged: clients drop some, such as progress right before a response. */
  readonly received: readonly JsonObject[]
  call(tool: string, args?: JsonObject): Promise<ToolReply>
  /** Names in the tool list. */
  tools(): Promise<string[]>
}

export interface Door {
  as(agent: string): Promise<Agent>
  /** The log of contextd. */
  logged(): string
  close(): Promise<void>
}

export type DoorName = 'stdio' | 'http'

/**
 * contextd with the files of `home`, with other servers' tools listed next to its own; `options` set the client's
 * capabilities.
 */
export function openDoor(name: DoorName, home: TempHome, options: ClientOptions = {}): Promise<Door> {
  return name === 'stdio' ? openStdio(home, options) : openHttp(home, options)
}

function environmentOf(home: TempHome): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home.path, ...(home.env as Record<string, string>) }
}

/** The built program, started by the client. Agents declare their names. */
async function openStdio(home: TempHome, options: ClientOptions): Promise<Door> {
  const client = new Client({ name: 'test', version: '1' }, options)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [resolve('bin', 'contextd.js'), 'mcp', 'serve', '--transparent'],
    env: environmentOf(home),
    cwd: home.project,
    stderr: 'pipe',
  })
  let logged = ''
  transport.stderr?.on('data', (chunk) => (logged += String(chunk)))
  await client.connect(transport)
  const received = recordMessages(client)
  return {
    as: async (agent) => agentBehind(client, received, { 'dev.contextd/agentId': agent }),
    logged: () => logged,
    async close() {
      await endProgram(transport)
      await client.close()
    },
  }
}

/** The HTTP server on any free port. Each agent has a client with its own token. */
async function openHttp(home: TempHome, options: ClientOptions): Promise<Door> {
  const logged: unknown[] = []
  const log: Log = (...line) => void logged.push(line)
  const runtime = await composeRuntime({
    env: environmentOf(home),
    cwd: home.project,
    transparent: true,
    log,
  })
  const http = await serveHttp(runtime, { graceMs: 50 })
  const agents = new Map<string, Agent>()
  const open = async (agent: string): Promise<Agent> => {
    const client = new Client({ name: 'test', version: '1' }, options)
    const authorization = `Bearer ${runtime.tokens.create(agent, 'test').secret}`
    const requestInit = { headers: { authorization } }
    await client.connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit }))
    return agentBehind(client, recordMessages(client), {})
  }
  return {
    async as(name) {
      const agent = agents.get(name) ?? (await open(name))
      agents.set(name, agent)
      return agent
    },
    logged: () => JSON.stringify(logged),
    async close() {
      await Promise.all([...agents.values()].map(({ client }) => client.close()))
      await http.close()
      await runtime.close()
    },
  }
}

function recordMessages({ transport }: Client): JsonObject[] {
  const received: JsonObject[] = []
  const take = transport?.onmessage
  Object.assign(transport!, {
    onmessage: ((message, extra) => {
      received.push(message as unknown as JsonObject)
      take?.(message, extra)
    }) satisfies typeof take,
  })
  return received
}

function agentBehind(client: Client, received: readonly JsonObject[], meta: JsonObject): Agent {
  return {
    client,
    received,
    call: async (name, args = {}) =>
      (await client.callTool({
        name,
        arguments: args,
        _meta: { ...meta, ...asksData },
      })) as unknown as ToolReply,
    async tools() {
      const { tools } = await client.listTools({ _meta: meta })
      return tools.map(({ name }) => name)
    },
  }
}
