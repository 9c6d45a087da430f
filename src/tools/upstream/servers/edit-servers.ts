/** Adds or removes one server in a servers file, preserving everything else. */

import { ContextdError } from '../../../core/errors/errors.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { formatJsonPath } from '@contextd/shared/json/json-path'
import { invalidFile } from '../../../platform/config/json-problem.ts'
import { parseJson } from '@contextd/shared/json/json-source'
import { reviseJson } from '@contextd/shared/json/revise-json'
import { checkServers, type ServersFile } from './check-servers.ts'

/**
 * Returns the text with the server added. Throws USAGE for an invalid entry, and SERVERS_INVALID if the file has other
 * problems, so the result can always be loaded.
 */
export function addServer(
  text: string | undefined,
  name: string,
  entry: JsonObject,
  file: ServersFile,
): string {
  if (text === undefined) {
    return withEntry(`${JSON.stringify({ mcpServers: { [name]: entry } }, null, 2)}\n`, name, file)
  }
  const servers = serversIn(text, file)
  if (Object.hasOwn(servers, name)) {
    throw new ContextdError('USAGE', {
      problem: `a server named ${name} already exists`,
      hint: `Run \`ctxd upstream remove ${name}\` first, or choose another name.`,
    })
  }
  return withEntry(withServers(text, { ...servers, [name]: entry }), name, file)
}

/** Only the new entry can be wrong, so problems are reported without their position in the file. */
function withEntry(text: string, name: string, file: ServersFile): string {
  const { problems } = checkServers(Buffer.from(text), file)
  if (problems.length === 0) return text
  const entry = formatJsonPath(['mcpServers', name])
  const said = problems.map(({ path, message }) => {
    const key = path.startsWith(`${entry}.`) ? path.slice(entry.length + 1) : ''
    return key === '' ? message : `${key}: ${message}`
  })
  throw new ContextdError('USAGE', { problem: `${name}: ${said.join('; ')}` })
}

/** Returns the text without the server; undefined if no server has that name. */
export function removeServer(text: string, name: string, file: ServersFile): string | undefined {
  const { [name]: own, ...others } = serversIn(text, file)
  if (own === undefined) return undefined
  const left = withServers(text, others)
  serversIn(left, file)
  return left
}

/** Throws SERVERS_INVALID if the text cannot be loaded. */
function serversIn(text: string, file: ServersFile): JsonObject {
  const { problems } = checkServers(Buffer.from(text), file)
  if (problems.length > 0) throw invalidFile('SERVERS_INVALID', problems)
  return documentOf(text).mcpServers as JsonObject
}

function withServers(text: string, mcpServers: JsonObject): string {
  return reviseJson(text, { ...documentOf(text), mcpServers })
}

function documentOf(text: string): JsonObject {
  const source = parseJson(text)
  if (!source.ok || !isJsonObject(source.value)) throw new Error('the text was not checked')
  return source.value
}
