/** Capabilities, `reveal` and `memory` that do not belong together, and grants that match nothing. */

import { formatCapability, parseCapability, type CapabilityKind } from '../../../core/capability.ts'
import { subtractCapabilities } from '../capability-grants.ts'
import { formatRulePath } from '../rule-path.ts'
import type { AgentToCheck, FoundMistake } from './rule-mistakes.ts'

export function grantMistakes(checked: AgentToCheck): FoundMistake[] {
  return [
    ...uselessScopes(checked),
    ...deniedGrants(checked),
    ...revealMistakes(checked),
    ...memoryMistakes(checked),
  ]
}

function uselessScopes({ id, agent, around }: AgentToCheck): FoundMistake[] {
  return (['allow', 'deny'] as const).flatMap((effect) =>
    (agent[effect]?.capabilities ?? []).flatMap((text, index): FoundMistake[] => {
      const { kind, scope } = parseCapability(text) ?? {}
      if (scope === undefined) return []
      const path = ['agents', id, effect, 'capabilities', index]
      const quoted = JSON.stringify(text)
      if (kind === 'http:fetch' && !around.matchesHosts(scope)) {
        const effectText =
          effect === 'allow'
            ? 'matches no host'
            : 'matches no host, so no http:fetch grant of the agent works'
        return [{ path, part: 'value', message: `${quoted} ${effectText}`, fix: hostFix(scope, around) }]
      }
      if ((kind === 'fs:read' || kind === 'fs:write') && isUndefinedPath(scope)) {
        return [
          {
            path,
            part: 'value',
            message: `${quoted} matches nothing: ".." after a wildcard has no meaning`,
            fix: 'Write the path without "..".',
          },
        ]
      }
      return []
    }),
  )
}

/** The host of what looks like a web address. */
function hostFix(scope: string, { matchesHosts }: AgentToCheck['around']): string {
  const [, methods = '', host = ''] = /^([A-Za-z,]+@)?(?:[a-z]+:\/\/)?([^/?#@\s]+)/.exec(scope) ?? []
  return matchesHosts(`${methods}${host}`)
    ? `Write ${JSON.stringify(`http:fetch:${methods}${host}`)}; paths cannot be granted.`
    : 'Write http:fetch:[METHOD,…@]<host>[:<port>], such as "http:fetch:api.example.com".'
}

function isUndefinedPath(scope: string): boolean {
  const names = scope.split('/')
  const wild = names.findIndex((name) => /[*?]/.test(name))
  return wild !== -1 && names.indexOf('..', wild) !== -1
}

function deniedGrants({ id, agent: { allow, deny } }: AgentToCheck): FoundMistake[] {
  const denied = (deny?.capabilities ?? []).map((text) => parseCapability(text)!)
  return (allow?.capabilities ?? []).flatMap((text, index): FoundMistake[] => {
    if (subtractCapabilities([parseCapability(text)!], denied).length > 0) return []
    const list = formatRulePath(['agents', id, 'deny', 'capabilities'])
    return [
      {
        path: ['agents', id, 'allow', 'capabilities', index],
        part: 'value',
        message: `${JSON.stringify(text)} grants nothing: ${list} denies all of it`,
        fix: 'Remove one of the two.',
      },
    ]
  })
}

function revealMistakes(checked: AgentToCheck): FoundMistake[] {
  const { id, agent } = checked
  const isGranted = grants(checked, 'secret:reveal')
  if (agent.reveal !== undefined && !isGranted) {
    return [
      {
        path: ['agents', id, 'reveal'],
        part: 'key',
        message: 'nothing is revealed: the agent is not granted secret:reveal',
        fix: addCapability(checked, 'secret:reveal'),
      },
    ]
  }
  const index = agent.allow?.capabilities?.indexOf('secret:reveal') ?? -1
  if (agent.reveal !== undefined || !isGranted || index === -1) return []
  return [
    {
      path: ['agents', id, 'allow', 'capabilities', index],
      part: 'value',
      message: '"secret:reveal" reveals nothing: no reveal rule names a tool',
      fix: `Add ${formatRulePath(['agents', id, 'reveal'])}, such as [{ "tool": "http_fetch", "host": "api.example.com" }].`,
    },
  ]
}

function memoryMistakes(checked: AgentToCheck): FoundMistake[] {
  const { id, agent, rules } = checked
  const scopes = rules.agents.get(id)?.memory
  return (['read', 'write'] as const).flatMap((use): FoundMistake[] => {
    const kind = `memory:${use}` as const
    const isGranted = grants(checked, kind)
    const list = ['agents', id, 'memory', use]
    if (agent.memory?.[use] !== undefined && !isGranted) {
      return [
        {
          path: list,
          part: 'key',
          message: `names memories that the agent cannot ${use}: it is not granted ${kind}`,
          fix: addCapability(checked, kind),
        },
      ]
    }
    const index = agent.allow?.capabilities?.findIndex((text) => parseCapability(text)?.kind === kind) ?? -1
    if (index === -1 || !isGranted || (scopes?.[use] ?? []).length > 0) return []
    return [
      {
        path: ['agents', id, 'allow', 'capabilities', index],
        part: 'value',
        message: `"${kind}" reaches no memory: ${formatRulePath(list)} names none`,
        fix: `Add ${formatRulePath(list)}: ["project"].`,
      },
    ]
  })
}

function grants({ id, rules }: AgentToCheck, wanted: CapabilityKind): boolean {
  return rules.agents.get(id)?.grants.some(({ kind }) => kind === wanted) ?? false
}

/** The list replaces the built-in capabilities, so an agent that has those must repeat them. */
function addCapability({ id, agent, rules }: AgentToCheck, kind: CapabilityKind): string {
  const place = formatRulePath(['agents', id, 'allow', 'capabilities'])
  if (agent.allow?.capabilities !== undefined) return `Add "${kind}" to ${place}.`
  const own = (rules.agents.get(id)?.grants ?? []).map(formatCapability)
  return `Write ${place}: ${JSON.stringify([...own, kind])}.`
}
