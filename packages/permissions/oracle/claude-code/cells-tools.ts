/** The client's other tools: their rules, and the behaviour without rules. */

import type { JsonObject } from '@contextd/shared/json/value'
import { runsSkill, startsAgent, type Probe, type Scene } from './scene.ts'

const uses = (tool: string, input: JsonObject, asked = tool): Probe => ({ asked, tool, input })
/** Nothing listens there: allowed calls fail immediately. */
const fetches = (host: string, asked: string): Probe =>
  uses('WebFetch', { url: `http://${host}:9/x`, prompt: 'Say ok.' }, `WebFetch(${asked})`)
const search = uses('WebSearch', { query: 'nothing at all' })

const files: Scene['files'] = {
  'project/.claude/agents/helper.md': '---\nname: helper\ndescription: Helps.\n---\nYou help.\n',
  'project/.claude/agents/other.md': '---\nname: other\ndescription: Helps too.\n---\nYou help.\n',
  'project/.claude/skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets.\n---\nSay hello.\n',
  'project/.claude/skills/leave/SKILL.md': '---\nname: leave\ndescription: Leaves.\n---\nSay good-bye.\n',
}
const probes: readonly Probe[] = [
  fetches('127.0.0.1', 'http://127.0.0.1:9/x'),
  fetches('localhost', 'domain:localhost'),
  startsAgent('helper'),
  startsAgent('other'),
  startsAgent('general-purpose'),
  runsSkill('greet'),
  runsSkill('leave'),
  search,
]

const settings = (permissions: JsonObject): Scene['files'] => ({
  ...files,
  'home/.claude/settings.json': { permissions },
})
const everything = ['WebFetch', 'WebSearch', 'Agent', 'Skill']

/** One for each tool, as they are independent. */
const sets: readonly (readonly string[])[] = [
  ['WebFetch', 'Agent', 'Skill', 'WebSearch'],
  ['WebFetch(*)', 'Agent(*)', 'Skill(*)', 'WebSearch(*)'],
  ['WebFetch(domain:127.0.0.1)', 'Agent(helper)', 'Skill(greet)', 'WebSearch(nothing at all)'],
  ['WebFetch(domain:*)', 'Agent(he*)', 'Skill(gr*)'],
  ['WebFetch(127.0.0.1)', 'Agent(Helper)', 'Skill(Greet)'],
  ['WebFetch(domain:local*)', 'Task(helper)', 'Skill(greet:*)', 'websearch'],
  ['webfetch', 'Task', 'skill'],
]

const odd = (set: readonly string[]): boolean => /\*|Task|127\.0\.0\.1\)$|webfetch|nothing/.test(set.join())
const ruled: Scene[] = sets.flatMap((set) =>
  (['allow', 'ask', 'deny'] as const).map((list) => ({
    name: `${list} ${set.join(' ')}`,
    files: settings(list === 'allow' ? { allow: [...set] } : { allow: everything, [list]: [...set] }),
    probes,
    undocumented: odd(set) ? 'how these rules may be spelt' : undefined,
  })),
)

/** Tools of older clients, of other clients, and unknown ones. */
const unknown: Scene = {
  name: 'tools that are not there',
  files: {
    'home/.claude/settings.json': {
      permissions: { allow: ['Glob', 'Grep', 'LS', 'MultiEdit', 'Foo', 'TodoWrite'] },
    },
  },
  probes: ['Glob', 'Grep', 'LS', 'MultiEdit', 'NotebookRead', 'Foo', 'bash', 'BASH', 'TodoWrite'].map(
    (tool) => uses(tool, {}),
  ),
  undocumented: 'which tools there are',
}

export const toolScenes: readonly Scene[] = [
  { name: 'other tools without a rule', files, probes },
  ...ruled,
  unknown,
]
