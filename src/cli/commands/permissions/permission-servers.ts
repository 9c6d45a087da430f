/** Queries a client's MCP servers for their tools, which no file lists. */

import { quotedCommand } from '@contextd/shared/text/quoted-command'
import type { ClaudeSetup, McpServer } from '@contextd/permissions/internal/claude-setup'
import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { ConnectionLost, type Connection, type ConnectOptions } from '../../../tools/upstream/connection.ts'
import type { SignIns } from '../../../tools/upstream/http/sign-ins.ts'
import { fetchList } from '../../../tools/upstream/server-lists.ts'
import type { HttpTransport, StdioTransport, UpstreamServer } from '../../../tools/upstream/server.ts'
import { resolveServer } from '../../../tools/upstream/servers/variables.ts'
import { counted } from '@contextd/shared/text/counted'

const startMs = 30_000
const maxMessageBytes = 16 << 20
/** Longer than any name a client accepts; the rest would only fill the screen. */
const maxNameLength = 256

export type ToolNames =
  | { readonly ok: true; readonly names: readonly string[] }
  | { readonly ok: false; readonly why: string }

/** The servers that the client would start. */
export function startableServers({ servers }: ClaudeSetup): readonly McpServer[] {
  return servers.filter((server) => server.off === undefined && transportOf(server) !== undefined)
}

/** Everything that decides what runs or what is sent where, as we interpret an ambiguous definition. */
export function howStarted(server: McpServer): string {
  const transport = transportOf(server)
  if (transport === undefined) return ''
  if (transport.kind !== 'stdio')
    return [
      transport.url,
      ...Object.entries(transport.headers).map(([name, value]) => `${name}: ${value}`),
    ].join('; ')
  const variables = Object.entries(transport.env).map(([name, value]) => `${name}=${value}`)
  return quotedCommand([...variables, transport.command, ...transport.args])
}

/** Starts or connects to the server, lists its tools, and disconnects. */
export async function askToolNames(
  server: McpServer,
  setup: ClaudeSetup,
  env: NodeJS.ProcessEnv,
): Promise<ToolNames> {
  const signal = AbortSignal.timeout(startMs)
  try {
    const connection = await connect(server, setup, env, { signal, maxMessageBytes, onNotice: () => {} })
    try {
      const { items, isWhole } = await fetchList(connection, 'tools', startMs)
      // An incomplete list cannot prove that a tool does not exist.
      if (!isWhole) return { ok: false, why: 'it has more tools than contextd lists' }
      const names = items.map(({ name }) => name).filter((name) => typeof name === 'string')
      return { ok: true, names: names.map((name) => name.slice(0, maxNameLength)) }
    } finally {
      await connection.close()
    }
  } catch (error) {
    if (signal.aborted)
      return { ok: false, why: `it did not answer within ${counted(startMs / 1000, 'second')}` }
    const { message, lastLine } = error as Partial<ConnectionLost> & Error
    return { ok: false, why: lastLine === undefined ? message : `${message}; it last said: ${lastLine}` }
  }
}

async function connect(
  { name, owner, source, file, line, ...server }: McpServer,
  { project, plugins }: ClaudeSetup,
  env: NodeJS.ProcessEnv,
  options: ConnectOptions,
): Promise<Connection> {
  const plugin = source === 'plugin' ? plugins.find((one) => one.name === owner) : undefined
  const variables = {
    ...env,
    CLAUDE_PROJECT_DIR: project,
    ...(plugin !== undefined && { CLAUDE_PLUGIN_ROOT: plugin.folder }),
  }
  const declared = transportOf(server)
  if (declared === undefined) throw new ConnectionLost('it has neither a command nor a URL', { sent: false })
  const { transport } = resolveServer(
    {
      name,
      transport: declared,
      protocol: 'auto',
      stateless: true,
      prefix: true,
      fingerprint: '',
      file,
      line,
      role: 'project',
    },
    { env: variables, secret: () => undefined },
  )
  if (transport.kind !== 'stdio') {
    const { connectHttp } = await import('../../../tools/upstream/http/connect.ts')
    return connectHttp(transport, 'auto', { name, signIns: noSignIns, clock: Date.now }, options)
  }
  const { connectStdio } = await import('../../../tools/upstream/stdio/connect.ts')
  return connectStdio(transport, 'auto', { project, env }, options)
}

/** The client's sign-ins are not ours to use. */
const noSignIns: SignIns = {
  find: () => undefined,
  save: () => {},
  want: () => {},
  remove: () => false,
}

function transportOf({ definition }: Pick<McpServer, 'definition'>): UpstreamServer['transport'] | undefined {
  const { type, command, args, env, url, headers } = definition
  if (typeof command === 'string') {
    const transport: StdioTransport = {
      kind: 'stdio',
      command,
      args: Array.isArray(args) ? args.filter((arg) => typeof arg === 'string') : [],
      env: textsOf(env),
    }
    return transport
  }
  if (typeof url !== 'string') return undefined
  const transport: HttpTransport = { kind: type === 'sse' ? 'sse' : 'http', url, headers: textsOf(headers) }
  return transport
}

function textsOf(value: Json | undefined): Record<string, string> {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
