// The routes to the same echo tool: directly, through the bare pass-through, through contextd.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import { usageOf } from '../../src/sandbox/process-tree.ts'

export interface Route {
  readonly name: string
  call(): Promise<void>
  /** CPU time of the responding process and its children so far. */
  cpuMs(): number
  close(): Promise<void>
}

/** How the echo tool is called on a route. */
export interface Target {
  readonly tool: string
  /** Wraps the arguments of the echo tool. */
  wrap(args: Record<string, unknown>): Record<string, unknown>
}

export const echoServer = resolve('benchmarks/gateway/echo-server.mjs')
export const bareBundle = resolve('node_modules/.cache/contextd/bench/bare-pass-through.js')
export const contextdProgram = resolve('bin/contextd.js')

export const byName = (tool: string): Target => ({ tool, wrap: (args) => args })
const byExecuteTool: Target = {
  tool: 'execute_tool',
  wrap: (args) => ({ server: 'echo', tool: 'echo', args }),
}

const text = 'Hello, is anybody there?'

/** Only responses that echo the text are measured. */
export function routeOf(name: string, client: Client, pid: number, target: Target): Route {
  const request = { name: target.tool, arguments: target.wrap({ text }) }
  return {
    name,
    async call() {
      const { content } = await client.callTool(request)
      const [block] = content
      if (block?.type !== 'text' || block.text !== text) {
        throw new Error(`${name} did not echo: ${JSON.stringify(content).slice(0, 400)}`)
      }
    },
    cpuMs: () => usageOf(pid).cpuMs,
    close: () => client.close(),
  }
}

async function overStdio(
  name: string,
  target: Target,
  { args, env, cwd }: { args: readonly string[]; env: Record<string, string>; cwd: string },
): Promise<Route> {
  const client = new Client({ name: 'bench', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    env,
    cwd,
    stderr: 'ignore',
  })
  await client.connect(transport)
  return routeOf(name, client, transport.pid!, target)
}

export interface Place {
  readonly home: string
  readonly env: Record<string, string>
}

/** A home of contextd with these servers and these agents. */
export function prepareHome(
  home: string,
  servers: Record<string, object>,
  agents: Record<string, object>,
): Place {
  mkdirSync(join(home, 'config'), { recursive: true })
  writeFileSync(join(home, 'config/servers.json'), JSON.stringify({ mcpServers: servers }))
  const rules = { agents, defaults: { deny_on_missing_agent: false } }
  writeFileSync(join(home, 'config/rules.json'), JSON.stringify(rules))
  return { home, env: { PATH: process.env.PATH ?? '', HOME: home, CONTEXTD_HOME: home } }
}

export const echoBehind = { echo: { command: process.execPath, args: [echoServer] } }
export const everythingAllowed = { allow: { servers: ['*'] } }

export function direct({ env, home }: Place): Promise<Route> {
  return overStdio('direct', byName('echo'), { args: [echoServer], env, cwd: home })
}

export function barePassThrough({ env, home }: Place, name = 'bare pass-through on the SDK'): Promise<Route> {
  return overStdio(name, byExecuteTool, { args: [bareBundle, process.execPath, echoServer], env, cwd: home })
}

export function throughExecuteTool({ env, home }: Place): Promise<Route> {
  const args = [contextdProgram, 'mcp', 'serve', '--agent', 'main']
  return overStdio('contextd, `execute_tool`', byExecuteTool, { args, env, cwd: home })
}

export function transparently({ env, home }: Place): Promise<Route> {
  const args = [contextdProgram, 'mcp', 'serve', '--agent', 'main', '--transparent']
  return overStdio('contextd, transparent', byName('echo__echo'), { args, env, cwd: home })
}
