/** Links: which name of a file is checked, and whether a rule for a link applies to its target. */

import { edits, reads, runs, unpromised, writes, type Probe, type Scene } from './scene.ts'

const user = 'home/.claude/settings.json'
const project = 'project/.claude/settings.json'
const everything = ['Read', 'Edit', 'Write', 'Bash']

/** Absolute, in the form of rules and questions. */
const at = (path: string): string => `/$ROOT/${path}`

/** Links and their targets; the last target does not exist. */
const ways: Readonly<Record<string, readonly [link: string, target: string]>> = {
  in: ['project/links/name.txt', 'project/real/name.txt'],
  out: ['project/links/name.txt', 'outside/name.txt'],
  back: ['outside/name.txt', 'project/real/name.txt'],
  away: ['outside/name.txt', 'further/name.txt'],
  'in-folder': ['project/links/name', 'project/real/name'],
  'out-folder': ['project/links/name', 'outside/name'],
  lost: ['project/links/name.txt', 'outside/name.new'],
}

/** Which of the two names the rules contain. */
const named = { neither: [], link: [0], target: [1], both: [0, 1] } as const

const links = Object.entries(ways).flatMap(([way, paths]) =>
  Object.entries(named).map(([which, indices]) => {
    const [link, target] = paths.map((path) => path.replace('name', `${way}-${which}`)) as [string, string]
    const below = way.endsWith('folder') ? '/f.txt' : ''
    return {
      link,
      target,
      file: `${link}${below}`,
      real: `${target}${below}`,
      ruled: indices.map((index) => [link, target][index]!),
      isLost: way === 'lost',
      isFolder: below !== '',
    }
  }),
)

const files = Object.fromEntries(
  links.filter(({ isLost }) => !isLost).map(({ real }) => [real, 'before'] as const),
)
const symlinks = Object.fromEntries(links.map(({ link, target }) => [link, `$ROOT/${target}`] as const))
const rules = (tool: string): string[] =>
  links.flatMap(({ ruled }) => ruled.map((path) => `${tool}(${at(path)})`))

const ofCommands = 'how commands look at links'
const looks: readonly Probe[] = links.flatMap(({ file }) => [
  reads(at(file)),
  unpromised(runs(`cat $ROOT/${file}`), ofCommands),
])
const ofWriting = 'what the client makes of links where it writes'
/** A file must be read before it can be edited. */
const changes: readonly Probe[] = links.flatMap(({ link, file, isLost, isFolder }) =>
  [
    ...(isLost ? [writes(at(file))] : [reads(at(file)), edits(at(file))]),
    ...(isFolder ? [writes(at(`${link}/new.txt`))] : []),
    runs(`touch $ROOT/${file}`),
    runs(`echo x > $ROOT/${file}`),
  ].map((probe) => unpromised(probe, probe.tool === 'Read' ? undefined : ofWriting)),
)

const matrix = (name: string, permissions: Record<string, string[]>, probes: readonly Probe[]): Scene => ({
  name: `links, ${name}`,
  files: { ...files, [user]: { permissions } },
  links: symlinks,
  probes,
})

export const linkScenes: readonly Scene[] = [
  matrix('denied to read', { allow: everything, deny: rules('Read') }, looks),
  matrix('asked about reading', { allow: everything, ask: rules('Read') }, looks),
  matrix('allowed to read', { allow: rules('Read') }, looks),
  matrix('denied to edit', { allow: everything, deny: rules('Edit') }, changes),
  matrix('asked about editing', { allow: everything, ask: rules('Edit') }, changes),
  matrix('allowed to edit', { allow: ['Read', 'Bash(touch *)', 'Bash(echo *)', ...rules('Edit')] }, changes),
  { ...matrix('edits accepted', { allow: ['Read'] }, changes), mode: 'acceptEdits' },
]

// Rules that name a link, while the file is accessed by its real path.

const forms: Readonly<Record<string, string>> = {
  relative: './name',
  bare: 'name',
  slash: '/name',
  whole: '/$PROJECT/name',
  'whole-slash': '/$PROJECT/name/',
  'relative-all': './name/**',
  'bare-file': 'name/f.txt',
  'slash-all': '/name/**',
  'slash-file': '/name/f.txt',
  'whole-all': '/$PROJECT/name/**',
  'whole-some': '/$PROJECT/name/*.txt',
  'whole-deep': '/$PROJECT/name/**/*.txt',
  'outside-all': '/$ROOT/via/name/**',
  'outside-door': '/$ROOT/door/name/**',
  home: '~/name',
  'home-all': '~/name/**',
  'home-door': '~/door/name/**',
  anywhere: '//**/name/f.txt',
}
const formNames = Object.keys(forms)
const formRules = (tool: string): string[] =>
  Object.entries(forms).map(([name, form]) => `${tool}(${form.replace('name', name)})`)
const formFiles = Object.fromEntries(
  formNames.flatMap((name) => [`real/${name}-target/f.txt`, `real/${name}/f.txt`].map((file) => [file, 'x'])),
) as Record<string, string>
const formLinks = {
  ...Object.fromEntries(
    formNames.flatMap((name) =>
      ['project', 'via', 'home'].map((folder) => [`${folder}/${name}`, `$ROOT/real/${name}-target`] as const),
    ),
  ),
  door: 'real',
  'home/door': '../real',
}
const formProbes = Object.keys(formFiles).flatMap((file) => [reads(at(file)), runs(`cat $ROOT/${file}`)])

const formScene = (name: string, settings: Scene['files']): Scene => ({
  name: `rules that name links, ${name}`,
  files: { ...formFiles, ...settings },
  links: formLinks,
  probes: formProbes,
  undocumented: 'whether a rule means what a link in it leads to',
})

// Chains of links, links into protected places and to parent folders, for reading and writing.

const kinds = ['neither', 'ends', 'all'] as const
const chainRules = (tool: string): string[] =>
  kinds
    .flatMap((kind) => [
      ...(kind === 'neither' ? [] : [`project/${kind}.txt`, `outside/${kind}.txt`]),
      ...(kind === 'neither' ? [] : [`project/${kind}`, `outside/${kind}`]),
      ...(kind === 'all' ? [`project/middle/${kind}.txt`] : []),
    ])
    .map((path) => `${tool}(${at(path)})`)
const odd: Pick<Scene, 'links' | 'files'> = {
  files: {
    ...Object.fromEntries(
      kinds.flatMap((kind) =>
        [`outside/${kind}.txt`, `outside/${kind}/f.txt`].map((file) => [file, 'before']),
      ),
    ),
    'project/real.txt': 'before',
    'project/real/f.txt': 'before',
    'project/.claude/x.txt': 'before',
    'outside/e/f.txt': 'before',
  },
  links: {
    ...Object.fromEntries(
      kinds.flatMap((kind) => [
        [`project/${kind}.txt`, `middle/${kind}.txt`],
        [`project/middle/${kind}.txt`, `$ROOT/outside/${kind}.txt`],
        [`project/${kind}`, `middle/${kind}`],
        [`project/middle/${kind}`, `$ROOT/outside/${kind}`],
      ]),
    ),
    'project/link.txt': 'real.txt',
    'project/link': 'real',
    'project/dot': '.claude',
    'project/up': '..',
    'outside/back': '$PROJECT/real',
    'outside/away': 'e',
  },
}
const oddProbes: readonly Probe[] = [
  ...kinds.flatMap((kind) => [
    reads(`./${kind}.txt`),
    runs(`cat ${kind}.txt`),
    runs(`touch ${kind}.txt`),
    reads(`./${kind}/f.txt`),
    runs(`cat ${kind}/f.txt`),
    runs(`touch ${kind}/f.txt`),
    writes(`./${kind}/new.txt`),
  ]),
  reads('./link.txt'),
  edits('./link.txt'),
  edits('./real.txt'),
  reads('./dot/x.txt'),
  edits('./dot/x.txt'),
  runs('touch dot/x.txt'),
  reads('./up/outside/e/f.txt'),
  runs('ls up'),
  runs('ls link'),
  runs('cat link/f.txt'),
  writes(at('outside/back/new.txt')),
  writes(at('outside/away/new.txt')),
  runs('touch $ROOT/outside/away/f.txt'),
  runs('cat real/../real.txt'),
  runs('cat ./real/../real.txt'),
  runs('cat $PROJECT/real/../real.txt'),
  runs('cat ../project/real.txt'),
  runs('cat ./../project/real.txt'),
  runs('touch real/../real.txt'),
]
const oddScene = (name: string, permissions: Record<string, string[]>, mode?: Scene['mode']): Scene => ({
  name: `links of all kinds, ${name}`,
  ...odd,
  files: { ...odd.files, [user]: { permissions } },
  probes: oddProbes,
  ...(mode !== undefined && { mode }),
  undocumented: ofWriting,
})

export const linkRuleScenes: readonly Scene[] = [
  formScene('denied', {
    [user]: { permissions: { allow: everything } },
    [project]: { permissions: { deny: formRules('Read') } },
  }),
  formScene('asked about', {
    [user]: { permissions: { allow: everything } },
    [project]: { permissions: { ask: formRules('Read') } },
  }),
  formScene('allowed', { [project]: { permissions: { allow: formRules('Read') } } }),
  oddScene('nothing said', {}),
  oddScene('all allowed', { allow: everything }),
  oddScene('commands allowed', { allow: ['Bash(cat *)', 'Bash(touch *)', 'Bash(ls *)'] }),
  oddScene('some allowed to read', { allow: chainRules('Read') }),
  oddScene('some allowed to edit', { allow: ['Bash(touch *)', ...chainRules('Edit')] }),
  oddScene('all files allowed to edit', { allow: ['Edit(//**)'] }),
  oddScene('unreadable', { allow: everything, deny: ['Read(./real.txt)', 'Read(./real/**)'] }),
  oddScene('edits accepted', {}, 'acceptEdits'),
  oddScene('all let through', {}, 'bypassPermissions'),
]
