/** The main conversation as an agent, agents that start agents, and servers that only an agent has. */

import type { JsonObject } from '@contextd/shared/json/value'
import { calls, mcpJson, reads, startsAgent, touches, writes, type Scene } from './scene.ts'

type Files = Scene['files']

const described = (name: string, more: string): string =>
  `---\nname: ${name}\ndescription: does things\n${more}\n---\nYou do what you are told.\n`

const servers: Files = {
  'project/a.txt': 'before\n',
  'project/.mcp.json': mcpJson({ probe: ['act', 'look'] }),
}
const lead = (more: string): Files => ({
  ...servers,
  'project/.claude/agents/lead.md': described('lead', more),
})
const everything = ['Bash', 'mcp__probe', 'mcp__own', 'Agent']
const probes = [
  reads('./a.txt'),
  touches('x.txt'),
  writes('./y.txt'),
  calls('mcp__probe__act'),
  calls('mcp__probe__look'),
  startsAgent('Plan'),
  startsAgent('Explore'),
]

const frontmatters = [
  'tools: Read, mcp__probe__act',
  'tools: mcp__probe, Task',
  'tools: Agent(Plan), Read',
  'tools: Task(Plan, Explore), Read',
  'tools: Bash(git:*)',
  'tools:',
  'tools: Foo, mcp__nowhere__act',
  'disallowedTools: mcp__probe, Bash(git:*)',
  'disallowedTools: mcp__pro*, mcp__probe__l*, bash',
]
const withMode = ['permissionMode: acceptEdits', 'permissionMode: plan', 'permissionMode: bypassPermissions']

const settingsAt = {
  user: 'home/.claude/settings.json',
  project: 'project/.claude/settings.json',
  local: 'project/.claude/settings.local.json',
} as const

export const mainAsAgentScenes: readonly Scene[] = [
  ...frontmatters.map((more) => ({
    name: `main conversation as an agent with ${more}`,
    files: lead(more),
    runAs: 'lead',
    cliAllow: everything,
    probes,
  })),
  ...withMode.map((more) => ({
    name: `main conversation as an agent with ${more}`,
    files: lead(more),
    runAs: 'lead',
    probes,
    undocumented: 'the mode of the agent does not become that of the session',
  })),
  {
    name: 'agent started by a main conversation that has less',
    files: lead('disallowedTools: mcp__probe, Bash'),
    runAs: 'lead',
    agent: 'general-purpose',
    cliAllow: everything,
    probes,
  },
  {
    name: 'agent with tools: Agent(Plan), which starts others',
    files: lead('tools: Agent(Plan), Read'),
    agent: 'lead',
    cliAllow: everything,
    probes,
    undocumented: 'which agents an agent may start is not held to inside agents',
  },
  ...(['user', 'project', 'local'] as const).map((level) => ({
    name: `main conversation as the agent of ${level} settings`,
    files: { ...lead('tools: Read, mcp__probe__act'), [settingsAt[level]]: { agent: 'lead' } },
    cliAllow: everything,
    probes,
  })),
  {
    name: 'main conversation as the agent of project settings, workspace not accepted',
    files: { ...lead('tools: Read, mcp__probe__act'), [settingsAt.project]: { agent: 'lead' } },
    isUntrusted: true,
    cliAllow: everything,
    probes,
    undocumented: 'what counts in a workspace nobody accepted is nowhere described',
  },
  {
    name: 'main conversation as one agent, settings name another',
    files: {
      ...lead('tools: Read'),
      'project/.claude/agents/other.md': described('other', 'tools: Bash'),
      [settingsAt.user]: { agent: 'other' },
    },
    runAs: 'lead',
    cliAllow: everything,
    probes,
  },
  {
    name: 'project and user settings name different agents',
    files: {
      ...lead('tools: Read'),
      'project/.claude/agents/other.md': described('other', 'tools: Bash'),
      [settingsAt.user]: { agent: 'lead' },
      [settingsAt.project]: { agent: 'other' },
    },
    cliAllow: everything,
    probes,
  },
  {
    name: 'settings name an agent that does not exist',
    files: { ...servers, [settingsAt.user]: { agent: 'nobody' } },
    cliAllow: everything,
    probes,
    undocumented: 'ignored without a word',
  },
  {
    name: 'the settings of a plugin name an agent',
    files: {
      ...servers,
      'plugins/solo/.claude-plugin/plugin.json': { name: 'solo' },
      'plugins/solo/settings.json': { agent: 'lead' },
      'plugins/solo/agents/lead.md': described('lead', 'disallowedTools: mcp__probe__act'),
    },
    plugins: ['plugins/solo'],
    cliAllow: everything,
    probes,
  },
  {
    name: 'agents denied and asked for by their type',
    files: {
      ...servers,
      'home/.claude/settings.json': {
        permissions: { deny: ['Agent(Plan)', 'Task(Explore)'], ask: ['Agent(claude)'] },
      },
    },
    probes: ['Plan', 'Explore', 'claude', 'general-purpose'].map(startsAgent),
  },
]

const own = [
  'mcpServers:',
  '  - own:',
  '      type: stdio',
  '      command: $NODE',
  '      args: ["$SERVER", "$ROOT/calls.txt", "act", "own"]',
].join('\n')
const ownAsMap = own.replace('  - own:', '  own:').replaceAll('      ', '    ')
const ownProbes = [
  calls('mcp__own__act'),
  calls('mcp__probe__act'),
  calls('mcp__plugin_solo_ctx__act'),
  reads('./a.txt'),
]
const serverLists: Readonly<Record<string, string>> = {
  'own-server': own,
  'own-and-tools': `tools: Read\n${own}`,
  'own-in-tools': `tools: mcp__own__act\n${own}`,
  'own-not-in-tools': `disallowedTools: mcp__own__act\n${own}`,
  'own-in-a-map': ownAsMap,
  'by-name': 'mcpServers: [probe]',
  'by-short-name': 'mcpServers: [ctx]',
  'by-short-name-and-tools': 'tools: mcp__ctx__act, Read\nmcpServers: [ctx]',
  'by-whole-name': 'mcpServers: ["plugin:solo:ctx"]',
  'by-no-name': 'mcpServers: [nowhere]',
}
const serverListFiles: Files = {
  ...servers,
  'plugins/solo/.claude-plugin/plugin.json': { name: 'solo' },
  'plugins/solo/.mcp.json': mcpJson({ ctx: ['act', 'solo'] }),
  ...Object.fromEntries(
    Object.entries(serverLists).map(([name, more]) => [
      `project/.claude/agents/${name}.md`,
      described(name, more),
    ]),
  ),
}

const managed = (settings: JsonObject): Files => ({ 'managed/managed-settings.json': settings })

export const inlineServerScenes: readonly Scene[] = [
  ...Object.keys(serverLists).map((agent) => ({
    name: `servers of an agent: ${agent}`,
    files: serverListFiles,
    plugins: ['plugins/solo'],
    agent,
    cliAllow: [...everything, 'mcp__plugin_solo_ctx'],
    probes: ownProbes,
    undocumented: 'the documentation does not say what names in this list do',
  })),
  {
    name: 'agent with a server of its own, nothing allowed',
    files: lead(own),
    agent: 'lead',
    probes: ownProbes,
  },
  {
    name: 'main conversation beside an agent with a server of its own',
    files: lead(own),
    cliAllow: everything,
    probes: ownProbes,
  },
  {
    name: 'main conversation as an agent with a server of its own',
    files: lead(own),
    runAs: 'lead',
    cliAllow: everything,
    probes: ownProbes,
  },
  {
    name: 'agent with a server of its own, workspace not accepted',
    files: lead(own),
    isUntrusted: true,
    agent: 'lead',
    cliAllow: everything,
    probes: ownProbes,
    undocumented: 'what counts in a workspace nobody accepted is nowhere described',
  },
  {
    name: 'agent of the home with a server of its own, workspace not accepted',
    files: { ...servers, 'home/.claude/agents/lead.md': described('lead', own) },
    isUntrusted: true,
    agent: 'lead',
    cliAllow: everything,
    probes: ownProbes,
    undocumented: 'what counts in a workspace nobody accepted is nowhere described',
  },
  {
    name: 'agent of a plugin with a server of its own',
    files: {
      ...servers,
      'plugins/solo/.claude-plugin/plugin.json': { name: 'solo' },
      'plugins/solo/agents/lead.md': described('lead', own),
    },
    plugins: ['plugins/solo'],
    agent: 'solo:lead',
    cliAllow: everything,
    probes: ownProbes,
  },
  {
    name: 'agent with a server of its own, denied by the administrator',
    files: { ...lead(own), ...managed({ deniedMcpServers: [{ serverName: 'own' }] }) },
    agent: 'lead',
    cliAllow: everything,
    probes: ownProbes,
  },
  {
    name: 'agent with a server of its own, the administrator defines all servers',
    files: { ...lead(own), 'managed/managed-mcp.json': mcpJson({}) },
    agent: 'lead',
    cliAllow: everything,
    probes: ownProbes,
  },
  {
    name: 'agent with a hook that cannot be loaded, and another of its name in the home',
    files: {
      ...lead('tools: Read\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: pigeon'),
      'home/.claude/agents/lead.md': described('lead', 'tools: mcp__probe__act'),
    },
    agent: 'lead',
    cliAllow: everything,
    probes: ownProbes,
    undocumented: 'such an agent does not exist for the client',
  },
]
