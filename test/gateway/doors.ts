import { resolve } from 'node:path'

import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import { composeRuntime } from '../../src/compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Log } from '../../src/platform/log.ts'
import { serveHttp } from '../../src/servers/http/server.ts'
import { endProgram } from '../support/stdio-program.ts'
import type { TempHome } from '../support/temp-home.ts'

/** What a client got back from a tool. */
export interface Told {
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: JsonObject
  readonly isError?: boolean
}

/** One agent behind the official client. A refusal rejects with what the client makes of it: `code` and `data`. */
export interface Agent {
  readonly client: Client
  /** Every message that came, as it came: clients drop some, such as progress right before an answer. */
  readonly received: readonly JsonObject[]
  call(tool: string, args?: JsonObject): Promise<Told>
  /** The names in the tool list. */
  tools(): Promise<string[]>
}

export interface Door {
  as(agent: string): Promise<Agent>
  /** What contextd has logged. */
  logged(): string
  close(): Promise<void>
}

export type DoorName = 'stdio' | 'http'

/** contextd with the files of `home`, other servers' tools beside its own; the client may be told what it can do. */
export function openDoor(name: DoorName, home: TempHome, options: ClientOptions = {}): Promise<Door> {
  return name === 'stdio' ? openStdio(home, options) : openHttp(home, options)
}

function environmentOf(home: TempHome): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home.path, ...(home.env as Record<string, string>) }
}

/** The built program, started by the client. Its agents say who they are. */
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

/** The listener on any free port. Each agent has a client with a token of its own. */
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
      (await client.callTool({ name, arguments: args, _meta: meta })) as unknown as Told,
    async tools() {
      const { tools } = await client.listTools({ _meta: meta })
      return tools.map(({ name }) => name)
    },
  }
}
