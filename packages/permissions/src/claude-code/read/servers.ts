/** The MCP servers of all sources, with their tool name prefixes and why one does not run. */

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

import {
  canonicalJson,
  isJsonObject,
  isTexts,
  valueAt,
  type Json,
  type JsonObject,
} from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import type { JsonFile, FileProblem } from '../../files/client-files.ts'
import type { Place } from '../../findings/finding.ts'
import type { ClaudePlaces } from './places.ts'
import type { LoadedAgent } from './agents.ts'
import { jsonPlace, readJsonFile, wrongShape } from './json-file.ts'
import type { LoadedPlugin } from './plugin-files.ts'
import type { Workspace } from './workspace.ts'
import { commandOf, serverPolicy } from './server-policy.ts'
import type { McpServer, SettingsFile } from '../setup/setup.ts'
import { fullServerName, rewrittenName, claudeServerPrefix } from '../rules/tool-names.ts'

export interface ServerSources {
  readonly places: ClaudePlaces
  readonly workspace: Workspace
  readonly settings: readonly SettingsFile[]
  readonly plugins: readonly LoadedPlugin[]
  readonly agents: readonly LoadedAgent[]
}

/** From the strongest source to the weakest: of two servers with the same prefix, the client calls the first. */
export function readServers(sources: ServerSources, problems: FileProblem[]): McpServer[] {
  const { places, workspace, settings, plugins, agents } = sources
  const inFile = (file: JsonFile | undefined, path: JsonPath, source: McpServer['source']): Draft[] =>
    file === undefined ? [] : serversAt({ file, path }, { source }, problems)
  const managedFile = join(places.managed, 'managed-mcp.json')
  const loss = 'Claude Code ignores its servers'
  const managed = [
    ...inFile(
      readJsonFile(managedFile, 'Claude Code runs managed servers only', problems),
      ['mcpServers'],
      'managed',
    ),
    ...settings
      .filter(({ level }) => level === 'managed')
      .flatMap((file) => inFile(file, ['managedMcpServers'], 'managed')),
  ]
  const own = [
    ...inFile(workspace.state, [...workspace.ownPath, 'mcpServers'], 'local'),
    ...foldersUpFrom(places.project).flatMap((folder) =>
      inFile(readJsonFile(join(folder, '.mcp.json'), loss, problems), ['mcpServers'], 'project'),
    ),
    ...inFile(workspace.state, ['mcpServers'], 'user'),
  ]
  const ofPlugins = plugins.flatMap((plugin) =>
    lastOfEach(
      plugin.servers.flatMap((part) =>
        serversAt(part, { source: 'plugin', owner: plugin.name, folder: plugin.folder }, problems),
      ),
    ),
  )
  const inline = agents.flatMap((agent) => ofAgent(agent))
  return withOffReasons([...managed, ...own, ...ofPlugins, ...inline], sources, existsSync(managedFile))
}

type Draft = McpServer & { readonly folder?: string }

function serversAt(
  { file, path }: { readonly file: JsonFile; readonly path: JsonPath },
  origin: Origin,
  problems: FileProblem[],
): Draft[] {
  const value = valueAt(file.value, path)
  if (value === undefined) return []
  if (!isJsonObject(value)) {
    problems.push(
      wrongShape(file, path, 'Servers must be an object keyed by server name: Claude Code finds none here'),
    )
    return []
  }
  return Object.entries(value).map(([name, definition]) => {
    const at = [...path, name]
    const problem = problemOf(origin.source === 'plugin' ? '' : name, definition)
    if (problem !== undefined)
      problems.push(wrongShape(file, at, `Claude Code skips this server: ${problem}`))
    const place = { file: file.file, ...jsonPlace(file.document, at, 'key') }
    return draft(name, definition, origin, place, problem)
  })
}

type Origin = Pick<Draft, 'source' | 'owner' | 'folder'>

function draft(name: string, value: Json, origin: Origin, place: Place, off: string | undefined): Draft {
  const plugin = origin.source === 'plugin' ? origin.owner : undefined
  return {
    name,
    ...origin,
    prefix: claudeServerPrefix(name, plugin),
    fullName: fullServerName(name, plugin),
    ...place,
    ...(off !== undefined && { off }),
    definition: isJsonObject(value) ? value : {},
  }
}

const urlTypes = new Set(['http', 'streamable-http', 'sse', 'ws'])

/** Names that the client reserves. */
const reserved = new Set(['claude-in-chrome', 'computer-use', 'ide', 'workspace'])

function problemOf(name: string, definition: Json): string | undefined {
  if (reserved.has(name)) return 'Claude Code reserves this name'
  if (!isJsonObject(definition)) return 'its definition is not an object'
  const { type = 'stdio', command, args = [], url } = definition
  if (type === 'stdio') {
    if (typeof command === 'string' && command !== '')
      return isTexts(args) ? undefined : 'args must be a list of strings'
    return url === undefined ? 'it has no command' : 'it has a url but no type ("http" or "sse")'
  }
  if (typeof type !== 'string' || !urlTypes.has(type)) return 'its type is unknown'
  return typeof url === 'string' ? undefined : 'it has no url'
}

/** The last definition of a name in a plugin wins. */
function lastOfEach(servers: readonly Draft[]): Draft[] {
  return Array.from(new Map(servers.map((server) => [server.name, server])).values())
}

function foldersUpFrom(folder: string): string[] {
  const folders: string[] = []
  for (let at = folder; dirname(at) !== at; at = dirname(at)) folders.push(at)
  return folders
}

/** Servers defined in an agent's file. Agents of plugins cannot define any. */
function ofAgent({ file, name: owner, source, frontmatter, locate }: LoadedAgent): Draft[] {
  const { mcpServers } = frontmatter
  if (source === 'plugin' || !Array.isArray(mcpServers)) return []
  const defined = mcpServers.flatMap((item, index) => (isJsonObject(item) ? [{ item, index }] : []))
  return defined.flatMap(({ item, index }) =>
    Object.entries(item).map(([name, definition]) => {
      const span = locate(['mcpServers', index, name], 'key')
      const problem =
        Object.keys(item).length === 1 ? problemOf(name, definition) : 'an entry must have exactly one name'
      const place = { file, line: span?.line ?? 1, column: span?.column ?? 1 }
      return draft(name, definition, { source: 'agent', owner }, place, problem)
    }),
  )
}

function withOffReasons(
  servers: readonly Draft[],
  { workspace, settings, agents }: ServerSources,
  isExclusive: boolean,
): McpServer[] {
  const policy = serverPolicy(settings)
  const off = textsOf(workspace.own.disabledMcpServers)
  const rejected = new Set(
    [...settings.map(({ value }) => value), workspace.own]
      .flatMap((value) => Array.from(textsOf(value.disabledMcpjsonServers)))
      .map(rewrittenName),
  )
  const untrusted = new Set(
    agents.filter(({ source, isTrusted }) => source === 'project' && !isTrusted).map(({ file }) => file),
  )
  const names = new Map<string, Draft>()
  const commands = new Map<string, Draft>()
  return servers.map((server): McpServer => {
    const { folder: _folder, ...bare } = server
    const why =
      bare.off ??
      (isExclusive && bare.source !== 'managed'
        ? 'managed-mcp.json excludes other servers'
        : bare.source === 'project' && rejected.has(rewrittenName(bare.name))
          ? 'disabledMcpjsonServers names it'
          : bare.source === 'agent' && untrusted.has(bare.file)
            ? 'the folder of the agent is not trusted'
            : (shadowOf(server, names) ??
              (off.has(bare.fullName) ? 'it is disabled for this project' : policy(bare)) ??
              duplicateOf(server, commands)))
    return why === undefined ? bare : { ...bare, off: why }
  })
}

function textsOf(list: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [])
}

/** The first server of a name wins, even if it may not run. Servers of agents come last and do not shadow each other. */
function shadowOf(server: Draft, names: Map<string, Draft>): string | undefined {
  const first = names.get(server.fullName)
  if (first === undefined && server.source !== 'agent') names.set(server.fullName, server)
  return first && `another server with this name takes precedence (${first.file})`
}

/** A plugin's server is dropped if an earlier server runs the same command. */
function duplicateOf(server: Draft, commands: Map<string, Draft>): string | undefined {
  if (server.source === 'agent') return undefined
  const [plain, withEnvironment] = signatures(server)
  if (plain === undefined || withEnvironment === undefined) return undefined
  if (server.source !== 'plugin') {
    commands.set(plain, server)
    return undefined
  }
  const first = commands.get(plain) ?? commands.get(`plugin ${withEnvironment}`)
  if (first === undefined) commands.set(`plugin ${withEnvironment}`, server)
  return first && `it is a duplicate of ${first.fullName}`
}

/** The command or URL: without the environment to compare with other sources, with it to compare plugins. */
function signatures({ definition, folder }: Draft): [string?, string?] {
  const filled = fillIn(definition, folder)
  const command = commandOf(filled)
  if (command !== undefined) {
    const plain = JSON.stringify(command)
    return [plain, `${plain} ${canonicalJson(filled.env ?? {})}`]
  }
  if (typeof filled.url !== 'string') return []
  const url = filled.url.replace(/\/$/, '')
  return [url, url]
}

function fillIn(definition: JsonObject, folder: string | undefined): JsonObject {
  if (folder === undefined) return definition
  const fill = (text: unknown): unknown =>
    typeof text === 'string' ? text.replaceAll('${CLAUDE_PLUGIN_ROOT}', folder) : text
  const { command, args } = definition
  return {
    ...definition,
    ...(command !== undefined && { command: fill(command) as string }),
    ...(Array.isArray(args) && { args: args.map(fill) as string[] }),
  }
}
