/** The client's sandbox: which settings enable and disable it, what runs in it without asking, and what runs outside. */

import type { JsonObject } from '@contextd/shared/json/value'
import { fileAt } from './cells-modes.ts'
import { runs, touches, unpromised, type Probe, type Scene } from './scene.ts'

const unasked = { enabled: true, autoAllowBashIfSandboxed: true }
const strict = { allowUnsandboxedCommands: false }

type At = Readonly<Partial<Record<keyof typeof fileAt, JsonObject>>>

const settingsAt = (levels: At): Scene['files'] =>
  Object.fromEntries(
    Object.entries(levels).map(([level, value]) => [fileAt[level as keyof typeof fileAt], value]),
  )
const sandboxAt = (levels: At): Scene['files'] =>
  settingsAt(Object.fromEntries(Object.entries(levels).map(([level, sandbox]) => [level, { sandbox }])))

const few: readonly Probe[] = [touches('made'), runs('node -e 1')]

const opaque = 'which commands the client asks about in its sandbox all the same'
const files: Scene['files'] = {
  'project/.env': 'x',
  'project/d/.env': 'x',
  'project/a.txt': 'x',
  'outside/o.txt': 'x',
  'project/.claude/agents/planner.md':
    '---\nname: planner\ndescription: Plans.\npermissionMode: plan\n---\nPlan.\n',
  ...settingsAt({
    user: {
      sandbox: unasked,
      permissions: { deny: ['Read(.env)', 'Bash(touch denied)'], ask: ['Bash(touch asked)'] },
    },
  }),
}
const many: readonly Probe[] = [
  touches('made'),
  touches('denied'),
  touches('asked'),
  ...[
    'touch made && touch asked',
    'node -e 1',
    'node x.js | tee out.txt',
    'cat .env',
    'cat d/.env',
    'cat $ROOT/outside/o.txt',
    'touch $ROOT/outside/new',
    'touch .bashrc',
    'echo hi > .claude/settings.json',
    'rm -rf $PROJECT',
    'rm -rf ~',
  ].map((command) => runs(command)),
  ...[
    'touch $NAME',
    'touch $(echo made)',
    'touch {b1,b2}',
    '(touch made)',
    'touch made &',
    'if true; then touch made; fi',
    'for i in 1 2; do touch made; done',
    'x=1; touch $x',
    'NODE_ENV=x touch made',
    'timeout 5 touch made',
    'X=1 touch made',
    'env X=1 touch made',
    'X=1 cat .env',
    'for i in 1 2; do touch $i; done',
    'x=$(ls); touch $x',
    'while read x; do touch $x; done',
    '{ touch made; }',
    'case a in a) touch made;; esac',
    'f() { touch made; }; f',
    '$COMMAND made',
    'rm $NAME',
    'find . -name $NAME',
    'find . -delete',
    'eval touch made',
    'trap ls EXIT',
  ].map((command) => unpromised(runs(command), opaque)),
]

/** One command of each kind. */
const some = [...many.slice(1, 5), ...many.slice(7, 9), ...many.slice(10, 11)]

const whatRuns: Scene[] = [
  { name: 'sandbox without questions', files, probes: many },
  {
    name: 'sandbox without questions, in a subagent',
    files,
    agent: 'general-purpose',
    probes: some,
  },
  {
    name: 'sandbox without questions, in a subagent that plans',
    files,
    agent: 'planner',
    probes: some,
  },
  ...(['acceptEdits', 'plan', 'bypassPermissions'] as const).map((mode): Scene => ({
    name: `sandbox without questions, mode ${mode}`,
    files,
    mode,
    probes: some,
  })),
  {
    name: 'sandbox without questions, where nobody is asked anyway',
    files: { ...files, ...settingsAt({ local: { permissions: { defaultMode: 'dontAsk' } } }) },
    probes: [...some, runs('{ touch made; }')],
  },
  ...['Bash', 'Bash(*)'].map((ask): Scene => ({
    name: `sandbox without questions, ${ask} asked about`,
    files: settingsAt({ managed: { permissions: { ask: [ask] } }, user: { sandbox: unasked } }),
    probes: [...few, runs('{ touch made; }')],
    undocumented: 'whether a rule that asks about all commands means those in the sandbox',
  })),
]

const whoSays: Scene[] = [
  { name: 'sandbox with questions', files: sandboxAt({ user: { enabled: true } }), probes: few },
  {
    name: 'sandbox with questions, as is said',
    files: sandboxAt({ user: { ...unasked, autoAllowBashIfSandboxed: false } }),
    probes: few,
  },
  {
    name: 'no sandbox, and none asked about in it',
    files: sandboxAt({ user: { ...unasked, enabled: false } }),
    probes: few,
  },
  ...(['project', 'local'] as const).map((level): Scene => ({
    name: `sandbox without questions at ${level}, untrusted`,
    files: sandboxAt({ [level]: unasked }),
    probes: few,
    isUntrusted: true,
    undocumented: 'that a project nobody trusts may do so',
  })),
  {
    name: 'sandbox of the user, without questions by the project, untrusted',
    files: sandboxAt({ user: { enabled: true }, project: { autoAllowBashIfSandboxed: true } }),
    probes: few,
    isUntrusted: true,
    undocumented: 'that a project nobody trusts may do so',
  },
  {
    name: 'sandbox of the user, switched off by the project, untrusted',
    files: sandboxAt({ user: { ...unasked, ...strict }, project: { enabled: false } }),
    probes: few,
    isUntrusted: true,
    undocumented: 'that a project nobody trusts may do so',
  },
  {
    name: 'sandbox of the project, switched off locally',
    files: sandboxAt({ project: unasked, local: { enabled: false } }),
    probes: few,
  },
  {
    name: 'sandbox of the user, with questions by the administrator',
    files: sandboxAt({ managed: { autoAllowBashIfSandboxed: false }, user: unasked }),
    probes: few,
  },
  {
    name: 'sandbox of the user, kept on by the administrator',
    files: sandboxAt({
      managed: strict,
      user: { ...unasked, excludedCommands: ['mkdir:*'] },
      project: { enabled: false, excludedCommands: ['touch:*'] },
    }),
    probes: [...few, runs('mkdir d1')],
  },
  {
    name: 'commands that all levels keep out of the sandbox',
    files: sandboxAt({
      user: { ...unasked, ...strict, excludedCommands: ['by-user'] },
      project: { excludedCommands: ['by-project'] },
      local: { excludedCommands: ['by-local'] },
    }),
    probes: ['by-user', 'by-project', 'by-local', 'by-nobody'].map((command) => runs(command)),
    isUntrusted: true,
    undocumented: 'that a project nobody trusts may do so',
  },
]

const leaving: Scene = {
  name: 'commands that are kept out of the sandbox',
  files: sandboxAt({
    user: {
      ...unasked,
      excludedCommands: [
        'touch:*',
        'prog0',
        'prog1 *',
        'prog2*',
        '*prog3',
        'Bash(prog4:*)',
        'node:*',
        'bash:*',
      ],
    },
  }),
  undocumented: 'how a command is taken apart',
  probes: [
    ...[0, 1, 2, 3, 4].flatMap((at) => [`prog${at}`, `prog${at} a1`, `prog${at}x`]),
    'touch a1',
    'touch a1 && touch a2',
    'touch a1 && ls',
    'touch a1 | tee q1',
    'touch a1 > out1',
    'touch a1 2>&1',
    'touch a1 2>/dev/null',
    'NODE_ENV=x touch a1',
    'X=1 touch a1',
    'timeout 5 touch a1',
    'env touch a1',
    'command touch a1',
    'xargs touch a1',
    '/usr/bin/touch a1',
    '(touch a1)',
    'touch $(echo a1)',
    'touch $NAME',
    'touch a1 &',
    'cd . && touch a1',
    'touch a1 # why',
    '! touch a1',
    'touch {b1,b2}',
    'node x.js',
    'node x.js -e 1',
    'node -e 1',
    'timeout 5 node -e 1',
    'node',
    'bash x.sh',
  ].map((command) => runs(command)),
}

export const sandboxScenes: readonly Scene[] = [...whatRuns, ...whoSays, leaving]
