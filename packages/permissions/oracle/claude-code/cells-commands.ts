/** Rules for commands: their forms, and which commands they match. */

import { runs, unpromised, type Probe, type Scene } from './scene.ts'

/** `prog` is replaced by a different program for each form (it need not exist), so that all forms fit into one run. */
const forms = [
  'Bash(prog:*)',
  'Bash(prog *)',
  'Bash(prog*)',
  'Bash(prog)',
  'Bash(prog a1)',
  'Bash(prog a*)',
  'Bash(prog a:*)',
  'Bash(prog:a1)',
  'Bash(prog * a1)',
  'Bash(*prog a1)',
  'Bash(prog a?)',
  'Bash(prog \\*)',
  'Bash( prog a1)',
  'Bash(prog  a1)',
  'Bash(prog a1) ',
  'Bash(prog:* )',
  'Bash (prog:*)',
  'Bash(prog a1',
  'bash(prog:*)',
  'BASH(prog:*)',
  'Shell(prog:*)',
].map((form, at) => {
  const program = `prog${String(at).padStart(2, '0')}`
  return { program, rule: form.replace('prog', program) }
})
const spellings = forms.map(({ rule }) => rule)
const isPromised = (rule: string): boolean => /^Bash\([^ ?\\*:][^?\\*:]*(:\*|\*)?\)$/.test(rule)

const formProbes = forms.flatMap(({ program, rule }) =>
  [`${program} a1`, `${program} b1`, program, `${program}x a1`, `${program} b1 a1`].map((command) =>
    unpromised(runs(command), isPromised(rule) ? undefined : `the spelling ${JSON.stringify(rule)}`),
  ),
)

const settings = (permissions: Record<string, string[]>): Scene['files'] => ({
  'home/.claude/settings.json': { permissions },
})

const formScenes: Scene[] = [
  {
    name: 'settings allow commands, spelt in all ways',
    files: settings({ allow: spellings }),
    probes: formProbes,
  },
  {
    name: 'settings ask about commands, spelt in all ways',
    files: settings({ allow: ['Bash'], ask: spellings }),
    probes: formProbes,
  },
  {
    name: 'settings deny commands, spelt in all ways',
    files: settings({ allow: ['Bash'], deny: spellings }),
    probes: formProbes,
  },
]

/** Run in sequence; they do not affect each other. */
const commands: readonly Probe[] = [
  ...[
    'touch a1',
    'touch',
    'touch a1 b1',
    'touch "a1"',
    'touch a1 && touch a2',
    'touch a1; rm -f zz',
    'touch a1 | tee q1',
    'ls && touch a1',
    'touch a1 > out1',
    'touch a1 2>/dev/null',
    'touch a1 2>&1',
  ].map((command) => runs(command)),
  ...[
    'X=1 touch a1',
    'timeout 5 touch a1',
    'nice touch a1',
    'nohup touch a1',
    'env touch a1',
    'xargs touch a1',
    'sudo touch a1',
    'command touch a1',
    '/usr/bin/touch a1',
    'bash -c "touch a1"',
    'if true; then touch a1; fi',
    '(touch a1)',
    'touch $(echo a1)',
    'echo `touch a1`',
    'touch a1 &',
    'cd sub && touch a1',
    'touch a1 # why',
    '! touch a1',
  ].map((command) => unpromised(runs(command), 'how a command is taken apart')),
]
const sub = { 'project/sub/c.txt': 'c', 'project/a.txt': 'a' }

const reachScenes: Scene[] = [
  { name: 'commands without a rule', permissions: {} },
  { name: 'commands, all allowed', permissions: { allow: ['Bash'] } },
  { name: 'commands, all allowed with a star', permissions: { allow: ['Bash(*)'] } },
  { name: 'commands, an empty rule', permissions: { allow: ['Bash()'] } },
  { name: 'commands, all denied', permissions: { allow: ['Bash'], deny: ['Bash'] } },
  { name: 'commands, all asked about', permissions: { allow: ['Bash'], ask: ['Bash'] } },
  {
    name: 'commands, a program asked about as a whole',
    permissions: { allow: ['Bash(touch:*)'], ask: ['Bash'] },
  },
  { name: 'commands, a program allowed', permissions: { allow: ['Bash(touch:*)'] } },
  { name: 'commands, one allowed', permissions: { allow: ['Bash(touch a1)'] } },
  { name: 'commands, a program denied', permissions: { allow: ['Bash'], deny: ['Bash(touch:*)'] } },
  { name: 'commands, one denied', permissions: { allow: ['Bash'], deny: ['Bash(touch a1)'] } },
  { name: 'commands, a program asked about', permissions: { allow: ['Bash'], ask: ['Bash(touch *)'] } },
].map(({ name, permissions }) => ({
  name,
  files: { ...sub, ...settings(permissions as Record<string, string[]>) },
  probes: commands,
}))

/** Path rules apply to commands that access files, if the client knows the command. */
const outsideScenes: Scene[] = [
  ['Bash(touch:*)', 'Bash(cp:*)'],
  ['Read(/$ROOT/outside/**)'],
  ['Read(/$ROOT/outside/**)', 'Bash(touch:*)', 'Bash(cp:*)'],
  ['Edit(/$ROOT/outside/**)'],
  ['Edit(/$ROOT/outside/**)', 'Bash(touch:*)', 'Bash(cp:*)'],
].map((allow) => ({
  name: `commands beyond the project, allowed: ${allow.join(' ')}`,
  files: { ...sub, 'outside/o.txt': 'o', ...settings({ allow }) },
  probes: [
    'cat $ROOT/outside/o.txt',
    'ls $ROOT/outside',
    'touch $ROOT/outside/t1',
    'cp $ROOT/outside/o.txt copied',
    'cp a.txt $ROOT/outside/copied',
    'echo hi > $ROOT/outside/e1',
  ].map((command) => runs(command)),
  undocumented: 'which files a command uses',
}))

/** Which of these the client considers harmless is undocumented. */
const harmless: Scene = {
  name: 'commands that only look',
  files: sub,
  undocumented: 'which commands need no rule',
  probes: [
    'ls',
    'ls -la sub',
    'ls /',
    'cat a.txt',
    'cat sub/c.txt | head -1',
    'cat /etc/hosts',
    'head -1 a.txt',
    'grep a a.txt',
    'wc -l a.txt',
    'pwd',
    'echo hello',
    'echo $USER',
    'git status',
    'git log',
    'git commit -m x',
    'find . -name a.txt',
    'find . -delete',
    'sort a.txt',
    'date',
    'whoami',
    'env',
    'node --version',
    'npm test',
    'python3 --version',
    'true',
    'sleep 0',
    'cd sub',
    'cd sub && ls',
    'mkdir d1',
    'rm a9',
    'echo hi > e1',
    'cat a.txt > /dev/null',
    'curl http://127.0.0.1:9',
  ].map((command) => runs(command)),
}

export const commandScenes: readonly Scene[] = [...formScenes, ...reachScenes, ...outsideScenes, harmless]
