/** Names of skills and commands, from their place and their frontmatter. */

import { runsSkill, type Scene } from './scene.ts'
import { commandFiles, head, named, own, plain, skillFiles, wide } from './skill-files.ts'

const ownNames: Scene = {
  name: 'names of skills',
  undocumented: 'by which names skills are found',
  files: {
    ...skillFiles(own, {
      folder: named('front', 'allowed-tools: Bash'),
      unnamed: wide,
      headless: 'Just text.\n',
      empty: '',
      broken: '---\nname: "open\nallowed-tools: [Bash\n---\nText.\n',
      endless: '---\nname: endless\nallowed-tools: Bash\nText.\n',
      'deep/inner': wide,
      'With Space': plain,
      'col:on': plain,
      numbered: named('5'),
      'near-far': wide,
      'user-project': wide,
      'managed-project': wide,
      'skill-command': plain,
      'skill-user-command': wide,
      // Names from the place take precedence over names in frontmatter.
      aa: named('zz', 'allowed-tools: Bash'),
      zz: plain,
      xa: named('xx', 'allowed-tools: Bash'),
      xb: named('xx'),
      // Built into the client.
      simplify: wide,
      clear: wide,
      'deep-research': plain,
    }),
    [`${own}/skills/flat.md`]: wide,
    [`${own}/skills/lower/skill.md`]: wide,
    ...skillFiles('.claude', { 'near-far': plain, far: wide }),
    ...skillFiles('home/.claude', { user: wide, 'user-project': plain, 'user-managed': wide }),
    ...skillFiles('managed/.claude', { managed: wide, 'managed-project': plain, 'user-managed': plain }),
    ...skillFiles('project/below/.claude', { below: wide }),
    ...commandFiles(own, {
      command: named('called', 'allowed-tools: Bash'),
      'sub/deep': wide,
      'sub/deeper/er': wide,
      'whole/SKILL': wide,
      'whole/beside': wide,
      'whole/below/x': wide,
      'skill-command': wide,
      'user-project-command': wide,
      'near-far-command': wide,
    }),
    ...commandFiles('.claude', { 'near-far-command': plain, 'far-command': wide }),
    ...commandFiles('home/.claude', {
      'user-command': wide,
      'user-project-command': plain,
      'skill-user-command': plain,
    }),
    ...commandFiles('managed/.claude', { 'managed-command': wide, 'user-command': plain }),
    'managed/managed-settings.json': {},
  },
  probes: (
    'folder, front, /folder,  folder, Folder, folder x, unnamed, headless, empty, broken, endless, ' +
    'deep, inner, deep:inner, With Space, col:on, numbered, 5, flat, lower, far, near-far, user, ' +
    'user-project, user-managed, managed, managed-project, below, below:below, command, called, ' +
    'sub:deep, sub:deeper:er, whole, whole:beside, whole:below:x, skill-command, ' +
    'skill-user-command, user-project-command, near-far-command, far-command, user-command, ' +
    'managed-command, aa, zz, xa, xb, xx, simplify, clear, deep-research, nowhere, mcp__probe__x'
  )
    .split(', ')
    .map(runsSkill),
}

const pluginNames: Scene = {
  name: 'names of skills of plugins',
  undocumented: 'by which names skills are found',
  files: {
    'plugins/a/.claude-plugin/plugin.json': { name: 'alpha' },
    ...skillFiles('plugins/a', {
      folder: named('front', 'allowed-tools: Bash'),
      'deep/inner': wide,
      'odd.näme x': wide,
      both: plain,
      pathed: head('paths: "*.rs"'),
      people: head('disable-model-invocation: true'),
      other: named('mine'),
    }),
    ...commandFiles('plugins/a', {
      cmd: named('called'),
      'sub/deep': named('within'),
      both: wide,
      'a b': wide,
    }),
    'plugins/a/SKILL.md': named('root'),
    'plugins/b/.claude-plugin/plugin.json': {
      name: 'beta',
      skills: './extra',
      commands: ['./c1.md', './more'],
    },
    ...skillFiles('plugins/b', { standard: wide }),
    ...commandFiles('plugins/b', { replaced: wide }),
    'plugins/b/extra/added/SKILL.md': wide,
    'plugins/b/c1.md': wide,
    'plugins/b/more/c2.md': wide,
    'plugins/c/.claude-plugin/plugin.json': {
      name: 'gamma',
      skills: ['./one'],
      commands: { key: { source: './x.md' } },
    },
    'plugins/c/one/SKILL.md': named('one front', 'allowed-tools: Bash'),
    'plugins/c/x.md': wide,
    'plugins/d/.claude-plugin/plugin.json': { name: 'delta' },
    'plugins/d/SKILL.md': wide,
    ...skillFiles(own, { mine: wide }),
    ...commandFiles(own, { 'alpha/other': wide }),
  },
  plugins: ['plugins/a', 'plugins/b', 'plugins/c', 'plugins/d'],
  probes: (
    'alpha:folder, alpha:front, front, folder, alpha:inner, alpha:deep:inner, alpha:odd-n-me-x, ' +
    'alpha:both, alpha:pathed, alpha:people, alpha:cmd, alpha:called, called, cmd, alpha:a b, ' +
    'alpha:sub:deep, alpha:sub:within, alpha:within, within, alpha:root, mine, alpha:other, ' +
    'beta:standard, beta:replaced, beta:added, beta:c1, beta:c2, beta:more:c2, gamma:one, ' +
    'gamma:one-front, gamma:one front, one front, gamma:key, gamma:x, delta:d, delta:delta'
  )
    .split(', ')
    .map(runsSkill),
}

export const skillNameScenes: readonly Scene[] = [ownNames, pluginNames]
