/** Rules for files: forms of paths at each level, and the behaviour without rules. */

import { edits, reads, runs, unpromised, writes, type Probe, type Scene } from './scene.ts'

/** `name` is replaced by a different one for each form, so that all forms fit into one run. */
const forms = [
  'name.txt',
  './name.txt',
  '/name.txt',
  '/$PROJECT/name.txt',
  '$PROJECT/name.txt',
  '~/name.txt',
  '~/.claude/name.txt',
  'name.*',
  '**/name.txt',
  '//**/name.txt',
  'name',
  'name/',
  'name/*',
  'name/**',
  './name/**',
  '/name/**',
  '/$ROOT/outside/name.txt',
  '../outside/name.txt',
  '!name.txt',
  'NAME.TXT',
  'name?txt',
  'name[.]txt',
  '{name,other}.txt',
  'name.txt:*',
].map((form, at) => {
  const name = `name${String(at).padStart(2, '0')}`
  return { name, form: form.replace(/name/i, (word) => name.replace('name', word)) }
})

const pathsOf = (name: string): string[] => [
  `./${name}.txt`,
  `./sub/${name}.txt`,
  `./${name}/deep/x.txt`,
  `/$ROOT/outside/${name}.txt`,
  `~/${name}.txt`,
  `~/.claude/${name}.txt`,
]
const isPromised = (form: string): boolean => /^(\.|~|\/)?\/?[\w.$/*]+$/.test(form) && !form.includes('..')

const probesOf = (make: (path: string) => Probe): Probe[] =>
  forms.flatMap(({ name, form }) =>
    pathsOf(name).map((path) =>
      unpromised(make(path), isPromised(form) ? undefined : `the spelling ${JSON.stringify(form)}`),
    ),
  )
const rulesOf = (tool: string): string[] => forms.map(({ form }) => `${tool}(${form})`)

const user = 'home/.claude/settings.json'
const project = 'project/.claude/settings.json'
const managed = 'managed/managed-settings.json'
const everything = { allow: ['Read', 'Edit', 'Write', 'Bash'] }

const formScenes: Scene[] = [
  {
    name: 'the project denies reading files, written in all ways',
    files: { [user]: { permissions: everything }, [project]: { permissions: { deny: rulesOf('Read') } } },
    probes: probesOf(reads),
  },
  {
    name: 'the user denies reading files, written in all ways',
    files: { [user]: { permissions: { ...everything, deny: rulesOf('Read') } } },
    probes: probesOf(reads),
  },
  {
    name: 'the administrator denies changing files, written in all ways',
    files: { [user]: { permissions: everything }, [managed]: { permissions: { deny: rulesOf('Edit') } } },
    probes: probesOf(writes),
  },
  {
    name: 'a flag denies changing files, written in all ways',
    files: { [user]: { permissions: everything } },
    cliDeny: rulesOf('Edit'),
    probes: probesOf(writes),
  },
  {
    name: 'the project allows changing files, written in all ways',
    files: { [project]: { permissions: { allow: rulesOf('Edit') } } },
    probes: probesOf(writes),
  },
  {
    name: 'the user allows changing files, written in all ways',
    files: { [user]: { permissions: { allow: rulesOf('Edit') } } },
    probes: probesOf(writes),
  },
  {
    name: 'the user allows reading files, written in all ways',
    files: { [user]: { permissions: { allow: rulesOf('Read') } } },
    probes: probesOf(reads),
  },
  {
    name: 'the user asks about changing files, written in all ways',
    files: { [user]: { permissions: { ...everything, ask: rulesOf('Edit') } } },
    probes: probesOf(writes),
  },
]

const content = { 'project/a.txt': 'before', 'project/sub/c.txt': 'before', 'outside/o.txt': 'before' }

const uses: readonly Probe[] = [
  reads('./a.txt'),
  reads('./sub/c.txt'),
  reads('/$ROOT/outside/o.txt'),
  reads('//etc/hosts'),
  runs('cat a.txt'),
  runs('cat sub/c.txt'),
  runs('ls sub'),
  edits('./sub/c.txt'),
  writes('./new.txt'),
  writes('/$ROOT/outside/new.txt'),
  // The file exists before, so the call leaves no trace.
  { asked: 'Write(./a.txt)', tool: 'Write', input: { file_path: '$PROJECT/a.txt', content: 'after' } },
]

const wholeTools: Scene[] = [
  { deny: ['Read'] },
  { deny: ['Read(*)'] },
  { deny: ['Read(**)'] },
  { deny: ['Read(/**)'] },
  { deny: ['Read(//**)'] },
  { deny: ['Read(a.txt)'] },
  { deny: ['Read(sub/**)'] },
  { deny: ['Read()'] },
  { deny: ['Edit'] },
  { deny: ['Edit(*)'] },
  { deny: ['Edit(**)'] },
  { deny: ['Edit(a.txt)'] },
  { deny: ['Write'] },
  { deny: ['Write(*)'] },
  { deny: ['Write(a.txt)'] },
  { deny: ['MultiEdit(a.txt)', 'NotebookEdit(a.txt)', 'Glob(a.txt)', 'Grep(a.txt)', 'LS(a.txt)'] },
].map(({ deny }) => ({
  name: `all allowed, but denied: ${deny.join(' ')}`,
  files: { ...content, [user]: { permissions: { ...everything, deny } } },
  probes: uses,
}))

const grants: Scene[] = [
  [],
  ['Read'],
  ['Read(//**)'],
  ['Read(*)'],
  ['Edit'],
  ['Edit(*)'],
  ['Edit(**)'],
  ['Edit(//**)'],
  ['Write'],
  ['Write(*)'],
  ['Write(a.txt)'],
  ['MultiEdit'],
].map((allow) => ({
  name: `allowed: ${allow.join(' ') || 'nothing'}`,
  files: { ...content, [user]: { permissions: { allow } } },
  probes: uses,
}))

export const pathScenes: readonly Scene[] = [...formScenes, ...wholeTools, ...grants]
