/** Reads the MCP server configuration of other clients and converts it to our format. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { projectVariable } from './variables.ts'

export const importClients = ['claude-code', 'opencode', 'cursor', 'vscode'] as const
export type ImportClient = (typeof importClients)[number]

/** One server of another client, in our format. */
export interface ForeignServer {
  readonly name: string
  readonly entry: JsonObject
  /** Settings that are not imported. */
  readonly notes: readonly string[]
  /** Why it cannot be imported. */
  readonly problem?: string
}

/** The servers in a client's file, those for this project and the global ones. */
export function readForeignServers(client: ImportClient, document: Json, project: string): ForeignServer[] {
  return serversIn[client](document, project).map(([name, entry]) => {
    if (!isJsonObject(entry)) return { name, entry: {}, notes: [], problem: 'it is not an object' }
    return client === 'opencode' ? fromOpenCode(name, entry) : fromShared(name, entry, client)
  })
}

type Listed = [name: string, entry: Json][]

const listIn = (value: Json | undefined, key: string): Listed => {
  const found = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return isJsonObject(found) ? Object.entries(found) : []
}

const serversIn: Readonly<Record<ImportClient, (document: Json, project: string) => Listed>> = {
  'claude-code': (document, project) => {
    const own = listIn(document, 'projects').find(([path]) => path === project)?.[1]
    return [...listIn(own, 'mcpServers'), ...listIn(document, 'mcpServers')]
  },
  cursor: (document) => listIn(document, 'mcpServers'),
  vscode: (document) => listIn(document, 'servers'),
  opencode: (document) => {
    const mcp = isJsonObject(document) ? document.mcp : undefined
    // Newer versions nest them under `servers`; in older ones that may be the name of a server.
    const isNested = isJsonObject(mcp) && isJsonObject(mcp.servers) && mcp.servers.type === undefined
    return isNested ? listIn(mcp, 'servers') : listIn(document, 'mcp')
  },
}

const supportedKeys = ['description', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'disabled'] as const

function fromShared(
  name: string,
  entry: JsonObject,
  client: Exclude<ImportClient, 'opencode'>,
): ForeignServer {
  const { type, oauth, auth, ...rest } = entry
  const taken = Object.entries(rest).filter(([key]) => (supportedKeys as readonly string[]).includes(key))
  const left = Object.keys(rest).filter((key) => !(supportedKeys as readonly string[]).includes(key))
  const translation = client === 'claude-code' ? sameVariables : editorVariables()
  const translated = translate(Object.fromEntries(taken), translation.change)
  // The default. An explicit project folder would let files of the project decide what runs.
  if (translated.cwd === '.' || translated.cwd === `\${${projectVariable}}`) delete translated.cwd
  return {
    name,
    entry: { ...translated, ...transport(type), ...registered(oauth ?? auth, translation.change) },
    notes: left.map((key) => (key === 'envFile' ? envFileNote : `${key} is not imported`)),
    ...translation.problem(),
  }
}

const envFileNote = 'envFile is not imported: add the variables that the server needs to env'

function fromOpenCode(name: string, entry: JsonObject): ForeignServer {
  const { type, command, environment, enabled, disabled, url, headers, cwd, oauth, ...rest } = entry
  const [program, ...args] = Array.isArray(command) ? command : []
  const translation = openCodeVariables()
  const translated = translate(
    type === 'remote'
      ? { ...(url !== undefined && { url }), ...(headers !== undefined && { headers }) }
      : {
          ...(program !== undefined && { command: program }),
          ...(args.length > 0 && { args }),
          ...(environment !== undefined && { env: environment }),
          ...(cwd !== undefined && cwd !== '.' && { cwd }),
        },
    translation.change,
  )
  return {
    name,
    entry: {
      ...translated,
      ...registered(oauth, translation.change),
      ...((enabled === false || disabled === true) && { disabled: true }),
    },
    notes: Object.keys(rest).map((key) => `${key} is not imported`),
    ...translation.problem(),
  }
}

function transport(type: Json | undefined): JsonObject {
  if (type === undefined || type === 'stdio') return {}
  return { type: type === 'streamableHttp' ? 'http' : type }
}

/** The OAuth client: each client uses different names for its settings. */
function registered(oauth: Json | undefined, change: Change): JsonObject {
  if (!isJsonObject(oauth)) return {}
  const id = oauth.clientId ?? oauth.CLIENT_ID
  if (typeof id !== 'string') return {}
  const secret = oauth.clientSecret ?? oauth.CLIENT_SECRET
  const scopes = Array.isArray(oauth.scopes)
    ? oauth.scopes.filter((one) => typeof one === 'string')
    : undefined
  const scope = scopes?.join(' ') ?? oauth.scope
  const ours = {
    client_id: id,
    ...(secret !== undefined && { client_secret: secret }),
    ...(scope !== undefined && { scope }),
  }
  return { oauth: translate(ours, change) }
}

type Change = (text: string) => string

/** Changes values, not keys. Editors also allow numbers and null: these become strings or are dropped. */
function translate(value: JsonObject, change: Change): JsonObject {
  const walk = (item: Json, isText: boolean): Json => {
    if (typeof item === 'string') return change(item)
    if (typeof item === 'number' && isText) return String(item)
    if (Array.isArray(item)) return item.map((one) => walk(one, true))
    if (!isJsonObject(item)) return item
    const entries = Object.entries(item).filter(([, one]) => one !== null)
    return Object.fromEntries(entries.map(([key, one]) => [key, walk(one, true)]))
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, false)]))
}

interface Translation {
  readonly change: Change
  /** Set if a value has no equivalent here. */
  readonly problem: () => { problem?: string }
}

/** Claude Code's `${VAR}` and `${VAR:-default}` have the same meaning here. */
const sameVariables: Translation = { change: (text) => text, problem: () => ({}) }

function editorVariables(): Translation {
  let unknown: string | undefined
  const change: Change = (text) =>
    text.replace(/\$\{([^{}]*)\}/g, (found, inner: string) => {
      const [kind = '', name] = inner.split(/:(.*)/s)
      if (kind === 'env' && name !== undefined && /^\w+$/.test(name)) return `\${${name}}`
      if (kind === 'input' && name !== undefined) return `\${secret:${secretName(name)}}`
      if (inner === 'userHome') return '${HOME}'
      if (inner === 'workspaceFolder') return `\${${projectVariable}}`
      if (inner === 'pathSeparator' || inner === '/') return '/'
      if (/^[A-Z_][A-Z0-9_]*$/.test(inner)) return found
      unknown ??= `it uses \${${/^\w{1,40}/.exec(kind)?.[0] ?? ''}…}, which contextd does not support`
      return found
    })
  return { change, problem: () => (unknown === undefined ? {} : { problem: unknown }) }
}

function openCodeVariables(): Translation {
  let unknown: string | undefined
  const change: Change = (text) => {
    if (/\{file:[^{}]*\}/.test(text))
      unknown ??= 'it reads a value from a file ({file:…}), which contextd does not support'
    return text.replaceAll('${', () => '$${').replace(/\{env:(\w+)\}/g, '${$1}')
  }
  return { change, problem: () => (unknown === undefined ? {} : { problem: unknown }) }
}

/** A name that `ctxd secret set` accepts. */
export function secretName(text: string): string {
  return text.replace(/[^A-Za-z0-9_.-]+/g, '-').slice(0, 64)
}
