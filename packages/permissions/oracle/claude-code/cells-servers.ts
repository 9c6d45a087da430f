/** Servers: their names, where they are defined, and what disables them. */

import type { JsonObject } from '@contextd/shared/json/value'
import { installScenes } from './cells-servers-installed.ts'
import { commandOf, pluginScenes } from './cells-servers-plugins.ts'
import { calls, mcpJson, server, type Probe, type Scene } from './scene.ts'

type Files = Scene['files']
type Lists = Readonly<Record<string, readonly string[]>>

const act = (...names: string[]): Probe[] => names.map((name) => calls(`mcp__${name}__act`))
const user = (settings: JsonObject): Files => ({ 'home/.claude/settings.json': settings })
const userRules = (lists: Lists): Files => user({ permissions: lists as JsonObject })
const managed = (settings: JsonObject): Files => ({ 'managed/managed-settings.json': settings })

/** Settings files by level. */
const settingsAt = {
  user: 'home/.claude/settings.json',
  project: 'project/.claude/settings.json',
  local: 'project/.claude/settings.local.json',
  managed: 'managed/managed-settings.json',
} as const

/** The client's state file, with the workspace trusted. */
const state = (top: JsonObject, ofProject: JsonObject = {}): Files => ({
  'home/.claude.json': {
    ...top,
    hasCompletedOnboarding: true,
    projects: { $PROJECT: { hasTrustDialogAccepted: true, ...ofProject } },
  },
})

// Names that the client rewrites, and names that contain its separator.

const oddServers: Files = {
  'project/.mcp.json': mcpJson({
    's.dots': ['act', 'a.b'],
    'sp ace': ['act'],
    ünï: ['act'],
    a__b: ['act', 'look'],
    a_: ['act'],
    'da-sh': ['act'],
    UP: ['act'],
  }),
}
const oddProbes = [
  ...act('s_dots', 'sp_ace', '_n_', 'a__b', 'a_', 'da-sh', 'UP', 'up'),
  calls('mcp__s_dots__a_b'),
  calls('mcp__a__b__look'),
]
const unusual = 'the documentation says nothing about names with other characters or a double underscore'

const oddNames = ['s_dots', 'sp_ace', '_n_', 'a__b', 'a_', 'da-sh', 'UP']
const oddRules: Readonly<Record<string, readonly string[]>> = {
  'their prefix': oddNames.map((name) => `mcp__${name}`),
  'their prefix and a star': oddNames.map((name) => `mcp__${name}__*`),
  'other names than the client gives them': [
    ...['s.dots', 's.dots__*', 's.dots__a.b', 's_dots__a.b', 'sp ace', 'ünï', 'up', 'da_sh'].map(
      (name) => `mcp__${name}`,
    ),
    'mcp__a__b__act',
    'mcp___n___act',
    'mcp__a___act',
  ],
  'the first part of a name': ['mcp__a', 'mcp___n'],
  'the beginning of a name': ['mcp__a__b__a*', 'mcp__s_*', 'mcp___n__*'],
}

const oddScenes: Scene[] = Object.entries(oddRules).flatMap(([form, rules]) =>
  (['allow', 'ask', 'deny'] as const).map((list) => ({
    name: `unusual server names, ${list} by ${form}`,
    files: {
      ...oddServers,
      ...userRules({ ...(list === 'ask' && { allow: oddProbes.map(({ asked }) => asked) }), [list]: rules }),
    },
    probes: oddProbes,
    undocumented: unusual,
  })),
)

// Where a server is defined, and what disables it.

const scopes: Files = {
  'project/.mcp.json': mcpJson({ shared: ['act'], both: ['act', 'shared'] }),
  ...state(
    { mcpServers: { personal: server('act', 'look'), both: server('act', 'personal') } },
    { mcpServers: { mine: server('act', 'read') } },
  ),
}
const scopeProbes = act('shared', 'personal', 'mine', 'both', 'nowhere')

const two: Files = { 'project/.mcp.json': mcpJson({ x: ['act', 'ofx'], y: ['act', 'ofy'] }) }
const twoProbes = act('x', 'y')
const allowTwo = ['mcp__x', 'mcp__y']

const inPrint = 'without a terminal nobody is asked about the servers of a project'

/** One server per level, named in the settings of that level, and one that no settings name. */
const levels = ['user', 'project', 'local', 'managed'] as const
const five: Files = {
  'project/.mcp.json': mcpJson(
    Object.fromEntries([...levels, 'none'].map((level) => [`of-${level}`, ['act', level]])),
  ),
}
const atEachLevel = (settingsFor: (server: string) => JsonObject): Files => ({
  ...five,
  ...Object.fromEntries(levels.map((level) => [settingsAt[level], settingsFor(`of-${level}`)])),
})
const fiveProbes = act(...[...levels, 'none'].map((level) => `of-${level}`))

const switchedScenes: Scene[] = [
  {
    name: 'disabledMcpjsonServers at each level',
    files: atEachLevel((name) => ({ disabledMcpjsonServers: [name] })),
    probes: fiveProbes,
  },
  {
    name: 'deniedMcpServers at each level',
    files: atEachLevel((serverName) => ({ deniedMcpServers: [{ serverName }] })),
    probes: fiveProbes,
  },
  {
    name: 'allowedMcpServers at each level',
    files: atEachLevel((serverName) => ({ allowedMcpServers: [{ serverName }] })),
    probes: fiveProbes,
  },
  {
    name: 'enabledMcpjsonServers at each level',
    files: atEachLevel((name) => ({ enabledMcpjsonServers: [name], enableAllProjectMcpServers: false })),
    probes: fiveProbes,
    undocumented: inPrint,
  },
]

const scopeScenes: Scene[] = [
  { name: 'servers of all scopes', files: scopes, probes: scopeProbes },
  {
    name: 'servers of all scopes, allowed',
    files: {
      ...scopes,
      ...userRules({ allow: ['mcp__shared', 'mcp__personal__*', 'mcp__mine__act', 'mcp__both'] }),
    },
    probes: scopeProbes,
  },
  {
    name: 'servers of the project, workspace not accepted',
    files: two,
    isUntrusted: true,
    probes: twoProbes,
    cliAllow: ['mcp__x'],
    undocumented: 'the client starts them all the same',
  },
  {
    name: 'disabledMcpjsonServers of the project, workspace not accepted',
    files: { ...two, [settingsAt.project]: { disabledMcpjsonServers: ['x'] } },
    isUntrusted: true,
    probes: twoProbes,
    undocumented: inPrint,
  },
  {
    name: 'disabled by the project, enabled in local settings',
    files: {
      ...two,
      [settingsAt.project]: { disabledMcpjsonServers: ['x'] },
      [settingsAt.local]: { enabledMcpjsonServers: ['x', 'y'] },
    },
    probes: twoProbes,
  },
  {
    name: 'disabledMcpjsonServers names a server that the person has too',
    files: { ...scopes, [settingsAt.user]: { disabledMcpjsonServers: ['both', 'personal', 'shared'] } },
    probes: scopeProbes,
  },
  {
    name: 'switched off in the state of the client',
    files: {
      ...scopes,
      ...state(
        { mcpServers: { personal: server('act', 'look') } },
        { disabledMcpServers: ['personal', 'shared'] },
      ),
    },
    probes: scopeProbes,
    undocumented: 'written by the client, not by people',
  },
  {
    name: 'a project server switched off in the state of the client',
    files: { ...two, ...state({}, { disabledMcpjsonServers: ['x'] }) },
    probes: twoProbes,
    undocumented: 'written by the client, not by people',
  },
  {
    name: 'servers in settings files',
    files: { ...two, ...user({ mcpServers: { z: server('act') } }) },
    probes: act('x', 'z'),
  },
]

// Servers that the administrator allows.

const policies: Readonly<Record<string, Files>> = {
  'nothing allowed': managed({ allowedMcpServers: [] }),
  'allowed and denied': managed({
    allowedMcpServers: [{ serverName: 'x' }, { serverName: 'y' }],
    deniedMcpServers: [{ serverName: 'x' }],
  }),
  'allowed by command': managed({ allowedMcpServers: [commandOf('act', 'ofx')] }),
  'one allowed by name, one by command': managed({
    allowedMcpServers: [{ serverName: 'x' }, commandOf('act', 'ofy')],
  }),
  'one allowed by name, another by address': managed({
    allowedMcpServers: [{ serverName: 'x' }, { serverUrl: 'https://*.example.com/*' }],
  }),
  'denied by command': managed({ deniedMcpServers: [commandOf('act', 'ofx')] }),
  'denied by the beginning of a command': managed({ deniedMcpServers: [{ serverCommand: ['$NODE'] }] }),
  'denied by a star': managed({ deniedMcpServers: [{ serverName: '*' }] }),
  'an allowed entry that is no object': managed({ allowedMcpServers: ['x'] }),
  'an entry with a name and a command': managed({
    deniedMcpServers: [{ serverName: 'x', serverCommand: ['other'] }],
  }),
  'allowed by managed and by user settings': {
    ...managed({ allowedMcpServers: [{ serverName: 'x' }] }),
    ...user({ allowedMcpServers: [{ serverName: 'y' }] }),
  },
  'allowed by managed settings only': {
    ...managed({ allowManagedMcpServersOnly: true, allowedMcpServers: [{ serverName: 'x' }] }),
    ...user({ allowedMcpServers: [{ serverName: 'y' }] }),
  },
  'managed only, without a list': managed({ allowManagedMcpServersOnly: true }),
  'managed only, denied by user settings': {
    ...managed({ allowManagedMcpServersOnly: true }),
    ...user({ deniedMcpServers: [{ serverName: 'y' }] }),
  },
  'managed only, said by the user': user({
    allowManagedMcpServersOnly: true,
    allowedMcpServers: [{ serverName: 'y' }],
  }),
  'servers of the administrator': { 'managed/managed-mcp.json': mcpJson({ y: ['act', 'managed'] }) },
  'no server of the administrator': { 'managed/managed-mcp.json': mcpJson({}) },
  'servers of the administrator in a broken file': { 'managed/managed-mcp.json': '{ // none\n}' },
  'servers of the administrator, denied': {
    'managed/managed-mcp.json': mcpJson({ x: ['act', 'managed'], y: ['act', 'managed'] }),
    ...managed({ deniedMcpServers: [{ serverName: 'x' }] }),
  },
  'servers of the administrator, not among the allowed': {
    'managed/managed-mcp.json': mcpJson({ x: ['act', 'managed'] }),
    ...managed({ allowedMcpServers: [{ serverName: 'y' }] }),
  },
}

const policyScenes: Scene[] = [
  ...Object.entries(policies).map(([what, files]) => ({
    name: `servers, ${what}`,
    files: { ...two, ...files },
    probes: twoProbes,
    cliAllow: allowTwo,
  })),
  {
    name: 'a denied server, and another of its name',
    files: {
      'project/.mcp.json': mcpJson({ x: ['act', 'project'], y: ['act', 'project'] }),
      ...state({}, { mcpServers: { x: server('act', 'local'), y: server('act', 'own') } }),
      ...managed({ deniedMcpServers: [commandOf('act', 'local')] }),
    },
    probes: twoProbes,
    undocumented: 'the weaker one does not take its place',
  },
  {
    name: 'denied by the project, workspace not accepted',
    files: { ...two, [settingsAt.project]: { deniedMcpServers: [{ serverName: 'x' }] } },
    isUntrusted: true,
    probes: twoProbes,
    cliAllow: allowTwo,
  },
  {
    name: 'denied by a name with a dot, as given and as rewritten',
    files: {
      'project/.mcp.json': mcpJson({ 's.dots': ['act'], 't.dots': ['act', 'look'] }),
      ...managed({ deniedMcpServers: [{ serverName: 's.dots' }, { serverName: 't_dots' }] }),
    },
    probes: act('s_dots', 't_dots'),
  },
  {
    name: 'allowed by a name with a dot',
    files: {
      'project/.mcp.json': mcpJson({ 's.dots': ['act'], plain: ['act', 'look'] }),
      ...managed({ allowedMcpServers: [{ serverName: 's.dots' }, { serverName: 'plain' }] }),
    },
    probes: act('s_dots', 'plain'),
    undocumented: 'such a name cannot be allowed at all',
  },
]

// Invalid files.

const x = JSON.stringify(server('act', 'ofx'))
const y = JSON.stringify(server('act', 'ofy'))
const texts: Readonly<Record<string, string>> = {
  comments: `{ // servers\n "mcpServers": { "x": ${x} } }`,
  'a comma too many': `{ "mcpServers": { "x": ${x}, } }`,
  'a byte order mark': `\uFEFF{ "mcpServers": { "x": ${x} } }`,
  'the key twice': `{ "mcpServers": { "x": ${x} }, "mcpServers": { "y": ${y} } }`,
  'no mcpServers around': `{ "x": ${x} }`,
  'one entry that is none': `{ "mcpServers": { "x": ${x}, "y": { "command": 5 }, "z": "text", "v": {} } }`,
  'an unknown type': `{ "mcpServers": { "x": ${x}, "y": { "type": "pigeon", "command": "node" } } }`,
  'names the client keeps for itself': `{ "mcpServers": { "x": ${x}, "workspace": ${y}, "computer-use": ${y} } }`,
  'keys that would switch it off elsewhere': `{ "mcpServers": { "x": { "disabled": true, ${x.slice(1)} } }`,
}

const fileScenes: Scene[] = Object.entries(texts).map(([what, text]) => ({
  name: `.mcp.json with ${what}`,
  files: { 'project/.mcp.json': text },
  probes: act('x', 'y', 'workspace'),
  cliAllow: ['mcp__x'],
  undocumented: 'how faults in this file are taken is nowhere described',
}))

export const serverScenes: readonly Scene[] = [
  ...oddScenes,
  ...scopeScenes,
  ...switchedScenes,
  ...policyScenes,
  ...fileScenes,
  ...pluginScenes,
  ...installScenes,
]
