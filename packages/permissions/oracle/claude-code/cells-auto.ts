/** Auto mode, in which a classifier of the client decides: calls that bypass the classifier, and when the mode is available. */

import { calls, mcpJson, reads, runs, startsAgent, touches, writes, type Probe, type Scene } from './scene.ts'

const base: Scene['files'] = {
  'outside/o.txt': 'before',
  'project/x.js': '1',
  'project/.mcp.json': mcpJson({ probe: ['echo'] }),
  'project/.claude/agents/unasked.md':
    '---\nname: unasked\ndescription: does things\npermissionMode: auto\n---\nYou act.\n',
  'project/.claude/agents/planner.md':
    '---\nname: planner\ndescription: does things\npermissionMode: plan\n---\nYou plan.\n',
}
const files = {
  user: 'home/.claude/settings.json',
  project: 'project/.claude/settings.json',
  local: 'project/.claude/settings.local.json',
  managed: 'managed/managed-settings.json',
} as const
const at = (settings: Partial<Record<keyof typeof files, object>>): Scene['files'] => ({
  ...base,
  ...Object.fromEntries(
    Object.entries(settings).map(([level, value]) => [files[level as keyof typeof files], { ...value }]),
  ),
})
const mode = (defaultMode: string): object => ({ permissions: { defaultMode } })
const isOff = { disableAutoMode: 'disable' }

/** The scripted model has no classifier: the client denies calls that need it, and exits after too many of them. */
const few: readonly Probe[] = [
  writes('./new.txt'),
  reads('/$ROOT/outside/o.txt'),
  touches('touched'),
  runs('node x.js'),
  calls('mcp__probe__echo'),
]
const more: readonly Probe[] = [
  ...few,
  writes('/$ROOT/outside/new.txt'),
  writes('./.claude/settings.json'),
  runs('cat $ROOT/outside/o.txt'),
  runs('rm -rf ~'),
  startsAgent('Plan'),
]
const undocumented = 'what the classifier is not asked about'
const started = (name: string, rules: object, probes: readonly Probe[] = more): Scene => ({
  name: `auto, ${name}`,
  mode: 'auto',
  files: at({ user: { permissions: rules } }),
  probes,
  undocumented,
})

export const autoScenes: readonly Scene[] = [
  started('no rules', {}),
  started('wide allow rules', { allow: ['Bash', 'Agent', 'mcp__probe', 'Edit(//**)'] }),
  started('allow rules for programs', { allow: ['Bash(node:*)', 'Bash(cat:*)', 'Agent(Plan)'] }),
  started('an allow rule for the command', { allow: ['Bash(node x.js)'] }, few),
  started('ask rules', { ask: ['Bash(node:*)', 'Bash(touch:*)', 'Write', 'Read(//**)', 'mcp__probe'] }, few),
  started('deny rules', { deny: ['Bash(node:*)', 'Bash(touch:*)', 'Write', 'mcp__probe'] }, few),
  ...Object.entries<Scene['files']>({
    'auto at user': at({ user: mode('auto') }),
    'auto at managed': at({ managed: mode('auto') }),
    'auto at project, acceptEdits at user': at({ project: mode('auto'), user: mode('acceptEdits') }),
    'auto at local, dontAsk at user': at({ local: mode('auto'), user: mode('dontAsk') }),
    'auto at user, default at project': at({ user: mode('auto'), project: mode('default') }),
  }).map(([name, settings]) => ({ name, files: settings, probes: few, undocumented })),
  ...Object.entries<Scene['files']>({
    user: at({ user: isOff }),
    'project, below permissions': at({ project: { permissions: isOff } }),
    local: at({ local: isOff }),
  }).map(([name, settings]) => ({
    name: `auto, switched off at ${name}`,
    mode: 'auto' as const,
    files: settings,
    probes: few,
    undocumented: 'who can switch it off',
  })),
  { name: 'a subagent that is auto', agent: 'unasked', files: base, probes: few, undocumented },
  {
    name: 'a subagent that is auto, switched off',
    agent: 'unasked',
    files: at({ user: isOff }),
    probes: few,
    undocumented,
  },
  ...Object.entries<object>({
    'no classifier': { user: isOff },
    'none wanted by user': { user: { useAutoModeDuringPlan: false } },
    'none wanted by project': { project: { useAutoModeDuringPlan: false } },
    'none wanted by local': { local: { useAutoModeDuringPlan: false } },
  }).map(([name, settings]) => ({
    name: `planning, ${name}`,
    mode: 'plan' as const,
    files: at(settings),
    probes: [...few, startsAgent('Plan')],
    undocumented: 'that planning has the classifier',
  })),
  {
    name: 'a subagent that plans, wide allow rules',
    agent: 'planner',
    files: at({ user: { permissions: { allow: ['Bash', 'Agent'] } } }),
    probes: few,
    undocumented: 'that planning has the classifier',
  },
]
