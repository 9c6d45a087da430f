/** What the client asks about and denies in plan mode, of a session or of an agent; and other names of modes. */

import { guarded } from './cells-modes.ts'
import { calls, mcpJson, reads, runs, startsAgent, touches, writes, type Probe, type Scene } from './scene.ts'

const files: Scene['files'] = {
  'outside/o.txt': 'before',
  'project/.mcp.json': mcpJson({ probe: ['echo'] }),
  'project/.claude/agents/planner.md':
    '---\nname: planner\ndescription: does things\npermissionMode: plan\n---\nYou plan.\n',
}
const allowing = (...allow: string[]): Scene['files'] => ({
  ...files,
  'home/.claude/settings.json': { permissions: { allow } },
})

const guardedFiles = guarded.map((path) => writes(`./${path}`))
const starts: readonly Probe[] = [startsAgent('Plan'), startsAgent('planner')]
const others: readonly Probe[] = [
  reads('/$ROOT/outside/o.txt'),
  runs('cat $ROOT/outside/o.txt'),
  writes('./new.txt'),
  calls('mcp__probe__echo'),
  touches('touched'),
  ...starts,
]
const undocumented = 'what planning asks about'

export const planningScenes: readonly Scene[] = [
  { name: 'planning, guarded files', mode: 'plan', files, probes: guardedFiles, undocumented },
  {
    name: 'planning, guarded files that a rule allows',
    mode: 'plan',
    files: allowing('Edit(//**)'),
    probes: guardedFiles,
    undocumented,
  },
  // In a separate scene: the client ends a session in plan mode after too many denials.
  {
    name: 'planning, other calls',
    mode: 'plan',
    files: { ...files, 'project/a.txt': 'before' },
    probes: others,
    undocumented,
  },
  ...['Agent', 'Agent(*)', 'Agent(Plan)'].map((rule) => ({
    name: `planning, allow ${rule}`,
    mode: 'plan' as const,
    files: allowing(rule),
    probes: starts,
    undocumented,
  })),
  {
    name: 'a subagent that plans, guarded files',
    agent: 'planner',
    files,
    probes: guardedFiles,
    undocumented,
  },
  { name: 'a subagent that plans, other calls', agent: 'planner', files, probes: others, undocumented },
  ...(['manual', 'dontAsk'] as const).map((mode) => ({
    name: `mode ${mode}, beside rules and settings`,
    mode,
    files: {
      ...files,
      'home/.claude/settings.json': {
        permissions: { defaultMode: 'acceptEdits', allow: ['Bash(touch touched)'] },
      },
    },
    probes: [writes('./new.txt'), touches('touched'), touches('other'), reads('/$ROOT/outside/o.txt')],
  })),
  {
    name: 'defaultMode acceptEdits at user, manual at project',
    files: {
      'home/.claude/settings.json': { permissions: { defaultMode: 'acceptEdits' } },
      'project/.claude/settings.json': { permissions: { defaultMode: 'manual' } },
    },
    probes: [writes('./new.txt'), touches('touched')],
    undocumented: 'that the default has another name',
  },
]
