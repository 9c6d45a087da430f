/** Names of agents, servers and tools that do not exist. */

import { OWN_SERVER } from '../../../core/call.ts'
import { nearest } from '@contextd/shared/text/nearest'
import { isWildcard } from '../../../platform/glob.ts'
import type { RulesDocument } from '../rules-schema.ts'
import type { AgentToCheck, FoundMistake, RuleSurroundings } from './rule-mistakes.ts'

export function nameMistakes(checked: AgentToCheck): FoundMistake[] {
  return [...unknownAgent(checked), ...misspelledServers(checked), ...misspelledTools(checked)]
}

function unknownAgent({ id, agent, around }: AgentToCheck): FoundMistake[] {
  const names = [id, ...(agent.aliases ?? [])]
  if (names.some((name) => around.agents.includes(name))) return []
  const near = nearest(id, around.agents)
  const fix =
    near === undefined
      ? `Add the name that a client uses to "aliases", or create a token: \`ctxd agents token create --agent ${id}\`.`
      : `Write ${JSON.stringify(near)}, or add it to "aliases".`
  const message = `no client here has an agent ${JSON.stringify(id)}, and no token or recorded call names it`
  return [{ path: ['agents', id], part: 'key', message, fix }]
}

function misspelledServers({ id, agent, around }: AgentToCheck): FoundMistake[] {
  const inLists = (['allow', 'deny'] as const).flatMap((effect) => {
    const { servers = [], ...lists } = agent[effect] ?? {}
    const listed = servers.map((name, index) => ({ name, path: ['servers', index], part: 'value' as const }))
    const keys = (['tools', 'prompts', 'resources'] as const).flatMap((kind) =>
      Object.keys(lists[kind] ?? {}).map((name) => ({ name, path: [kind, name], part: 'key' as const })),
    )
    return [...listed, ...keys].flatMap(({ name, path, part }) =>
      misspelled('server', name, around.servers, ['agents', id, effect, ...path], part),
    )
  })
  const limited = Object.keys(agent.limits?.servers ?? {}).flatMap((name) =>
    misspelled('server', name, around.servers, ['agents', id, 'limits', 'servers', name], 'key'),
  )
  return [...inLists, ...limited]
}

function misspelledTools({ id, agent, around }: AgentToCheck): FoundMistake[] {
  const listed = (['allow', 'deny'] as const).flatMap((effect) =>
    Object.entries(agent[effect]?.tools ?? {}).flatMap(([server, tools]) =>
      tools.flatMap((tool, index) =>
        misspelled(
          'tool',
          tool,
          around.toolsOf(server) ?? [],
          ['agents', id, effect, 'tools', server, index],
          'value',
        ),
      ),
    ),
  )
  const revealed = (agent.reveal ?? []).flatMap(({ tool }, index) =>
    misspelledPair(tool, around, ['agents', id, 'reveal', index, 'tool'], 'value'),
  )
  const shaped = Object.keys(agent.args ?? {}).flatMap((name) =>
    misspelledPair(name, around, ['agents', id, 'args', name], 'key'),
  )
  return [...listed, ...revealed, ...shaped]
}

/** `<server>.<tool>`, or one of our tools. */
function misspelledPair(
  name: string,
  around: RuleSurroundings,
  path: FoundMistake['path'],
  part: FoundMistake['part'],
): FoundMistake[] {
  const [, server, tool = ''] = /^([^.]+)\.(.+)$/s.exec(name) ?? []
  if (server === undefined) return misspelled('tool', name, around.toolsOf(OWN_SERVER) ?? [], path, part)
  const ofServer = misspelled('server', server, around.servers, path, part, (near) => `${near}.${tool}`)
  if (ofServer.length > 0) return ofServer
  return misspelled('tool', tool, around.toolsOf(server) ?? [], path, part, (near) => `${server}.${near}`)
}

/** Minimum levels for all callers. */
export function requirementMistakes(
  { servers = {}, tools = {} }: NonNullable<RulesDocument['require']>,
  around: RuleSurroundings,
): FoundMistake[] {
  const named = [
    ...Object.keys(servers).map((name) => ({ name, path: ['require', 'servers', name] })),
    ...Object.keys(tools).map((name) => ({ name, path: ['require', 'tools', name] })),
  ]
  return [
    ...named.flatMap(({ name, path }) => misspelled('server', name, around.servers, path, 'key')),
    ...Object.entries(tools).flatMap(([server, levels]) =>
      Object.keys(levels).flatMap((tool) =>
        misspelled('tool', tool, around.toolsOf(server) ?? [], ['require', 'tools', server, tool], 'key'),
      ),
    ),
  ]
}

/** Only with a similar name, because a server may be added, and a tool listed, later. */
function misspelled(
  what: 'server' | 'tool',
  name: string,
  known: readonly string[],
  path: FoundMistake['path'],
  part: FoundMistake['part'],
  write: (near: string) => string = (near) => near,
): FoundMistake[] {
  if (isWildcard(name) || known.includes(name)) return []
  const near = nearest(name, known)
  if (near === undefined) return []
  const message = `there is no ${what} ${JSON.stringify(name)}`
  return [{ path, part, message, fix: `Write ${JSON.stringify(write(near))}.` }]
}
