/** Plugins in the skills folders of the user and the project, and what disables them. */

import type { JsonObject } from '@contextd/shared/json/value'
import { calls, mcpJson, runsSkill, startsAgent, touches, type Scene } from './scene.ts'
import { plugin } from './cells-servers-plugins.ts'
import { plain, wide } from './skill-files.ts'

type Files = Scene['files']

const userSettings = 'home/.claude/settings.json'
const managedSettings = 'managed/managed-settings.json'
const ofProject = 'project/.claude/skills'
const ofPerson = 'home/.claude/skills'

/** A plugin with all parts, in a folder with a different name. */
const kit = (folder: string, name: string, files: Files = {}): Files =>
  plugin(folder, name, {
    '.mcp.json': mcpJson({ ctx: ['act', name] }),
    'skills/in/SKILL.md': plain,
    'commands/co.md': wide,
    'agents/ag.md': '---\nname: ag\ndescription: d\ntools: Bash\n---\nbody',
    ...files,
  })
const both: Files = { ...kit(`${ofProject}/kit`, 'own'), ...kit(`${ofPerson}/kit`, 'mine') }
const probesOf = (name: string): Scene['probes'] => [
  runsSkill(`${name}:in`),
  runsSkill(`${name}:co`),
  startsAgent(`${name}:ag`),
  calls(`mcp__plugin_${name}_ctx__act`),
]
const bothProbes = ['own', 'mine'].flatMap(probesOf)

const scene = (name: string, rest: Partial<Scene>): Scene => ({
  name: `plugin among the skills, ${name}`,
  probes: bothProbes,
  undocumented: 'that folders of skills hold whole plugins',
  ...rest,
  files: { ...both, ...rest.files },
})
const switches = (value: JsonObject): JsonObject => ({ enabledPlugins: value })
const byId = (isOn: boolean): JsonObject => switches({ 'own@skills-dir': isOn, 'mine@skills-dir': isOn })
const offByDefault: Files = Object.fromEntries(
  Object.entries({ [`${ofProject}/kit`]: 'own', [`${ofPerson}/kit`]: 'mine' }).map(([folder, name]) => [
    `${folder}/.claude-plugin/plugin.json`,
    { name, defaultEnabled: false },
  ]),
)

const switchScenes: readonly Scene[] = [
  scene('as they are', {}),
  scene('workspace not accepted', { isUntrusted: true }),
  scene('switched off by the user', { files: { [userSettings]: byId(false) } }),
  scene('switched off by the project', { files: { 'project/.claude/settings.json': byId(false) } }),
  scene('switched off by the user, on by the project', {
    files: { [userSettings]: byId(false), 'project/.claude/settings.json': byId(true) },
  }),
  scene('switched off by the project, workspace not accepted', {
    files: { 'project/.claude/settings.json': byId(false) },
    isUntrusted: true,
  }),
  scene('switched off by an added folder', {
    files: { 'extra/.claude/settings.json': byId(false) },
    addDirs: ['$ROOT/extra'],
  }),
  scene('switched off by the name of its folder', {
    files: { [userSettings]: switches({ 'kit@skills-dir': false }) },
  }),
  scene('neither on nor off', {
    files: { [userSettings]: switches({ 'own@skills-dir': ['1'], 'mine@skills-dir': ['1'] }) },
  }),
  scene('off by default', { files: offByDefault }),
  scene('off by default, switched on', { files: { ...offByDefault, [userSettings]: byId(true) } }),
]

const managedScenes: readonly Scene[] = Object.entries({
  'switched off by the administrator': switches({ 'own@skills-dir': false, 'mine@other': false }),
  'their names enabled by the administrator': switches({ 'own@skills-dir': true, 'MINE@other': true }),
  'their names given versions by the administrator': switches({ 'own@other': ['1'] }),
  'no marketplace allowed': { strictKnownMarketplaces: [] },
  'allowed like a marketplace': { strictKnownMarketplaces: [{ source: 'skills-dir' }] },
  'blocked like a marketplace': { blockedMarketplaces: [{ source: 'skills-dir' }] },
  'hooks left to plugins': { strictPluginOnlyCustomization: ['hooks'] },
  'flags forbidden': { disableSideloadFlags: true },
}).map(([name, settings]) => scene(name, { files: { [managedSettings]: settings } }))

// Which of two plugins applies, and where the client searches for them.

const marketplace: Files = {
  'home/.claude/plugins/known_marketplaces.json': {
    market: {
      source: { source: 'directory', path: '$ROOT/market' },
      installLocation: '$ROOT/market',
      lastUpdated: '2026-01-01T00:00:00Z',
    },
  },
  'market/.claude-plugin/marketplace.json': {
    name: 'market',
    owner: { name: 'o' },
    plugins: [{ name: 'own', source: './own' }],
  },
  ...kit('market/own', 'own', { 'skills/first/SKILL.md': plain }),
  [userSettings]: switches({ 'own@market': true }),
}
const second = kit(`${ofProject}/kit`, 'own', { 'skills/second/SKILL.md': plain })
const orderProbes = ['first', 'second'].map((name) => runsSkill(`own:${name}`))

const placeScenes: readonly Scene[] = [
  scene('of the person and of the project with one name', {
    files: { ...second, ...kit(`${ofPerson}/kit`, 'own', { 'skills/first/SKILL.md': plain }) },
    probes: orderProbes,
  }),
  scene('of the name of an installed one', { files: { ...second, ...marketplace }, probes: orderProbes }),
  scene('of the name of one the client is started with', {
    files: { ...second, ...kit('plugins/own', 'own', { 'skills/first/SKILL.md': plain }) },
    plugins: ['plugins/own'],
    probes: orderProbes,
  }),
  scene('in other folders', {
    files: {
      ...kit('.claude/skills/kit', 'above'),
      ...kit('extra/.claude/skills/kit', 'added'),
      ...kit('managed/.claude/skills/kit', 'managed'),
      ...kit(`${ofProject}/deep/kit`, 'deep'),
      ...kit(`${ofProject}/.hidden`, 'hidden'),
      ...kit(`${ofPerson}/.hidden`, 'ofpersonhidden'),
    },
    addDirs: ['$ROOT/extra'],
    probes: ['above', 'added', 'managed', 'deep', 'hidden', 'ofpersonhidden'].flatMap(probesOf),
  }),
  scene('behind links', {
    files: { ...kit('outside/a', 'out'), ...kit('project/inner/b', 'inner'), ...kit('outside/c', 'person') },
    links: {
      [`${ofProject}/a`]: '$ROOT/outside/a',
      [`${ofProject}/b`]: '$PROJECT/inner/b',
      [`${ofPerson}/c`]: '$ROOT/outside/c',
    },
    probes: ['out', 'inner', 'person'].flatMap(probesOf),
  }),
  scene('with skills of their own', {
    files: {
      ...kit(`${ofProject}/whole`, 'wholly', { 'SKILL.md': '---\nname: inner\ndescription: d\n---\nbody' }),
      ...plugin(`${ofProject}/bare`, 'barely', { 'SKILL.md': plain }),
      ...kit(`${ofProject}/broken`, 'broken', { '.claude-plugin/plugin.json': '{', 'SKILL.md': plain }),
      [`${ofProject}/none/.claude-plugin/other.json`]: '{}',
      [`${ofProject}/none/skills/in/SKILL.md`]: plain,
    },
    probes:
      'whole inner wholly:in wholly:whole wholly:inner bare barely:bare barely:barely broken broken:in none:in'
        .split(' ')
        .map(runsSkill),
  }),
  scene('whose settings name an agent', {
    files: kit(`${ofProject}/kit`, 'own', {
      'settings.json': { agent: 'boss' },
      'agents/boss.md': '---\nname: boss\ndescription: d\ndisallowedTools: Bash\n---\nbody',
    }),
    probes: [touches('a.new')],
  }),
]

// The same settings for plugins on the command line.

const started = (name: string, rest: Partial<Scene>): Scene => ({
  name: `plugin the client is started with, ${name}`,
  plugins: ['plugins/own'],
  probes: probesOf('own'),
  undocumented: 'what switches off a plugin that the client is started with',
  ...rest,
  files: { ...kit('plugins/own', 'own'), ...rest.files },
})

const startedScenes: readonly Scene[] = [
  started('switched off by the user', { files: { [userSettings]: switches({ 'own@inline': false }) } }),
  started('switched off by the project', {
    files: { 'project/.claude/settings.json': switches({ 'own@inline': false }) },
  }),
  started('one of a marketplace switched off', {
    files: { [userSettings]: switches({ 'own@market': false }) },
  }),
  started('off by default', {
    files: { 'plugins/own/.claude-plugin/plugin.json': { name: 'own', defaultEnabled: false } },
  }),
  started('one of its name switched off by the administrator', {
    files: { [managedSettings]: switches({ 'OWN@market': false }) },
  }),
  started('no marketplace allowed', { files: { [managedSettings]: { strictKnownMarketplaces: [] } } }),
]

export const skillPluginScenes: readonly Scene[] = [
  ...switchScenes,
  ...managedScenes,
  ...placeScenes,
  ...startedScenes,
]
