/** Names of agents, servers and tools that do not exist. */

import { OWN_SERVER } from '../../../core/call.ts'
import { nearest } from '@contextd/shared/text/nearest'
import { isWildcard } from '../../../platform/glob.ts'
import type { AgentToCheck, FoundMistake } from './rule-mistakes.ts'

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
  return (['allow', 'deny'] as const).flatMap((effect) => {
    const { servers = [], ...lists } = agent[effect] ?? {}
    const listed = servers.map((name, index) => ({ name, path: ['servers', index], part: 'value' as const }))
    const keys = (['tools', 'prompts', 'resources'] as const).flatMap((kind) =>
      Object.keys(lists[kind] ?? {}).map((name) => ({ name, path: [kind, name], part: 'key' as const })),
    )
    return [...listed, ...keys].flatMap(({ name, path, part }) =>
      misspelled('server', name, around.servers, ['agents', id, effect, ...path], part),
    )
  })
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
  const own = around.toolsOf(OWN_SERVER) ?? []
  const revealed = (agent.reveal ?? []).flatMap(({ tool }, index) =>
    misspelled('tool', tool, own, ['agents', id, 'reveal', index, 'tool'], 'value'),
  )
  return [...listed, ...revealed]
}

/** Only with a similar name, because a server may be added, and a tool listed, later. */
function misspelled(
  what: 'server' | 'tool',
  name: string,
  known: readonly string[],
  path: FoundMistake['path'],
  part: FoundMistake['part'],
): FoundMistake[] {
  if (isWildcard(name) || known.includes(name)) return []
  const near = nearest(name, known)
  if (near === undefined) return []
  const message = `there is no ${what} ${JSON.stringify(name)}`
  return [{ path, part, message, fix: `Write ${JSON.stringify(near)}.` }]
}
