/** Every tool, with and without rules for it. */

import type { JsonObject } from '@contextd/shared/json/value'
import {
  agentFile,
  calls,
  circles,
  edits,
  fetches,
  globs,
  greps,
  loads,
  permit,
  plans,
  projectFile,
  reads,
  repository,
  runs,
  server,
  starts,
  touches,
  writes,
  type Probe,
  type Scene,
} from './scene.ts'

const skill = (name: string): string => `---\nname: ${name}\ndescription: ${name}s.\n---\nSay ${name}.\n`

const files: Scene['files'] = {
  'project/a.txt': 'before\n',
  'project/.env': 'before\n',
  'project/.env.example': 'before\n',
  'project/sub/deep.txt': 'before\n',
  'project/.opencode/agent/helper.md': agentFile('subagent'),
  'project/.opencode/agent/other.md': agentFile('subagent'),
  'project/.opencode/skills/greet/SKILL.md': skill('greet'),
  'project/.opencode/skills/leave/SKILL.md': skill('leave'),
  'outside/b.txt': 'before\n',
  'outside/inner/c.txt': 'before\n',
  'home/d.txt': 'before\n',
}

const probes: readonly Probe[] = [
  touches('x1'),
  runs('cat $ROOT/outside/b.txt'),
  runs('cat ~/d.txt'),
  runs('ls $ROOT/outside'),
  runs('cd $ROOT/outside && ls'),
  runs('mkdir -p $ROOT/outside/inner/new'),
  reads('./a.txt'),
  reads('./.env'),
  reads('./.env.example'),
  reads('./sub/deep.txt'),
  reads('./missing.txt'),
  reads('$ROOT/outside/b.txt'),
  reads('$ROOT/outside/inner/c.txt'),
  reads('$ROOT/outside'),
  reads('~/d.txt'),
  writes('./y1.txt'),
  writes('./sub/y2.txt'),
  writes('$ROOT/outside/y3.txt'),
  edits('./sub/deep.txt'),
  globs('*.txt'),
  globs('sub/**'),
  greps('before'),
  greps('after'),
  fetches('one'),
  starts('helper'),
  starts('other'),
  starts('general'),
  starts('nobody'),
  loads('greet'),
  loads('leave'),
  plans,
  calls('one'),
  calls('two'),
  circles('round'),
]

const straight = probes.filter(({ times }) => times === undefined)

const scene = (
  name: string,
  permission: string | JsonObject | undefined,
  more: Partial<Scene> = {},
): Scene => ({
  name,
  files: {
    ...files,
    ...more.files,
    [projectFile]: {
      ...(permission !== undefined && permit(permission)),
      mcp: { probe: server('one', 'two') },
    },
  },
  // The model cannot repeat calls of a tool that it does not see.
  probes: more.probes ?? probes,
})

const each = (word: string): JsonObject =>
  Object.fromEntries(
    'bash read edit glob grep webfetch task skill todowrite external_directory doom_loop probe_one'
      .split(' ')
      .map((tool) => [tool, word]),
  )

export const toolScenes: readonly Scene[] = [
  scene('patterns for every tool, in a repository', byPattern(), { files: repository }),
  scene('tools without a rule', undefined),
  scene('one word for everything: ask', 'ask'),
  scene('one word for everything: deny', 'deny', { probes: straight }),
  scene('ask for every tool', each('ask')),
  scene('allow for every tool', each('allow')),
  scene('deny for every tool', { ...each('deny'), doom_loop: 'allow' }, { probes: straight }),
  scene('patterns for every tool, in no repository', byPattern()),
]

function byPattern(): JsonObject {
  return {
    bash: { '*': 'allow', 'touch *': 'deny', 'cat *outside*': 'ask' },
    read: { '*': 'allow', 'a.txt': 'deny', '*/deep.txt': 'ask', '../*/b.txt': 'deny' },
    edit: { '*': 'deny', 'sub/*': 'allow', '*y1.txt': 'ask' },
    glob: { '*': 'allow', 'sub/*': 'deny' },
    grep: { '*': 'allow', aft: 'deny', 'aft??': 'ask' },
    task: { '*': 'deny', 'h*': 'allow', general: 'ask' },
    skill: { '*': 'ask', greet: 'allow', 'l*': 'deny' },
    external_directory: {
      '*': 'deny',
      '$ROOT/outside/*': 'allow',
      '$ROOT/outside/inner/*': 'ask',
      '~/*': 'allow',
    },
    doom_loop: 'allow',
    probe_one: { '*': 'ask' },
    probe_two: { x: 'deny' },
  }
}
