/** The names on this machine that rules may refer to. Reads files and an existing store, and creates nothing. */

import { existsSync } from 'node:fs'

import { clientAgents } from '@contextd/permissions/internal/client-agents'
import { LOCAL_TENANT, OWN_SERVER } from '../../../../core/call.ts'
import { resolvePaths } from '../../../../platform/files/paths.ts'
import type { RuleSurroundings } from '../../../../stages/policy/lint/rule-mistakes.ts'
import { parseHostScope } from '../../../../tools/http/host-scope.ts'
import { nameFinder } from '../../../support/known-names.ts'
import { withRecords } from '../../../support/with-runtime.ts'
import type { CliIo } from '@contextd/shared/cli/output'

const maxCalls = 2000

export async function ruleSurroundings(io: CliIo): Promise<RuleSurroundings> {
  const find = nameFinder(io)
  const namesOf = async (kind: 'servers' | 'tools'): Promise<string[]> =>
    (await find(kind)).map(({ value }) => value)
  const { agents, tools } = await storedNames(io)
  tools.set(OWN_SERVER, await namesOf('tools'))
  return {
    servers: [...(await namesOf('servers')), 'model'],
    toolsOf: (server) => tools.get(server),
    agents: ['main', 'default', ...clientAgents({ ...io, secretsIn: () => [] }), ...agents],
    matchesHosts: (scope) => parseHostScope(scope) !== undefined,
  }
}

/** Agents of tokens and of recorded calls, and the pinned tools of other servers. */
async function storedNames(io: CliIo): Promise<{ agents: string[]; tools: Map<string, string[]> }> {
  const tools = new Map<string, string[]>()
  if (!existsSync(resolvePaths(io.env).database)) return { agents: [], tools }
  return withRecords(io, ({ audit, store, tokens }) => {
    for (const { server, tool } of store
      .rows('pins', { tenant: LOCAL_TENANT })
      .iterate({}, { orderBy: 'tool' })) {
      tools.set(String(server), [...(tools.get(String(server)) ?? []), String(tool)])
    }
    const called = audit.query({ kind: 'call', limit: maxCalls }).map(({ agent }) => agent)
    const active = tokens.list().filter(({ revokedAt }) => revokedAt === undefined)
    return { agents: [...active.map(({ agent }) => agent), ...new Set(called)], tools }
  })
}
