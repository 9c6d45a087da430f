/** Plugins: what they provide, and the names of their tools in rules. */

import type { JsonObject } from '@contextd/shared/json/value'
import { calls, mcpJson, server, type Scene } from './scene.ts'

type Files = Scene['files']

const userSettings = 'home/.claude/settings.json'
const managedSettings = 'managed/managed-settings.json'

/** A plugin in `folder`, for `--plugin-dir`. */
export const plugin = (folder: string, name: string, files: Files = {}): Files =>
  Object.fromEntries(
    Object.entries({
      '.claude-plugin/plugin.json': { name },
      '.mcp.json': mcpJson({ ctx: ['act', 'look'] }),
      ...files,
    }).map(([file, content]) => [`${folder}/${file}`, content]),
  )

// Rules for the tools of a plugin.

const broker = plugin('plugins/broker', 'broker')
const brokerTools = [calls('mcp__plugin_broker_ctx__act'), calls('mcp__plugin_broker_ctx__look')]

/** One plugin per form, so that all fit into one run; no form matches the tools of another plugin. */
const ruleForms: Readonly<Record<string, (name: string) => string>> = {
  bare: (name) => `mcp__plugin_${name}_ctx`,
  star: (name) => `mcp__plugin_${name}_ctx__*`,
  exact: (name) => `mcp__plugin_${name}_ctx__act`,
  beginning: (name) => `mcp__plugin_${name}_ctx__a*`,
  servers: (name) => `mcp__plugin_${name}_*`,
  unfinished: (name) => `mcp__plugin_${name}`,
  between: (name) => `mcp__${name}__ctx__act`,
  owner: (name) => `mcp__${name}`,
  short: (name) => `mcp__${name}ctx`,
  colons: (name) => `plugin:${name}:ctx`,
  prefixed: (name) => `mcp__plugin:${name}:ctx`,
  parentheses: (name) => `mcp__plugin_${name}_ctx__act(*)`,
}
const formNames = Object.keys(ruleForms)
const formPlugins = formNames.map((name) => `plugins/${name}`)
const formFiles: Files = Object.assign(
  {},
  ...formNames.map((name) =>
    plugin(`plugins/${name}`, name, {
      '.mcp.json': mcpJson({ ctx: ['act', 'look', name], [`${name}ctx`]: ['act', 'short', name] }),
    }),
  ),
)
const formProbes = formNames.flatMap((name) =>
  ['act', 'look'].map((tool) => calls(`mcp__plugin_${name}_ctx__${tool}`)),
)

const ruleScenes: Scene[] = [
  ...(['allow', 'ask', 'deny'] as const).map((list) => ({
    name: `tools of plugins, ${list} by every form`,
    files: {
      ...formFiles,
      [userSettings]: {
        permissions: {
          ...(list === 'ask' && { allow: formProbes.map(({ asked }) => asked) }),
          [list]: Object.entries(ruleForms).map(([name, rule]) => rule(name)),
        },
      },
    },
    plugins: formPlugins,
    probes: formProbes,
  })),
  ...(['allow', 'deny'] as const).map((list) => ({
    name: `tools of a plugin and of a server of the same name, ${list} the standalone one`,
    files: {
      ...broker,
      'project/.mcp.json': mcpJson({ ctx: ['act', 'own'] }),
      [userSettings]: { permissions: { [list]: ['mcp__ctx', 'mcp__ctx__*', 'mcp__broker'] } },
    },
    plugins: ['plugins/broker'],
    probes: [...brokerTools, calls('mcp__ctx__act')],
  })),
  {
    name: 'tools of a plugin and of a server of the same name, deny all plugins',
    files: {
      ...broker,
      'project/.mcp.json': mcpJson({ ctx: ['act', 'own'] }),
      [userSettings]: { permissions: { deny: ['mcp__plugin_*'] } },
    },
    plugins: ['plugins/broker'],
    probes: [...brokerTools, calls('mcp__ctx__act')],
  },
]

// Parts of a plugin: one plugin per part.

const more = './more.json'
const contents: Readonly<Record<string, { files: Files; probes: readonly string[] }>> = {
  unwrapped: { files: { '.mcp.json': { ctx: server('act', 'unwrapped') } }, probes: ['ctx'] },
  manifest: {
    files: {
      '.claude-plugin/plugin.json': { name: 'manifest', mcpServers: { two: server('act', 'manifest') } },
      '.mcp.json': mcpJson({ ctx: ['act', 'beside'] }),
    },
    probes: ['ctx', 'two'],
  },
  elsewhere: {
    files: {
      '.claude-plugin/plugin.json': { name: 'elsewhere', mcpServers: more },
      'more.json': mcpJson({ two: ['act', 'elsewhere'] }),
    },
    probes: ['two', 'three'],
  },
  several: {
    files: {
      '.claude-plugin/plugin.json': {
        name: 'several',
        mcpServers: [more, { three: server('act', 'several') }],
      },
      'more.json': { two: server('act', 'several', 'two') },
    },
    probes: ['two', 'three'],
  },
  'broken-manifest': {
    files: { '.claude-plugin/plugin.json': '{ "name": "broken-manifest", // a comment\n}' },
    probes: ['ctx'],
  },
  'broken-servers': { files: { '.mcp.json': '{ "mcpServers": {}, }' }, probes: ['ctx'] },
  permissions: {
    files: {
      '.mcp.json': mcpJson({ ctx: ['act', 'permissions'] }),
      'settings.json': { permissions: { allow: ['mcp__plugin_permissions_ctx'], deny: ['Read'] } },
    },
    probes: ['ctx'],
  },
  'bad-hook': {
    files: {
      '.mcp.json': mcpJson({ ctx: ['act', 'hook'] }),
      'hooks/hooks.json': { hooks: { PreToolUse: [{ hooks: [{ type: 'pigeon' }] }] } },
    },
    probes: ['ctx'],
  },
  same: { files: { '.mcp.json': mcpJson({ ctx: ['act', 'standalone'] }) }, probes: ['ctx'] },
  'same-again': { files: { '.mcp.json': mcpJson({ ctx: ['act', 'unwrapped'] }) }, probes: ['ctx'] },
}

const contentScenes: Scene[] = [
  {
    name: 'what plugins are made of',
    files: Object.assign(
      { 'project/.mcp.json': mcpJson({ own: ['act', 'standalone'] }) },
      ...Object.entries(contents).map(([name, { files }]) =>
        plugin(`plugins/${name}`, name, { '.mcp.json': mcpJson({}), ...files }),
      ),
    ) as Files,
    plugins: Object.keys(contents).map((name) => `plugins/${name}`),
    probes: [
      ...Object.entries(contents).flatMap(([name, { probes }]) =>
        probes.map((ofServer) => calls(`mcp__plugin_${name}_${ofServer}__act`)),
      ),
      calls('mcp__own__act'),
    ],
    undocumented: 'seen, not described in this detail',
  },
  {
    name: 'plugin with servers that the project switched off or denied',
    files: {
      ...plugin('plugins/broker', 'broker', {
        '.mcp.json': mcpJson({ off: ['act', 'a'], denied: ['act', 'b'] }),
      }),
      'project/.mcp.json': mcpJson({ off: ['act', 'a'], denied: ['act', 'b'] }),
      'project/.claude/settings.json': {
        disabledMcpjsonServers: ['off'],
        deniedMcpServers: [{ serverName: 'denied' }],
      },
    },
    plugins: ['plugins/broker'],
    probes: ['off', 'denied', 'plugin_broker_off', 'plugin_broker_denied'].map((name) =>
      calls(`mcp__${name}__act`),
    ),
    undocumented: 'the client starts the same command once',
  },
  {
    name: 'plugin and server with other characters in their names',
    files: plugin('plugins/broker', 'bro.ker', { '.mcp.json': mcpJson({ 'c t.x': ['act'] }) }),
    plugins: ['plugins/broker'],
    probes: [calls('mcp__plugin_bro_ker_c_t_x__act')],
    undocumented: 'seen, not described in this detail',
  },
]

/** Servers identified by their command line in managed lists. */
export function commandOf(...tools: string[]): JsonObject {
  const { command, args } = server(...tools) as { command: string; args: string[] }
  return { serverCommand: [command, ...args] }
}

const denied = plugin('plugins/broker', 'broker', {
  '.mcp.json': mcpJson({ whole: ['act', 'a'], short: ['act', 'b'], prefix: ['act', 'c'] }),
})
const policyProbes = ['whole', 'short', 'prefix'].map((name) => calls(`mcp__plugin_broker_${name}__act`))

const policyScenes: Scene[] = Object.entries({
  'denied by several names': {
    deniedMcpServers: ['plugin:broker:whole', 'short', 'plugin_broker_prefix'].map((serverName) => ({
      serverName,
    })),
  },
  'allowed by several names': {
    allowedMcpServers: ['plugin:broker:whole', 'short', 'plugin_broker_prefix'].map((serverName) => ({
      serverName,
    })),
  },
  'one allowed by its command': { allowedMcpServers: [commandOf('act', 'a')] },
}).map(([what, settings]) => ({
  name: `servers of a plugin, ${what}`,
  files: { ...denied, [managedSettings]: settings },
  plugins: ['plugins/broker'],
  probes: policyProbes,
  undocumented: 'the documentation names servers of the person and of projects only',
}))

export const pluginScenes: readonly Scene[] = [
  ...ruleScenes,
  ...contentScenes,
  ...policyScenes,
  {
    name: 'servers of a plugin where the administrator defines all servers',
    files: { ...broker, 'managed/managed-mcp.json': mcpJson({}) },
    plugins: ['plugins/broker'],
    probes: brokerTools,
  },
]
