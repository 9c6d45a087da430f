/** Which MCP servers the settings permit: `allowedMcpServers` and `deniedMcpServers`, merged across all levels. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { matchesStars } from '@contextd/shared/text/wildcard'
import type { McpServer, SettingsFile } from '../setup/setup.ts'

export type ServerPolicy = (
  server: Pick<McpServer, 'fullName' | 'definition' | 'source'>,
) => string | undefined

/** Returns why a server is denied, or undefined if it may run. */
export function serverPolicy(settings: readonly SettingsFile[]): ServerPolicy {
  const managed = settings.filter(({ level }) => level === 'managed')
  const isManagedOnly = managed.some(({ value }) => value.allowManagedMcpServersOnly === true)
  const denied = entriesOf(settings, 'deniedMcpServers') ?? []
  const allowed = entriesOf(isManagedOnly ? managed : settings, 'allowedMcpServers')?.filter(
    // The client ignores names with other characters, so plugin servers cannot be allowed by name.
    ({ serverName }) => typeof serverName !== 'string' || /^[A-Za-z0-9_-]+$/.test(serverName),
  )
  return ({ fullName, definition, source }) => {
    const names = (entry: JsonObject): boolean => entry.serverName === fullName
    const command = commandOf(definition)
    const runs = (entry: JsonObject): boolean => sameWords(entry.serverCommand, command)
    const { url } = definition
    const reaches = (entry: JsonObject): boolean =>
      typeof url === 'string' && typeof entry.serverUrl === 'string' && matchesStars(entry.serverUrl, url)
    const isDenied = denied.some((entry) => names(entry) || runs(entry) || reaches(entry))
    if (isDenied) return 'deniedMcpServers names it'
    if (allowed === undefined || source === 'managed') return undefined
    // If the list has entries for commands (or URLs), a server with one cannot be allowed by name.
    const [key, matches] =
      command !== undefined
        ? (['serverCommand', runs] as const)
        : typeof url === 'string'
          ? (['serverUrl', reaches] as const)
          : (['serverName', names] as const)
    const isStrict = allowed.some((entry) => entry[key] !== undefined)
    return allowed.some(isStrict ? matches : names) ? undefined : 'allowedMcpServers does not name it'
  }
}

/** Undefined if no file has such a list. */
function entriesOf(settings: readonly SettingsFile[], key: string): JsonObject[] | undefined {
  const lists = settings.flatMap(({ value }) => (Array.isArray(value[key]) ? [value[key]] : []))
  if (lists.length === 0) return undefined
  // The client ignores an entry with more than one of these keys.
  return lists
    .flat()
    .filter(isJsonObject)
    .filter((entry) => criteria.filter((key) => entry[key] !== undefined).length === 1)
}

const criteria = ['serverName', 'serverCommand', 'serverUrl']

/** The command line that starts a server; undefined for one with a URL. */
export function commandOf({ command, args }: JsonObject): readonly Json[] | undefined {
  if (typeof command !== 'string') return undefined
  return [command, ...(Array.isArray(args) ? args : [])]
}

function sameWords(one: Json | undefined, other: readonly Json[] | undefined): boolean {
  return Array.isArray(one) && other !== undefined && JSON.stringify(one) === JSON.stringify(other)
}
