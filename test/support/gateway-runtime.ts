import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { composeRuntime, type ComposeOptions, type Runtime } from '../../src/compose.ts'
import type { Call } from '../../src/core/call.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Result } from '../../src/core/result.ts'
import { resolvePaths } from '../../src/platform/files/paths.ts'
import { closeInheritedFiles } from '../../src/sandbox/inherited-files.ts'

export interface GatewayRuntime {
  readonly runtime: Runtime
  readonly folder: string
  readonly session: string
  /** Calls as the named agent, which the rules must know. */
  call(tool: string, args?: JsonObject, parts?: Partial<Call>): Promise<Result>
  execute(server: string, tool: string, args?: JsonObject, parts?: Partial<Call>): Promise<Result>
  /** A call of a server's tool that was resolved but has not run yet. */
  found(server: string, tool: string, args?: JsonObject): Call
  list(what?: string, parts?: Partial<Call>): Promise<JsonObject[]>
  writeServers(servers: JsonObject): void
  writeRules(rules: JsonObject): void
  close(): Promise<void>
}

export interface GatewayRuntimeOptions extends Pick<ComposeOptions, 'transparent'> {
  readonly servers: JsonObject
  readonly rules?: JsonObject
  /** Lines of config.toml. */
  readonly config?: string
  readonly env?: Record<string, string>
}

export const openRules: JsonObject = {
  agents: {
    main: { allow: { servers: ['*'], prompts: { '*': ['*'] }, resources: { '*': ['*'] } } },
    other: { allow: { servers: ['*'] } },
    default: { allow: { servers: ['*'] } },
  },
  defaults: { deny_on_missing_agent: false },
}

/** An entry of servers.json for one of the fixtures. */
export function fixture(name: string, args: readonly string[] = [], rest: JsonObject = {}): JsonObject {
  const file = resolve('test', 'support', 'upstream-fixtures', `${name}.mjs`)
  return { command: process.execPath, args: [file, ...args], ...rest }
}

/** The real contextd with other MCP servers behind it. */
export async function gatewayRuntime(options: GatewayRuntimeOptions): Promise<GatewayRuntime> {
  const { servers, rules = openRules, config = '', env = {}, ...rest } = options
  // Like the programs at startup: the test runner may have left descriptors open.
  closeInheritedFiles()
  const folder = mkdtempSync(join(tmpdir(), 'contextd-gateway-'))
  const home = { PATH: process.env.PATH ?? '', HOME: folder, CONTEXTD_HOME: join(folder, 'home'), ...env }
  const paths = resolvePaths(home)
  mkdirSync(paths.config, { recursive: true })
  const writeServers = (entries: JsonObject): void =>
    writeFileSync(paths.serversFile, JSON.stringify({ mcpServers: entries }))
  const writeRules = (document: JsonObject): void => writeFileSync(paths.rulesFile, JSON.stringify(document))
  writeFileSync(paths.configFile, `[http]\nport = 0\n[log]\nlevel = "error"\n${config}`)
  writeServers(servers)
  writeRules(rules)
  const runtime = await composeRuntime({ env: home, cwd: folder, agent: 'main', ...rest })
  const client = { name: 'test', version: '1', door: 'stdio' } as const
  const session = runtime.sessions.begin(client)
  const made = (parts: Partial<Call> & Pick<Call, 'method' | 'tool'>): Call =>
    runtime.newCall({ session, client, claims: {}, signal: new AbortController().signal, ...parts })
  const send = (parts: Parameters<typeof made>[0]): Promise<Result> => runtime.handle(made(parts))
  return {
    runtime,
    folder,
    session,
    call: (tool, args = {}, parts = {}) => send({ method: 'tool', tool, arguments: args, ...parts }),
    execute: (server, tool, args = {}, parts = {}) =>
      send({ method: 'tool', tool: 'execute_tool', arguments: { server, tool, args }, ...parts }),
    found: (server, tool, args = {}) => made({ method: 'tool', server, tool, arguments: args }),
    async list(what = 'tools', parts = {}) {
      const result = await send({ method: 'list', tool: what, ...parts })
      return result.kind === 'payload' ? (result.value[what] as JsonObject[]) : []
    },
    writeServers,
    writeRules,
    async close() {
      await runtime.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The text of a result. */
export function textOf(result: Result): string {
  if (result.kind !== 'answer') return JSON.stringify(result)
  return result.content.map(({ text }) => text as string).join('\n')
}

/** The data of a result of our own tools. */
export function dataOf(result: Result): Json {
  return result.kind === 'answer' && isJsonObject(result.structured) ? (result.structured.data ?? null) : null
}

/** Claims to be this agent. */
export function as(agent: string): Partial<Call> {
  return { claims: { declared: agent } }
}
