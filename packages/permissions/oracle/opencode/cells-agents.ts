/** Built-in agents, and agents in files and configurations, as main agent and as subagent. */

import {
  agentFile,
  calls,
  greps,
  permit,
  plans,
  projectFile,
  reads,
  runs,
  server,
  starts,
  touches,
  userFile,
  writes,
  type Probe,
  type Scene,
} from './scene.ts'

/** A call leaves its trace only once, so each agent has separate files and tools. */
const probesOf = (who: string): readonly Probe[] => [
  touches(`${who}-1`),
  runs('echo yes'),
  reads('./a.txt'),
  writes(`./${who}-2.txt`),
  greps('before'),
  plans,
  starts('helper'),
  starts('general'),
  calls(`${who}_one`),
  calls(`${who}_two`),
]

const subagents = ['general', 'explore', 'helper', 'strict', 'loose', 'both', 'config', 'tooled'] as const
const primaries = ['plan', 'lead', 'moded', 'filemode', 'both'] as const
const names = [...subagents, ...primaries]

const files: Scene['files'] = {
  'project/a.txt': 'before\n',
  [userFile]: {
    agent: { strict: { permission: { bash: 'allow' } } },
    mode: { moded: { permission: { bash: 'deny', edit: 'allow' } } },
  },
  [projectFile]: {
    ...permit({ grep: 'ask', 'probe_*_two': 'deny', edit: { '*': 'allow', '*helper*': 'deny' } }),
    agent: {
      strict: { permission: { grep: 'allow', probe_strict_one: 'deny' } },
      config: { description: 'One.', mode: 'subagent', permission: { '*': 'deny', read: 'allow' } },
      tooled: { description: 'One.', tools: { bash: false, write: false }, permission: { bash: 'ask' } },
      moded: { permission: { bash: 'ask', grep: 'allow' } },
      plan: { permission: { grep: 'allow' } },
    },
    mcp: { probe: server(...new Set(names.flatMap((name) => [`${name}_one`, `${name}_two`]))) },
  },
  'project/.opencode/agent/helper.md': agentFile('subagent'),
  'project/.opencode/agent/strict.md': agentFile('subagent', { '*': 'deny', bash: 'deny', grep: 'ask' }),
  'project/.opencode/agents/loose.md': agentFile('subagent', {
    'probe_*': 'allow',
    edit: 'allow',
    task: 'allow',
    todowrite: 'allow',
  }),
  'project/.opencode/agent/both.md': agentFile('all', { bash: { '*': 'ask', 'echo *': 'allow' } }),
  'home/.config/opencode/agent/lead.md': agentFile('primary', { task: { '*': 'deny', helper: 'allow' } }),
  'project/.opencode/mode/filemode.md': agentFile('subagent', { edit: 'deny' }),
}

/** `both` runs twice, as main agent and as subagent. */
const bySubagents = subagents.map((agent): Scene => ({
  name: `the subagent ${agent}`,
  files,
  agent,
  probes: probesOf(agent),
}))

const byPrimaries = primaries
  .filter((name) => name !== 'both')
  .map((runAs): Scene => ({ name: `the agent ${runAs}`, files, runAs, probes: probesOf(runAs) }))

const deeper = {
  ...files,
  'home/.config/opencode/opencode.jsonc': { subagent_depth: 2, default_agent: 'lead' },
}

export const agentScenes: readonly Scene[] = [
  ...bySubagents,
  ...byPrimaries,
  { name: 'the agent that is chosen', files: deeper, probes: probesOf('lead') },
  { name: 'a subagent that may start others', files: deeper, agent: 'helper', probes: probesOf('helper') },
  {
    name: 'where the first agent is switched off',
    files: { ...files, 'project/opencode.jsonc': { agent: { build: { disable: true } } } },
    probes: probesOf('plan'),
  },
]
