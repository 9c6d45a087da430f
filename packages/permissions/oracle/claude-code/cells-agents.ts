/** Agents: the effect of their tool lists, which file defines them, and which rules apply in them. */

import { inlineServerScenes, mainAsAgentScenes } from './cells-agents-main.ts'
import { calls, mcpJson, reads, startsAgent, touches, writes, type Probe, type Scene } from './scene.ts'

type Files = Scene['files']

const agentFile = (frontmatter: string): string => `---\n${frontmatter}\n---\nYou do what you are told.\n`
const described = (name: string, more = ''): string =>
  agentFile(`name: ${name}\ndescription: does things${more === '' ? '' : `\n${more}`}`)

const servers: Files = {
  'project/a.txt': 'before\n',
  'project/.mcp.json': mcpJson({ probe: ['act', 'look'], 'a.x': ['act'] }),
  'plugins/solo/.claude-plugin/plugin.json': { name: 'solo' },
  'plugins/solo/.mcp.json': mcpJson({ ctx: ['act', 'solo'] }),
}
const everything = ['Bash', 'mcp__probe', 'mcp__a_x', 'mcp__plugin_solo_ctx', 'Agent']

const probesOf = (name: string): Probe[] => [
  reads('./a.txt'),
  touches(`${name}.txt`),
  calls('mcp__probe__act'),
  calls('mcp__probe__look'),
  calls('mcp__a_x__act'),
  calls('mcp__plugin_solo_ctx__act'),
  startsAgent('Plan'),
]

/** One agent per frontmatter; each tries every kind of tool. */
function agentsWith(
  about: string,
  frontmatters: Readonly<Record<string, string>>,
  rest: Partial<Scene> = {},
): Scene[] {
  const files: Files = {
    ...servers,
    ...Object.fromEntries(
      Object.entries(frontmatters).map(([name, more]) => [
        `project/.claude/agents/${name}.md`,
        described(name, more),
      ]),
    ),
  }
  return Object.entries(frontmatters).map(([name, more]) =>
    Object.assign(
      {
        name: `${about} ${more.replaceAll(/\s*\n\s*/g, ' ')}`,
        files,
        agent: name,
        plugins: ['plugins/solo'],
        cliAllow: everything,
        probes: probesOf(name),
      },
      rest,
    ),
  )
}

const toolLists = agentsWith('agent with', {
  none: '',
  comma: 'tools: Read, mcp__probe__act',
  list: 'tools:\n  - Read\n  - mcp__probe__act',
  flow: 'tools: [Read, "mcp__probe__act"]',
  quoted: 'tools: "Read, mcp__probe__act"',
  all: 'tools: "*"',
  'server-name': 'tools: mcp__probe',
  'server-star': 'tools: mcp__probe__*',
  plugin: 'tools: Read, mcp__plugin_solo_ctx__act',
  task: 'tools: Task, Read',
  'agent-type': 'tools: Agent(general-purpose), Read',
  empty: 'tools:',
  'empty-list': 'tools: []',
  partly: 'tools: Read, Foo, mcp__ctx__act, bash',
  'both-keys': 'tools: Read, Bash\ndisallowedTools: Bash',
  'both-mcp': 'tools: mcp__probe\ndisallowedTools: mcp__probe__act',
  'not-comma': 'disallowedTools: Bash, mcp__probe__act',
  'not-list': 'disallowedTools: [Bash, mcp__probe__act]',
  'not-server': 'disallowedTools: mcp__probe',
  'not-server-star': 'disallowedTools: mcp__probe__*',
  'not-plugin': 'disallowedTools: mcp__plugin_solo_ctx',
  'not-task': 'disallowedTools: Task',
  'not-empty': 'disallowedTools:',
})

const oddLists = agentsWith(
  'agent with',
  {
    blanks: 'tools: Read mcp__probe__act',
    'and-all': 'tools: Read, *',
    'bash-part': 'tools: Bash(git:*), Read',
    'bash-comma': 'tools: Bash(git a, b), Read',
    'mcp-part': 'tools: mcp__probe__act(*)',
    number: 'tools: 5',
    map: 'tools:\n  Read: true',
    'name-star': 'tools: Read, mcp__probe__a*',
    'mcp-all': 'tools: Read, mcp__*',
    'mcp-some': 'tools: Read, mcp__pro*',
    original: 'tools: Read, mcp__a.x__act, mcp__a.x',
    'only-unknown': 'tools: Foo',
    'only-wrong-case': 'tools: read, bash',
    'only-wrong-prefix': 'tools: mcp__ctx__act, mcp__solo',
    'not-all-mcp': 'disallowedTools: mcp__*',
    'not-some-mcp': 'disallowedTools: mcp__pro*',
    'not-name-star': 'disallowedTools: mcp__probe__a*',
    'not-all': 'disallowedTools: "*"',
    'not-bash-part': 'disallowedTools: Bash(git:*)',
    'not-read-part': 'disallowedTools: Read(./a.txt)',
    'not-mcp-part': 'disallowedTools: mcp__probe__act(*)',
    'not-case': 'disallowedTools: bash, mcp__Probe__act',
    'not-original': 'disallowedTools: mcp__a.x__act, mcp__a.x',
    'not-short': 'disallowedTools: mcp__ctx, mcp__solo__act, plugin:solo:ctx',
    dashed: 'disallowed-tools: Bash',
    'other-key': 'allowed-tools: Read',
  },
  { undocumented: 'the documentation shows whole names only' },
)

// Which file defines an agent. The two definitions differ in their tools: one can read, the other can run commands.

const reading = (name: string): string => described(name, 'tools: Read')
const running = (name: string): string => described(name, 'tools: Bash')

const places: Readonly<Record<string, Files>> = {
  'in-both': {
    'project/.claude/agents/in-both.md': reading('in-both'),
    'home/.claude/agents/in-both.md': running('in-both'),
  },
  'in-home': { 'home/.claude/agents/in-home.md': running('in-home') },
  'in-folder': { 'project/.claude/agents/deep/er/in-folder.md': reading('in-folder') },
  'other-file': { 'project/.claude/agents/file.md': reading('other-file') },
  'with-mark': { 'project/.claude/agents/with-mark.md': `\uFEFF${reading('with-mark')}` },
  'other-lines': {
    'project/.claude/agents/other-lines.md': reading('other-lines').replaceAll('\n', '\r\n'),
  },
  colons: {
    'project/.claude/agents/colons.md': agentFile(
      'name: colons\ndescription: use when: always, for example this: that\ntools: Read',
    ),
  },
  'key-twice': { 'project/.claude/agents/key-twice.md': described('key-twice', 'tools: Read\ntools: Bash') },
  managed: {
    'managed/.claude/agents/managed.md': reading('managed'),
    'project/.claude/agents/managed.md': running('managed'),
  },
  undescribed: {
    'project/.claude/agents/undescribed.md': agentFile('name: undescribed\ntools: Read'),
    'home/.claude/agents/undescribed.md': running('undescribed'),
  },
  broken: {
    'project/.claude/agents/broken.md': agentFile('name: broken\ndescription: "x\ntools: [Read'),
    'home/.claude/agents/broken.md': running('broken'),
  },
  'empty-line': {
    'project/.claude/agents/empty-line.md': `\n${reading('empty-line')}`,
    'home/.claude/agents/empty-line.md': running('empty-line'),
  },
}
const placeFiles: Files = Object.assign({ ...servers }, ...Object.values(places))
const fileProbes = (name: string): Probe[] => [
  reads('./a.txt'),
  touches(`${name}.txt`),
  calls('mcp__probe__act'),
]

const fileScenes: Scene[] = [
  ...Object.keys(places).map((agent) => ({
    name: `where an agent stands: ${agent}`,
    files: placeFiles,
    agent,
    cliAllow: everything,
    probes: fileProbes(agent),
  })),
  {
    name: 'where an agent stands: in-both, workspace not accepted',
    files: placeFiles,
    isUntrusted: true,
    agent: 'in-both',
    cliAllow: everything,
    probes: fileProbes('in-both'),
  },
  {
    name: 'agent called like one of the client',
    files: {
      ...servers,
      'project/.claude/agents/own.md': described('general-purpose', 'tools: Read'),
    },
    agent: 'general-purpose',
    cliAllow: everything,
    probes: fileProbes('own'),
  },
  ...['general-purpose', 'Explore', 'Plan', 'statusline-setup'].map((agent) => ({
    name: `agent of the client: ${agent}`,
    files: servers,
    agent,
    plugins: ['plugins/solo'],
    cliAllow: everything,
    probes: [...probesOf(agent), writes(`./${agent}.md`)],
  })),
]

// Rules in agents, and their permission mode.

const both = described('x', 'tools: Read, Bash, Write, Edit, mcp__probe__act, mcp__probe__look')
const ruleProbes = [
  reads('./a.txt'),
  touches('x.txt'),
  writes('./y.txt'),
  calls('mcp__probe__act'),
  calls('mcp__probe__look'),
]
const insideRules: Readonly<Record<string, Partial<Scene>>> = {
  'nothing allowed': {},
  'rules of the user': {
    files: {
      'home/.claude/settings.json': {
        permissions: {
          allow: ['mcp__probe__look', 'Bash(touch:*)'],
          ask: ['Read'],
          deny: ['mcp__probe__act', 'Edit(./y.txt)'],
        },
      },
    },
  },
  'rules of the project': {
    files: {
      'project/.claude/settings.json': {
        permissions: { allow: ['mcp__probe', 'Edit'], ask: ['mcp__probe__look'], deny: ['Bash'] },
      },
    },
  },
  'rules of the administrator': {
    files: {
      'managed/managed-settings.json': {
        permissions: { allow: ['mcp__probe'], deny: ['mcp__*__look', 'Read(./a.txt)'] },
      },
    },
  },
  'rules of the command line': { cliAllow: ['Bash', 'mcp__probe'], cliDeny: ['mcp__probe__act', 'Read'] },
}

const insideScenes: Scene[] = Object.entries(insideRules).map(([what, rest]) =>
  Object.assign({ name: `agent, ${what}`, agent: 'x', probes: ruleProbes }, rest, {
    files: { ...servers, 'project/.claude/agents/x.md': both, ...rest.files },
  }),
)

const modes = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions', 'nonsense']
const modeFiles: Files = {
  ...servers,
  ...Object.fromEntries(
    modes.map((mode) => [
      `project/.claude/agents/in-${mode}.md`,
      described(`in-${mode}`, `permissionMode: ${mode}`),
    ]),
  ),
}
const modeProbes = (mode: string): Probe[] => [
  reads('./a.txt'),
  touches(`${mode}.txt`),
  writes(`./${mode}.md`),
  calls('mcp__probe__act'),
]

const modeScenes: Scene[] = (['default', 'acceptEdits', 'bypassPermissions'] as const).flatMap((session) =>
  modes.map((mode) => ({
    name: `agent in mode ${mode}, session in mode ${session}`,
    files: modeFiles,
    mode: session,
    agent: `in-${mode}`,
    probes: modeProbes(mode),
  })),
)

const ofPlugin: Readonly<Record<string, string>> = {
  'with-tools': 'tools: Read, mcp__plugin_solo_ctx__act, mcp__ctx__look',
  without: 'disallowedTools: mcp__plugin_solo_ctx, Bash',
  'without-short': 'disallowedTools: mcp__ctx, mcp__solo',
  'with-mode': 'permissionMode: acceptEdits',
}
const pluginFiles: Files = {
  ...servers,
  ...Object.fromEntries(
    Object.entries(ofPlugin).map(([name, more]) => [`plugins/solo/agents/${name}.md`, described(name, more)]),
  ),
}
const pluginScenes: Scene[] = Object.entries(ofPlugin).map(([name, more]) => ({
  name: `agent of a plugin with ${more}`,
  files: pluginFiles,
  plugins: ['plugins/solo'],
  agent: `solo:${name}`,
  cliAllow: ['mcp__probe', 'mcp__plugin_solo_ctx'],
  probes: [...probesOf(name), writes(`./${name}.md`)],
}))

export const agentScenes: readonly Scene[] = [
  ...toolLists,
  ...oddLists,
  ...fileScenes,
  ...insideScenes,
  ...modeScenes,
  ...pluginScenes,
  ...mainAsAgentScenes,
  ...inlineServerScenes,
]
