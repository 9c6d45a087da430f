/** Precedence of two rules for one tool, for all pairs of places. */

import type { JsonObject } from '@contextd/shared/json/value'
import { calls, permit, projectFile, server, userFile, type Scene } from './scene.ts'

/** In ascending order of precedence. */
const levels = [
  'user',
  'named',
  'project',
  'folder',
  'home',
  'extra',
  'content',
  'managed',
  'variable',
] as const
type Level = (typeof levels)[number]
interface Spot {
  readonly level: Level
  readonly action: 'allow' | 'deny'
}

const others = { allow: 'deny', deny: 'allow' } as const
/** Each alone, and all pairs that conflict. */
const actions = ['allow', 'deny'] as const
const alone = levels.flatMap((level) => actions.map((action): readonly Spot[] => [{ level, action }]))
const twos = levels.flatMap((level, at) =>
  levels.slice(at + 1).flatMap((other) =>
    actions.map((action): readonly Spot[] => [
      { level, action },
      { level: other, action: others[action] },
    ]),
  ),
)
const pairs = [...alone, ...twos]

const nameOf = (pair: readonly Spot[]): string =>
  pair.map(({ level, action }) => `${level}-${action}`).join('_')

const rulesAt = (level: Level): JsonObject =>
  Object.fromEntries(
    pairs.flatMap((pair) =>
      pair
        .filter((spot) => spot.level === level)
        .map(({ action }) => [`probe_${nameOf(pair)}`, action] as const),
    ),
  )

const content = { ...permit(rulesAt('content')), mcp: { probe: server(...pairs.map(nameOf)) } }

export const levelScenes: readonly Scene[] = [
  {
    name: 'two rules in two places',
    files: {
      [userFile]: permit(rulesAt('user')),
      'more.json': permit(rulesAt('named')),
      [projectFile]: permit(rulesAt('project')),
      'project/.opencode/opencode.json': permit(rulesAt('folder')),
      'home/.opencode/opencode.json': permit(rulesAt('home')),
      'extra/opencode.json': permit(rulesAt('extra')),
      'managed/opencode.json': permit(rulesAt('managed')),
    },
    env: {
      OPENCODE_CONFIG: '$ROOT/more.json',
      OPENCODE_CONFIG_DIR: '$ROOT/extra',
      OPENCODE_CONFIG_CONTENT: JSON.stringify(content),
      OPENCODE_PERMISSION: JSON.stringify(rulesAt('variable')),
    },
    probes: pairs.map((pair) => calls(nameOf(pair))),
    undocumented: 'which place is stronger, for all of them',
  },
]
