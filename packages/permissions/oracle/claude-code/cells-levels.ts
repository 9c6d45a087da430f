/** Precedence of two rules for one tool, for all pairs of levels and lists. */

import { levels, type Level } from '../../src/claude-code/setup/setup.ts'
import { calls, mcpJson, touches, writes, type Probe, type Scene } from './scene.ts'

type List = 'allow' | 'ask' | 'deny'
interface Spot {
  readonly level: Level
  readonly list: List
}

/** There is no flag for ask rules. */
const spots: Spot[] = levels.flatMap((level) =>
  (['allow', 'ask', 'deny'] as const)
    .filter((list) => level !== 'cli' || list !== 'ask')
    .map((list) => ({ level, list })),
)

/** All pairs, and each alone. */
const pairs: [Spot, Spot][] = spots.flatMap((one, at) =>
  spots.slice(at).map((other): [Spot, Spot] => [one, other]),
)

interface Kind {
  readonly name: string
  readonly rule: (tool: string) => string
  readonly probe: (tool: string) => Probe
}

/** Each pair has a separate tool, command or file, so that all of them fit into one run. */
const kinds: readonly Kind[] = [
  {
    name: 'an MCP tool',
    rule: (tool) => `mcp__probe__${tool}`,
    probe: (tool) => calls(`mcp__probe__${tool}`),
  },
  { name: 'a command', rule: (tool) => `Bash(touch ${tool})`, probe: touches },
  { name: 'a file', rule: (tool) => `Edit(${tool})`, probe: (tool) => writes(`./${tool}`) },
]

const nameOf = ([one, other]: [Spot, Spot]): string =>
  [one, other].map(({ level, list }) => `${level}-${list}`).join('_')

function sceneOf({ name, rule, probe }: Kind, isUntrusted: boolean): Scene {
  const rulesAt = ({ level, list }: Spot): string[] =>
    pairs
      .filter((pair) => pair.some((spot) => spot.level === level && spot.list === list))
      .map((pair) => rule(nameOf(pair)))
  const settingsAt = (level: Level): { permissions: Record<List, string[]> } => ({
    permissions: {
      allow: rulesAt({ level, list: 'allow' }),
      ask: rulesAt({ level, list: 'ask' }),
      deny: rulesAt({ level, list: 'deny' }),
    },
  })
  return {
    name: `two rules about ${name}${isUntrusted ? ', untrusted' : ''}`,
    files: {
      'managed/managed-settings.json': settingsAt('managed'),
      'home/.claude/settings.json': settingsAt('user'),
      'project/.claude/settings.json': settingsAt('project'),
      'project/.claude/settings.local.json': settingsAt('local'),
      'project/.mcp.json': mcpJson({ probe: pairs.map(nameOf) }),
    },
    cliAllow: rulesAt({ level: 'cli', list: 'allow' }),
    cliDeny: rulesAt({ level: 'cli', list: 'deny' }),
    probes: pairs.map((pair) => probe(nameOf(pair))),
    isUntrusted,
  }
}

export const levelScenes: readonly Scene[] = kinds.flatMap((kind) => [
  sceneOf(kind, false),
  sceneOf(kind, true),
])
