/** Installed plugins: which of them are enabled, and which the client finds. */

import type { Json, JsonObject } from '@contextd/shared/json/value'
import { plugin } from './cells-servers-plugins.ts'
import { calls, mcpJson, type Scene } from './scene.ts'

type Files = Scene['files']

const userSettings = 'home/.claude/settings.json'
const projectSettings = 'project/.claude/settings.json'

const settingsAt = {
  user: userSettings,
  project: projectSettings,
  local: 'project/.claude/settings.local.json',
  managed: 'managed/managed-settings.json',
} as const
type Switches = Partial<Record<keyof typeof settingsAt, Json>>

const installed: Readonly<Record<string, Switches>> = {
  user: { user: true },
  project: { project: true },
  local: { local: true },
  managed: { managed: true },
  nowhere: {},
  'user-not-project': { user: true, project: false },
  'project-not-user': { project: true, user: false },
  'project-not-local': { project: true, local: false },
  'local-not-project': { local: true, project: false },
  'managed-not-local': { managed: true, local: false },
  'user-not-managed': { user: true, managed: false },
}
const installedNames = Object.keys(installed)

const marketplace = (names: readonly string[]): Files => ({
  'market/.claude-plugin/marketplace.json': {
    name: 'market',
    owner: { name: 'somebody' },
    plugins: names.map((name) => ({ name, source: `./${name}`, description: 'a plugin' })),
  },
  ...Object.assign(
    {},
    ...names.map((name) => plugin(`market/${name}`, name, { '.mcp.json': mcpJson({ ctx: ['act', name] }) })),
  ),
})
const known: Files = {
  'home/.claude/plugins/known_marketplaces.json': {
    market: {
      source: { source: 'directory', path: '$ROOT/market' },
      installLocation: '$ROOT/market',
      lastUpdated: '2026-01-01T00:00:00.000Z',
    },
  },
}
const switched: Files = Object.fromEntries(
  Object.entries(settingsAt).map(([level, file]) => [
    file,
    {
      enabledPlugins: Object.fromEntries(
        Object.entries(installed).flatMap(([name, at]) => {
          const value = at[level as keyof Switches]
          return value === undefined ? [] : [[`${name}@market`, value]]
        }),
      ),
    },
  ]),
)
const installedProbes = installedNames.map((name) => calls(`mcp__plugin_${name}_ctx__act`))

const enabled: JsonObject = { enabledPlugins: { 'broker@market': true } }
const declared: JsonObject = {
  extraKnownMarketplaces: { market: { source: { source: 'directory', path: '$ROOT/market' } } },
}
/** From a repository: the copy made at installation is used. */
const fetched = (entries: JsonObject): Files => ({
  ...plugin('home/.claude/plugins/cache/market/broker/1.0.0', 'broker'),
  'home/.claude/plugins/marketplaces/market/.claude-plugin/marketplace.json': marketplace(['broker'])[
    'market/.claude-plugin/marketplace.json'
  ]!,
  'home/.claude/plugins/known_marketplaces.json': {
    market: {
      source: { source: 'github', repo: 'somebody/market' },
      installLocation: '$HOME/.claude/plugins/marketplaces/market',
      lastUpdated: '2026-01-01T00:00:00.000Z',
    },
  },
  'home/.claude/plugins/installed_plugins.json': { version: 2, plugins: entries },
  [userSettings]: enabled,
})
const copy = {
  installPath: '$HOME/.claude/plugins/cache/market/broker/1.0.0',
  version: '1.0.0',
  installedAt: '2026-01-01T00:00:00.000Z',
  lastUpdated: '2026-01-01T00:00:00.000Z',
}

const brokerProbes = [calls('mcp__plugin_broker_ctx__act')]

const origins: Readonly<Record<string, Files>> = {
  'of an unknown marketplace': { ...marketplace(['broker']), [userSettings]: enabled },
  'of a marketplace in user settings': {
    ...marketplace(['broker']),
    [userSettings]: { ...enabled, ...declared },
  },
  'of a marketplace in project settings': {
    ...marketplace(['broker']),
    [projectSettings]: { ...enabled, ...declared },
  },
  'installed from a repository': fetched({ 'broker@market': [{ scope: 'user', ...copy }] }),
  'installed from a repository for another project': fetched({
    'broker@market': [{ scope: 'project', projectPath: '/elsewhere', ...copy }],
  }),
  'from a repository, not installed': fetched({}),
}

export const installScenes: readonly Scene[] = [
  {
    name: 'plugins switched on and off at every level',
    files: { ...marketplace(installedNames), ...known, ...switched },
    probes: installedProbes,
  },
  {
    name: 'plugins switched on and off at every level, workspace not accepted',
    files: { ...marketplace(installedNames), ...known, ...switched },
    isUntrusted: true,
    probes: installedProbes,
    undocumented: 'what counts in a workspace nobody accepted is nowhere described',
  },
  ...Object.entries(origins).map(([what, files]) => ({
    name: `plugin ${what}`,
    files,
    probes: brokerProbes,
    undocumented: 'how installed plugins lie on disk is nowhere described',
  })),
  {
    name: 'plugin of a marketplace in project settings, workspace not accepted',
    files: origins['of a marketplace in project settings']!,
    isUntrusted: true,
    probes: brokerProbes,
    undocumented: 'what counts in a workspace nobody accepted is nowhere described',
  },
]
