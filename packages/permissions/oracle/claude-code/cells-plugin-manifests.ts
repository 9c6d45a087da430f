/** Contents of `plugin.json`: inline commands, and what makes the client skip a plugin. */

import type { Json, JsonObject } from '@contextd/shared/json/value'
import { calls, mcpJson, refusingHook, runsSkill, startsAgent, touches, type Scene } from './scene.ts'
import { head, named, plain, wide } from './skill-files.ts'

type Files = Scene['files']

const userSettings = 'home/.claude/settings.json'

// Commands in the manifest.

const commands: Readonly<Record<string, JsonObject>> = {
  plain: { content: plain },
  bare: { content: 'Say ok.' },
  wide: { content: wide },
  listed: { content: plain, allowedTools: ['Bash(touch a*)'] },
  bareListed: { content: 'Say ok.', allowedTools: ['Bash'] },
  emptied: { content: wide, allowedTools: [] },
  forbidding: { content: head('disallowed-tools: Write') },
  hooked: { content: head('allowed-tools: Bash', refusingHook) },
  people: { content: head('disable-model-invocation: true') },
  called: { content: named('other') },
  broken: { content: '---\nallowed-tools: [\n---\nSay ok.' },
  'with.dot and blank': { content: plain },
  'with:colon': { content: wide },
  file: { source: './wide.md' },
  fileListed: { source: './listed.md', allowedTools: ['Bash(touch a*)'] },
  fileTwice: { source: './wide.md', allowedTools: ['Bash(touch a*)'] },
  itself: { source: './alone' },
  fileEmptied: { source: './emptied.md', allowedTools: [] },
  folder: { source: './folder', allowedTools: ['Bash'] },
  missing: { source: './missing.md' },
  outside: { source: './../outside.md' },
}
const kit: Files = {
  'plugins/kit/.claude-plugin/plugin.json': { name: 'kit', commands },
  'plugins/kit/commands/standard.md': plain,
  'plugins/kit/wide.md': named('inner', 'allowed-tools: Bash'),
  'plugins/kit/emptied.md': wide,
  'plugins/kit/listed.md': wide,
  'plugins/kit/alone/SKILL.md': wide,
  'plugins/kit/alone/beside.md': plain,
  'plugins/kit/folder/two.md': plain,
  'plugins/kit/folder/three.md': wide,
  'plugins/kit/folder/four/SKILL.md': wide,
  'plugins/outside.md': plain,
}
const names = [
  ...Object.keys(commands),
  ...'other inner alone beside standard two three four folder:two folder:four'.split(' '),
]

const commandScenes: readonly Scene[] = [
  {
    name: 'commands in a manifest',
    files: kit,
    plugins: ['plugins/kit'],
    probes: [...names.map((name) => runsSkill(`kit:${name}`)), runsSkill('other')],
    undocumented: 'how the client takes commands that stand in a manifest',
  },
  ...['listed', 'hooked', 'emptied', 'fileListed', 'file', 'bareListed', 'two'].map((name) => ({
    name: `commands in a manifest, ${name} has run`,
    files: { ...kit, [userSettings]: { permissions: { allow: ['Skill'] } } },
    plugins: ['plugins/kit'],
    after: `kit:${name}`,
    hooksRefuse: true as const,
    probes: [touches('a.new'), touches('b.new')],
    undocumented: 'how the client takes commands that stand in a manifest',
  })),
]

// One plugin per value.

const values: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  commands: {
    both: { x: { source: './one.md', content: 'y' } },
    neither: { x: {} },
    empty: { x: { content: '' } },
    'tools-text': { x: { content: 'y', allowedTools: 'Bash' } },
    'model-number': { x: { content: 'y', model: 5 } },
    'unknown-key': { x: { content: 'y', hooks: {}, disallowedTools: ['Bash'] } },
    'source-bare': { x: { source: 'one.md' } },
    'source-null': { x: { source: null, content: 'y' } },
    text: { x: 'y' },
    none: {},
    'empty-list': [],
    'in-list': [{ x: { content: 'y' } }],
    bare: 'one.md',
    outside: ['./../one.md'],
    missing: ['./missing.md', './one.md'],
    skill: ['./alone'],
    null: null,
  },
  agents: {
    file: './one.md',
    folder: './dir',
    'folder-list': ['./dir/'],
    object: { z: { description: 'd', prompt: 'p' } },
    bare: 'one.md',
    missing: ['./missing.md', './one.md'],
    outside: './../one.md',
    'empty-list': [],
  },
  skills: {
    bare: 'dir',
    object: { x: { content: 'y' } },
    dot: '.',
    'dot-slash': './',
    missing: './missing',
    null: null,
  },
  hooks: { bare: 'one.json', missing: './missing.json', markdown: './one.md', number: 5 },
  servers: {
    bare: 'more.json',
    variable: '${CLAUDE_PLUGIN_ROOT}/more.json',
    path: './more.json',
    markdown: './one.md',
    missing: './missing.json',
    bundle: './missing.mcpb',
    number: 5,
  },
  version: { number: 5, text: '1' },
  description: { number: 5 },
  displayName: { list: ['x'] },
  repository: { object: { type: 'git' } },
  license: { null: null },
  homepage: { text: 'example', address: 'https://example.com' },
  author: { text: 'me', object: { name: 'me' }, nameless: { email: 'x' } },
  keywords: { text: 'a', list: ['a'] },
  defaultEnabled: { text: 'no' },
  other: { number: 5 },
}
const keyOf = (key: string): string => (key === 'servers' ? 'mcpServers' : key)
const variants = Object.entries(values).flatMap(([key, byName]) =>
  Object.entries(byName).map(([name, value]) => ({
    name: `${key}-${name}`,
    manifest: { name: `${key}-${name}`, [keyOf(key)]: value } as JsonObject,
  })),
)
const nameless: Readonly<Record<string, JsonObject>> = {
  'no-name': { version: '1' },
  'empty-name': { name: '' },
  'number-name': { name: 5 },
  'blank-name': { name: 'a b' },
}
const filesOf = (folder: string, manifest: JsonObject): Files =>
  Object.fromEntries(
    Object.entries({
      '.claude-plugin/plugin.json': manifest,
      'skills/std/SKILL.md': plain,
      'agents/std.md': '---\nname: std\ndescription: d\n---\nbody',
      'one.md': '---\nname: one\ndescription: d\n---\nbody',
      'dir/two.md': plain,
      'alone/SKILL.md': plain,
      'more.json': mcpJson({ ctx: ['act', folder] }),
    }).map(([file, content]) => [`plugins/${folder}/${file}`, content]),
  )

const shapeScene: Scene = {
  name: 'plugins with all kinds of manifests',
  files: Object.assign(
    {},
    ...variants.map(({ name, manifest }) => filesOf(name, manifest)),
    ...Object.entries(nameless).map(([folder, manifest]) => filesOf(folder, manifest)),
  ) as Files,
  plugins: [...variants.map(({ name }) => name), ...Object.keys(nameless)].map((name) => `plugins/${name}`),
  probes: [
    ...[...variants.map(({ name }) => name), ...Object.keys(nameless), 'a b'].map((name) =>
      runsSkill(`${name}:std`),
    ),
    ...['commands-missing:one', 'commands-outside:one', 'commands-skill:alone'].map(runsSkill),
    ...['agents-file:one', 'agents-file:std', 'agents-missing:one', 'agents-empty-list:std'].map(startsAgent),
    calls('mcp__plugin_servers-path_ctx__act'),
    calls('mcp__plugin_servers-variable_ctx__act'),
  ],
  undocumented: 'for which mistakes the client leaves a plugin out',
}

export const manifestScenes: readonly Scene[] = [...commandScenes, shapeScene]
