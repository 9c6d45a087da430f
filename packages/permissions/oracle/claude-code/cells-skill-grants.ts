/** What a skill allows and denies once it runs. */

import { calls, mcpJson, reads, runs, touches, writes, type Probe, type Scene } from './scene.ts'
import { head } from './skill-files.ts'

type Files = Scene['files']

const base: Files = {
  'project/.mcp.json': mcpJson({ probe: ['act', 'look'] }),
  'project/.claude/settings.local.json': { enableAllProjectMcpServers: true },
  'project/a.txt': 'a',
  'outside/b.txt': 'b',
}
const allowed = { 'home/.claude/settings.json': { permissions: { allow: ['Skill', 'Bash(rmdir:*)'] } } }

const probes: readonly Probe[] = [
  touches('a.new'),
  touches('b.new'),
  runs('mkdir made', 'made'),
  runs('mkdir made2 && touch c.new', 'made2'),
  writes('./w.txt'),
  reads('./a.txt'),
  reads('/$ROOT/outside/b.txt'),
  runs('cat $ROOT/outside/b.txt'),
  calls('mcp__probe__act'),
  calls('mcp__probe__look'),
]

const forms: Readonly<Record<string, string>> = {
  'a list with commas and blanks': 'allowed-tools: Bash(touch a*), Write mcp__probe__act',
  'a list of YAML': 'allowed-tools:\n  - Bash(touch:*)\n  - "Bash(mkdir *), mcp__probe"\n  - 5',
  'the whole of a tool': 'allowed-tools: Bash, Edit, Read',
  'the whole of a tool by stars': 'allowed-tools: [Bash(*), Write(*), "Read(*)"]',
  'paths and parentheses': 'allowed-tools: Edit(./*) Read(/$ROOT/outside/**) mcp__probe__act(*)',
  'what means nothing': 'allowed-tools: "*, B*, bash, Write(./*), mcp__*, mcp__probe__look(x), Bash(touch"',
  'a blank before the parenthesis': 'allowed-tools: "Bash (touch a*), mcp__probe__l*"',
  'another key': 'allowedTools: Bash\ntools: Write\nallowed_tools: mcp__probe',
}

const formScenes: Scene[] = Object.entries(forms).map(([what, lines]) => ({
  name: `skill that allows by ${what}`,
  files: { ...base, ...allowed, 'project/.claude/skills/s/SKILL.md': head(...lines.split('\n')) },
  after: 's',
  probes,
  undocumented: /nothing|another|blank before|stars/.test(what) ? 'what a skill may write' : undefined,
}))

const wide: Files = {
  ...base,
  ...allowed,
  'project/.claude/skills/s/SKILL.md': head('allowed-tools: Bash(touch:*), Write, mcp__probe__act'),
  'project/.claude/skills/bare/SKILL.md': head('allowed-tools: Bash'),
}
const rules = {
  allow: ['Skill'],
  ask: ['Bash(touch a*)', 'mcp__probe__act'],
  deny: ['Bash(touch b*)', 'Edit(./w.txt)'],
}
const guard: Files = {
  ...base,
  'home/.claude/settings.json': { permissions: { allow: ['Skill', 'Bash', 'Edit', 'mcp__probe', 'Write'] } },
  'project/.claude/skills/s/SKILL.md': head('disallowed-tools: Bash(touch a*), Write, mcp__probe__act, Read'),
  'project/.claude/skills/snake/SKILL.md': head('disallowed_tools: Bash'),
  'project/.claude/skills/two/SKILL.md': head('disallowedTools: Bash', 'disallowed-tools: Write'),
}

const wideScenes: Scene[] = [
  { name: 'skill that allows, before it runs', files: wide, probes },
  {
    name: 'skill that allows, against rules',
    files: { ...wide, 'home/.claude/settings.json': { permissions: rules } },
    after: 's',
    probes,
  },
  { name: 'skill that allows, while planning', files: wide, mode: 'plan', after: 's', probes },
  {
    name: 'skill that allows all commands, while planning',
    files: wide,
    mode: 'plan',
    after: 'bare',
    probes,
  },
  { name: 'skill that allows, workspace not accepted', files: wide, isUntrusted: true, after: 's', probes },
  { name: 'skill that allows, run by a subagent', files: wide, agent: 'general-purpose', after: 's', probes },
  {
    name: 'skill that allows, only rules of the administrator count',
    files: {
      ...wide,
      'managed/managed-settings.json': {
        allowManagedPermissionRulesOnly: true,
        permissions: { allow: ['Skill'] },
      },
    },
    after: 's',
    probes,
  },
  {
    name: 'skill of a plugin that allows',
    files: {
      ...base,
      ...allowed,
      'plugins/p/.claude-plugin/plugin.json': { name: 'plug' },
      'plugins/p/skills/s/SKILL.md': head('allowed-tools: Bash(touch:*), Write, mcp__probe__act'),
    },
    plugins: ['plugins/p'],
    after: 'plug:s',
    probes,
  },
  ...['s', 'two', 'snake'].map((after) => ({
    name: `skill that forbids: ${after}`,
    files: guard,
    after,
    probes,
    undocumented: 'how a skill takes tools away',
  })),
  {
    name: 'skill that forbids, nothing is asked',
    files: guard,
    mode: 'bypassPermissions',
    after: 's',
    probes,
  },
]

export const skillGrantScenes: readonly Scene[] = [...formScenes, ...wideScenes]
