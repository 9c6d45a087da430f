/** Names a user may type, for shell completion and "did you mean". Read directly from the files, for speed. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import type { StoredKind } from '../../compose/completion-names.ts'
import { OWN_SERVER } from '../../core/call.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { nearest } from '@contextd/shared/text/nearest'
import { resolvePaths } from '../../platform/files/paths.ts'
import { readSmallText } from '@contextd/shared/files/small-file'
import { visibleText } from '@contextd/shared/text/visible-text'
import { note, type CliIo } from '@contextd/shared/cli/output'

export interface NameCandidate {
  readonly value: string
  readonly description?: string
}

export type FindNames = (kind: NameKind) => Promise<readonly NameCandidate[]>

export type NameKind =
  | 'agents'
  | 'servers'
  | 'tools'
  | 'own-tools'
  | 'config-keys'
  | 'permission-rules'
  | 'client-agents'
  | 'memories'
  | 'checkpoints'
  | 'branches'

const maxNames = 500

export function nameFinder({ env, cwd }: Pick<CliIo, 'env' | 'cwd'>): FindNames {
  const { rulesFile, serversFile, database } = resolvePaths(env)
  const own = join(cwd, '.contextd')
  const servers = (): string[] => [
    ...keysIn(serversFile, 'mcpServers'),
    ...keysIn(join(own, 'servers.json'), 'mcpServers'),
    ...keysIn(join(cwd, '.mcp.json'), 'mcpServers'),
  ]
  const ownTools = (): string[] => foldersIn(join(own, 'tools'))
  const find: Record<NameKind, () => Promise<readonly NameCandidate[]>> = {
    async agents() {
      const named = [...agentsIn(rulesFile), ...agentsIn(join(own, 'rules.json'))]
      return plain(named.length === 0 ? ['main', 'default'] : named)
    },
    servers: async () => plain([OWN_SERVER, ...servers()]),
    async tools() {
      const { builtinNames } = await import('../../compose/completion-names.ts')
      return plain([...builtinNames, ...ownTools()])
    },
    'own-tools': async () => plain(ownTools()),
    async 'config-keys'() {
      const { settings } = await import('../../platform/config/config-schema.ts')
      return Array.from(settings().values(), ({ key, description }) => ({ value: key, description }))
    },
    async 'permission-rules'() {
      const { listedRules } = await import('@contextd/permissions/rules')
      return listedRules.map(({ id, title }) => ({ value: id, description: title }))
    },
    async 'client-agents'() {
      const { readClaudeSetup } = await import('@contextd/permissions/internal/read-setups')
      return plain(readClaudeSetup({ env, cwd, secretsIn: () => [] }).agents.map(({ name }) => name))
    },
    memories: () => kept('memories'),
    checkpoints: () => kept('checkpoints'),
    branches: () => kept('branches'),
  }
  const kept = async (kind: StoredKind): Promise<readonly NameCandidate[]> => {
    // To complete a line is no reason to make a store.
    if (!existsSync(database)) return []
    const { newestIds } = await import('../../compose/completion-names.ts')
    return newestIds(database, kind, cwd)
  }
  return async (kind) => (await find[kind]()).filter(isVisible).slice(0, maxNames)
}

/** The closest known name; undefined if the name is known or nothing is close. */
export async function nearestKnownName(
  kind: NameKind,
  name: string,
  io: Pick<CliIo, 'env' | 'cwd'>,
): Promise<string | undefined> {
  const known = (await nameFinder(io)(kind)).map(({ value }) => value)
  return known.includes(name) ? undefined : nearest(name, known)
}

/** Suggests a name after an empty or unexpected result. */
export async function hintMeantName(kind: NameKind, name: string | undefined, io: CliIo): Promise<void> {
  const meant = name === undefined ? undefined : await nearestKnownName(kind, name, io)
  if (meant !== undefined) note(`unknown name ${name}; did you mean ${meant}?`, io)
}

/** Names with invisible characters or line breaks are not offered. */
function isVisible({ value }: NameCandidate): boolean {
  return value !== '' && visibleText(value) === value
}

function plain(names: readonly string[]): NameCandidate[] {
  return [...new Set(names)].map((value) => ({ value }))
}

/** Agent ids and their aliases. */
function agentsIn(file: string): string[] {
  return Object.entries(entriesIn(file, 'agents')).flatMap(([id, rules]) => {
    const aliases = isJsonObject(rules) && Array.isArray(rules.aliases) ? rules.aliases : []
    return [id].concat(aliases.filter((alias) => typeof alias === 'string'))
  })
}

function keysIn(file: string, field: string): string[] {
  return Object.keys(entriesIn(file, field))
}

/** A missing or invalid file has no names; `ctxd doctor` reports what is wrong with it. */
function entriesIn(file: string, field: string): JsonObject {
  // An untrusted project may contain a link to a file that never ends.
  const text = readSmallText(file)
  if (text === undefined) return {}
  try {
    const content: unknown = JSON.parse(text)
    const entries = isJsonObject(content) ? content[field] : undefined
    return isJsonObject(entries) ? entries : {}
  } catch {
    return {}
  }
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch {
    return []
  }
}
