/** Folders: the one the client is started in, those above it, and additional ones. */

import type { JsonObject } from '@contextd/shared/json/value'
import { plugin } from './cells-servers-plugins.ts'
import {
  calls,
  edits,
  mcpJson,
  reads,
  runs,
  startsAgent,
  touches,
  writes,
  type Probe,
  type Scene,
} from './scene.ts'

type Files = Scene['files']

const user = 'home/.claude/settings.json'

/** All kinds of client configuration in a folder, with names that start with the folder's name. */
const furnished = (folder: string, name: string): Files => ({
  [`${folder}/.claude/agents/${name}.md`]: `---\nname: ${name}-agent\ndescription: d\n---\nbody`,
  [`${folder}/.claude/settings.json`]: switches(name),
  [`${folder}/.claude/settings.local.json`]: switches(`${name}-local`),
  [`${folder}/.mcp.json`]: mcpJson({ [`${name}-server`]: ['one'] }),
  [`${folder}/a.txt`]: 'before',
})
const switches = (name: string): JsonObject => ({
  permissions: { allow: [`Bash(touch ${name}-allowed)`], deny: [`Bash(touch ${name}-denied)`] },
})
const switchesOf = (name: string): Probe[] => [runs(`touch ${name}-allowed`), runs(`touch ${name}-denied`)]
const probesOf = (...names: string[]): Probe[] =>
  names.flatMap((name) =>
    switchesOf(name).concat(
      switchesOf(`${name}-local`),
      calls(`mcp__${name}-server__one`),
      startsAgent(`${name}-agent`),
    ),
  )

const trusting = (folder: string): Files => ({
  'home/.claude.json': {
    hasCompletedOnboarding: true,
    projects: { [folder]: { hasTrustDialogAccepted: true } },
  },
})

// Started in a folder of a repository.

const repository = (folder: string): Files => ({
  [`${folder}/.git/HEAD`]: 'ref: refs/heads/main\n',
  [`${folder}/.git/config`]: '[core]\n\trepositoryformatversion = 0\n\tbare = false\n',
  [`${folder}/.git/objects/keep`]: '',
  [`${folder}/.git/refs/keep`]: '',
})
const inner = 'project/packages/inner'
const nested: Files = {
  ...furnished('project', 'top'),
  ...furnished('project/packages', 'between'),
  ...furnished(inner, 'inner'),
}
const nestedProbes = [
  ...probesOf('top', 'between', 'inner'),
  ...['project', 'project/packages', inner].map((folder) => reads(`/$ROOT/${folder}/a.txt`)),
  writes(`/$ROOT/${inner}/new.txt`),
  runs('cat $PROJECT/a.txt'),
]
const fromInner = (name: string, files: Files, isUntrusted = false): Scene => ({
  name: `started in a folder of ${name}`,
  files: { ...nested, ...files },
  startedIn: inner,
  probes: nestedProbes,
  ...(isUntrusted && { isUntrusted }),
})

const workTree: Files = {
  ...furnished('main', 'main'),
  ...furnished('project', 'tree'),
  ...repository('main'),
  'main/.git/worktrees/tree/commondir': '../..\n',
  'main/.git/worktrees/tree/HEAD': 'ref: refs/heads/tree\n',
  'main/.git/worktrees/tree/gitdir': '$PROJECT/.git\n',
  'project/.git': 'gitdir: $ROOT/main/.git/worktrees/tree\n',
}
const fromTree = (name: string, files: Files): Scene => ({
  name: `started in a work tree, ${name}`,
  files: { ...workTree, ...files },
  probes: [...probesOf('main', 'tree'), reads('/$ROOT/main/a.txt')],
})

const startScenes: readonly Scene[] = [
  fromInner('a repository', repository('project')),
  fromInner('a repository that is not trusted', repository('project'), true),
  fromInner('a folder that is trusted', {}),
  fromInner('a folder, trusted itself', trusting(`$ROOT/${inner}`)),
  fromTree('its repository trusted', trusting('$ROOT/main')),
  fromTree('itself trusted', trusting('$PROJECT')),
]

// Started through a link.

const names = ['way', 'real', 'relative', 'none']
const linkedFiles = Object.fromEntries(names.map((name) => [`project/${name}.txt`, 'before']))
const linkedRules = (tool: string): string[] => [
  `${tool}(/$ROOT/linked/way.txt)`,
  `${tool}(/$PROJECT/real.txt)`,
  `${tool}(./relative.txt)`,
]
const byLink = (name: string, permissions: JsonObject, mode?: Scene['mode']): Scene => ({
  name: `started by way of a link, ${name}`,
  files: { ...linkedFiles, [user]: { permissions } },
  links: { linked: 'project' },
  startedIn: 'linked',
  ...(mode !== undefined && { mode }),
  probes: ['project', 'linked'].flatMap((folder) =>
    names
      .map((one) => `$ROOT/${folder}/${one}.txt`)
      .flatMap((file) => [reads(`/${file}`), edits(`/${file}`), runs(`touch ${file}`)]),
  ),
  undocumented: 'by which name the project goes that a link leads to',
})

const everything = ['Read', 'Edit', 'Bash']
const linkedScenes: readonly Scene[] = [
  byLink('denied', { allow: everything, deny: linkedRules('Edit') }),
  byLink('asked', { allow: everything, ask: linkedRules('Edit') }),
  byLink('allowed', { allow: ['Bash(touch *)', ...linkedRules('Edit')] }),
  byLink('edits accepted', {}, 'acceptEdits'),
]

// Additional folders.

const extra = furnished('extra', 'extra')
const links = { alias: 'extra' }
const extraProbes: readonly Probe[] = [
  ...probesOf('extra'),
  ...['extra', 'alias'].flatMap((folder) => [
    reads(`/$ROOT/${folder}/a.txt`),
    runs(`cat $ROOT/${folder}/a.txt`),
    writes(`/$ROOT/${folder}/by-${folder}.txt`),
  ]),
  touches('own'),
]
const added = (name: string, more: Partial<Scene>, settings: Files = {}): Scene => ({
  name: `a folder added ${name}`,
  files: { ...extra, ...settings },
  links,
  probes: extraProbes,
  ...more,
})
const adding = (folder: string): JsonObject => ({ permissions: { additionalDirectories: [folder] } })
const projectAdds = { 'project/.claude/settings.json': adding('$ROOT/extra') }

const addedScenes: readonly Scene[] = [
  added('nowhere', {}),
  added('by a flag', { addDirs: ['$ROOT/extra'] }),
  added('by a flag, relative', { addDirs: ['../extra'], mode: 'acceptEdits' }),
  added('by a flag, as a link', { addDirs: ['$ROOT/alias'] }),
  added('by a flag, workspace not accepted', { addDirs: ['$ROOT/extra'], isUntrusted: true }),
  added('by the user', {}, { [user]: adding('$ROOT/extra') }),
  added('by the user, as a link', {}, { [user]: adding('$ROOT/alias') }),
  added('by the project', {}, projectAdds),
  added('by the project, workspace not accepted', { isUntrusted: true }, projectAdds),
  added(
    'by the local settings, workspace not accepted',
    { isUntrusted: true },
    { 'project/.claude/settings.local.json': adding('$ROOT/extra') },
  ),
]

/** One agent defined in several places; its tool shows which definition applies. */
const agentPlaces = ['project', 'extra', 'other', 'home']
const sameAgent = (name: string, places: readonly string[], addDirs: readonly string[]): Scene => ({
  name: `an agent of one name in ${name}`,
  files: {
    ...Object.fromEntries(
      places.map((place) => [
        `${place}/.claude/agents/same.md`,
        `---\nname: same\ndescription: d\ntools: Read, mcp__probe__${place}\n---\nbody`,
      ]),
    ),
    'project/.mcp.json': mcpJson({ probe: agentPlaces }),
  },
  addDirs,
  agent: 'same',
  probes: agentPlaces.map((place) => calls(`mcp__probe__${place}`)),
  undocumented: 'which of two agents counts where one is in an added folder',
})

const market: Files = {
  'market/.claude-plugin/marketplace.json': {
    name: 'market',
    owner: { name: 'somebody' },
    plugins: [{ name: 'broker', source: './broker', description: 'a plugin' }],
  },
  ...plugin('market/broker', 'broker'),
  'home/.claude/plugins/known_marketplaces.json': {
    market: {
      source: { source: 'directory', path: '$ROOT/market' },
      installLocation: '$ROOT/market',
      lastUpdated: '2026-01-01T00:00:00.000Z',
    },
  },
}
const switched = (isOn: boolean): JsonObject => ({ enabledPlugins: { 'broker@market': isOn } })
const pluginOf = (name: string, files: Files, more: Partial<Scene> = {}): Scene => ({
  name: `a plugin that an added folder ${name}`,
  files: { ...market, ...files },
  addDirs: ['$ROOT/extra'],
  probes: [calls('mcp__plugin_broker_ctx__act')],
  ...more,
})
const extraSettings = 'extra/.claude/settings.json'

const broughtScenes: readonly Scene[] = [
  sameAgent('the project and two added folders', agentPlaces, ['$ROOT/extra', '$ROOT/other']),
  sameAgent('two added folders', ['extra', 'other', 'home'], ['$ROOT/extra', '$ROOT/other']),
  sameAgent('two added folders, the other way round', ['extra', 'other'], ['$ROOT/other', '$ROOT/extra']),
  pluginOf('enables', { [extraSettings]: switched(true) }),
  pluginOf('enables, workspace not accepted', { [extraSettings]: switched(true) }, { isUntrusted: true }),
  pluginOf('enables in its local settings', { 'extra/.claude/settings.local.json': switched(true) }),
  pluginOf('enables and the user does not', { [extraSettings]: switched(true), [user]: switched(false) }),
  pluginOf('does not enable and the user does', { [extraSettings]: switched(false), [user]: switched(true) }),
  pluginOf(
    'of the settings enables',
    { [extraSettings]: switched(true), [user]: adding('$ROOT/extra') },
    { addDirs: [] },
  ),
]

export const folderScenes: readonly Scene[] = [
  ...startScenes,
  ...linkedScenes,
  ...addedScenes,
  ...broughtScenes,
]
