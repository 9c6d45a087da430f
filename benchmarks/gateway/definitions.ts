// What tool definitions cost a context window: four real servers next to each other, and contextd in front of them.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

import { foreignProgram } from './foreign-program.ts'
import { contextdProgram, everythingAllowed, prepareHome } from './routes.ts'

interface RealServer {
  readonly name: string
  readonly package: string
  readonly version: string
  readonly program: string
  readonly args: readonly string[]
}

const official = (name: string, args: readonly string[] = []): RealServer => ({
  name,
  package: `@modelcontextprotocol/server-${name}`,
  version: '2026.8.31',
  program: 'dist/index.js',
  args,
})
const realServers = (folder: string): readonly RealServer[] => [
  official('filesystem', [folder]),
  official('memory'),
  official('everything'),
  {
    name: 'playwright',
    package: '@playwright/mcp',
    version: '0.0.83',
    program: 'cli.js',
    args: ['--headless'],
  },
]

export interface DefinitionTokens {
  readonly name: string
  readonly tools: number
  readonly tokens: number
}

export interface Definitions {
  readonly servers: readonly DefinitionTokens[]
  /** Each of contextd's tools for the servers behind it. */
  readonly gateway: readonly DefinitionTokens[]
}

const gatewayTools = ['list_servers', 'get_server_tools', 'execute_tool', 'find_tools']

export async function countDefinitions(home: string): Promise<Definitions> {
  const folder = join(home, 'files')
  mkdirSync(folder, { recursive: true })
  const definitions: Record<string, { command: string; args: string[] }> = {}
  for (const server of realServers(folder)) {
    const program = await foreignProgram(server.package, server.version, server.program)
    definitions[server.name] = { command: process.execPath, args: [program, ...server.args] }
  }
  const { env } = prepareHome(home, definitions, { main: everythingAllowed })
  const servers: DefinitionTokens[] = []
  for (const [name, { args }] of Object.entries(definitions)) {
    const tools = await listTools(args, env, folder)
    servers.push({ name, tools: tools.length, tokens: tokensOf(tools) })
  }
  const ours = await listTools([contextdProgram, 'mcp', 'serve', '--agent', 'main'], env, folder)
  const gateway = gatewayTools.flatMap((name) => {
    const tool = ours.find((each) => each.name === name)
    return tool === undefined ? [] : [{ name, tools: 1, tokens: tokensOf([tool]) }]
  })
  return { servers, gateway }
}

/** What a client sends to its model. */
interface Definition {
  readonly name: string
  readonly description?: string
  readonly inputSchema: object
}

async function listTools(
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
): Promise<Definition[]> {
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args], env, cwd, stderr: 'ignore' }),
  )
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }) as Definition)
}

function tokensOf(tools: readonly Definition[]): number {
  return tools.reduce((sum, tool) => sum + countTokens(JSON.stringify(tool)), 0)
}
