/** Parses and validates a servers file. */

import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'

import { canonicalJson, isJsonObject, type Json } from '@contextd/shared/json/value'
import {
  fileProblem,
  formatProblem,
  placeProblem,
  type JsonProblem,
  type SchemaIssue,
} from '../../../platform/config/json-problem.ts'
import { parseJson, type JsonPath } from '@contextd/shared/json/json-source'
import { schemaIssues } from '../../../platform/config/schema-issues.ts'
import { nearest } from '@contextd/shared/text/nearest'
import type { FileRole } from '../../../platform/files/watched-files.ts'
import type { HttpTransport, StdioTransport, UpstreamServer } from '../server.ts'
import { isOurselves } from './ourselves.ts'
import { listedServerName, serverNameProblem } from './server-name.ts'
import { protocolEras, serverKeys, serversSchema, type ServerDocument } from './server-schema.ts'

/** The file name that other clients and the older gateway use. */
export const sharedName = '.mcp.json'

export interface ServersFile {
  readonly path: string
  readonly role: FileRole
}

export interface ServerEntry {
  readonly server: UpstreamServer
  readonly disabled: boolean
}

export interface CheckedServers {
  /** Empty if there are problems. */
  readonly entries: readonly ServerEntry[]
  readonly problems: readonly JsonProblem[]
  /** Entries and keys without effect, one line each. */
  readonly warnings: readonly string[]
}

export function checkServers(bytes: Uint8Array, file: ServersFile): CheckedServers {
  const failed = (...problems: JsonProblem[]): CheckedServers => ({ entries: [], problems, warnings: [] })
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return failed(fileProblem(file.path, 'is not UTF-8 text'))
  }
  const source = parseJson(text)
  if (!source.ok) {
    const { line, column, message } = source
    return failed({ file: file.path, line, column, path: '$', message })
  }
  const { value, skipped } = withoutClientEntries(source.value, file)
  const issues = [...schemaIssues(serversSchema, value), ...nameIssues(value)]
  if (issues.length > 0) {
    const problems = issues.map((issue) => placeProblem(issue, source, file.path))
    return failed(...problems.sort((one, other) => one.line - other.line || one.column - other.column))
  }
  const { mcpServers } = serversSchema.parse(value)
  const entries = Object.entries(mcpServers).map(([name, entry]) => ({
    server: toServer(name, entry, file, source.locate(['mcpServers', name], 'key')?.line ?? 1),
    disabled: entry.disabled === true,
  }))
  const warnings = [...skipped, ...withoutEffect(value, mcpServers)].map((issue) =>
    formatProblem(placeProblem(issue, source, file.path)),
  )
  return { entries, problems: [], warnings }
}

/**
 * In the file shared with clients, contextd itself is skipped without a warning, and names that only clients accept with a
 * warning.
 */
function withoutClientEntries(value: Json, { path }: ServersFile): { value: Json; skipped: SchemaIssue[] } {
  const servers = isJsonObject(value) ? value.mcpServers : undefined
  if (basename(path) !== sharedName || !isJsonObject(value) || !isJsonObject(servers)) {
    return { value, skipped: [] }
  }
  const skipped: SchemaIssue[] = []
  const others = Object.entries(servers).filter(([name, entry]) => {
    if (isJsonObject(entry) && isOurselves(name, entry)) return false
    const problem = serverNameProblem(name)
    if (problem === undefined) return true
    skipped.push({ path: ['mcpServers', name], part: 'key', message: `it is ignored: ${problem}` })
    return false
  })
  return { value: { ...value, mcpServers: Object.fromEntries(others) }, skipped }
}

/** Names that collide in listed tool names, and `__proto__`, which the validator silently ignores. */
function nameIssues(value: Json): SchemaIssue[] {
  const servers = isJsonObject(value) ? value.mcpServers : undefined
  if (!isJsonObject(servers)) return []
  const owners = new Map<string, string>()
  return Object.keys(servers).flatMap((name): SchemaIssue[] => {
    const place = { path: ['mcpServers', name], part: 'key' } as const
    if (name === '__proto__') return [{ ...place, message: serverNameProblem(name) ?? '' }]
    const owner = owners.get(listedServerName(name))
    if (owner === undefined) owners.set(listedServerName(name), name)
    return owner === undefined ? [] : [{ ...place, message: sameNameProblem(name, owner) }]
  })
}

export function sameNameProblem(name: string, owner: string): string {
  const [one, other] = [JSON.stringify(name), JSON.stringify(owner)]
  return `${one} and ${other} cannot both be used: their tools would have the same names`
}

/** Unknown keys, and keys that do not apply to the kind of server. */
function withoutEffect(document: Json, servers: Readonly<Record<string, ServerDocument>>): SchemaIssue[] {
  return [
    ...unknownKeys(document, [], ['$schema', 'mcpServers']),
    ...Object.entries(servers).flatMap(([name, entry]) => unusedKeys(entry, ['mcpServers', name])),
  ]
}

function unusedKeys(entry: ServerDocument, path: JsonPath): SchemaIssue[] {
  const { command, oauth, sandbox } = entry
  const kind = command === undefined ? 'url' : 'command'
  const unused = (key: string, message: string): SchemaIssue => ({
    path: [...path, key],
    part: 'key',
    message,
  })
  return [
    ...unknownKeys(entry, path, serverKeys.server),
    ...unknownKeys(sandbox, [...path, 'sandbox'], serverKeys.sandbox),
    ...unknownKeys(oauth, [...path, 'oauth'], serverKeys.oauth),
    ...keysOfOtherKind[kind]
      .filter((key) => entry[key] !== undefined)
      .map((key) => unused(key, `has no effect for a server with ${JSON.stringify(kind)}`)),
    ...(oauth === undefined || oauth.client_id !== undefined
      ? []
      : [unused('oauth', 'has no effect without "client_id"')]),
  ]
}

const keysOfOtherKind = { url: ['args', 'env', 'cwd', 'sandbox'], command: ['headers', 'oauth'] } as const

/** Other clients' names for our keys. */
const clientKeys: Readonly<Record<string, string>> = {
  servers: 'mcpServers',
  mcp: 'mcpServers',
  enabled: 'disabled',
  environment: 'env',
  httpUrl: 'url',
  serverUrl: 'url',
}

function unknownKeys(value: unknown, path: JsonPath, known: readonly string[]): SchemaIssue[] {
  if (!isJsonObject(value)) return []
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const near = clientKeys[key] ?? nearest(key, known)
      const hint = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`
      const message = `contextd does not know the key ${JSON.stringify(key)}${hint}`
      return { path: [...path, key], part: 'key', message }
    })
}

function toServer(name: string, entry: ServerDocument, file: ServersFile, line: number): UpstreamServer {
  const { description, stateless = false, transparent, prefix = true, on_change: onChange } = entry
  const { path, role } = file
  return {
    name,
    ...(description !== undefined && { description }),
    transport: entry.command === undefined ? httpTransport(entry) : stdioTransport(entry, entry.command),
    protocol: protocolEras[entry.protocol ?? 'auto'],
    stateless,
    ...(transparent !== undefined && { transparent }),
    prefix,
    ...(onChange !== undefined && { onChange }),
    ...(entry.timeout_ms !== undefined && { timeoutMs: entry.timeout_ms }),
    // Includes the folder, because relative paths in the entry depend on it.
    fingerprint: createHash('sha256')
      .update(canonicalJson([name, baseFolder(file), entry]))
      .digest('hex'),
    file: path,
    line,
    role,
  }
}

function stdioTransport(
  { args = [], env = {}, cwd, sandbox }: ServerDocument,
  command: string,
): StdioTransport {
  return {
    kind: 'stdio',
    command,
    args,
    env,
    ...(cwd !== undefined && { cwd }),
    ...(sandbox !== undefined && { sandbox: { capabilities: sandbox.capabilities ?? [] } }),
  }
}

function httpTransport({ url = '', headers = {}, type, transport, oauth }: ServerDocument): HttpTransport {
  const { client_id: clientId, client_secret: clientSecret, scope } = oauth ?? {}
  return {
    kind: (type ?? transport) === 'sse' ? 'sse' : 'http',
    url,
    headers,
    ...(clientId !== undefined && {
      oauth: {
        clientId,
        ...(clientSecret !== undefined && { clientSecret }),
        ...(scope !== undefined && { scope }),
      },
    }),
  }
}

/** The base of relative paths in a servers file: its folder, or the project if that folder is `.contextd`. */
export function baseFolder({ path, role }: ServersFile): string {
  const folder = dirname(path)
  return role === 'project' && basename(folder) === '.contextd' ? dirname(folder) : folder
}
