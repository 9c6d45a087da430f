/** Settings and files that the client does not read. */

import type { JsonObject } from '@contextd/shared/json/value'
import { fileAt } from './cells-modes.ts'
import { calls, mcpJson, reads, runs, touches, type Probe, type Scene } from './scene.ts'

const undocumented = 'what becomes of such a slip'

const probes: readonly Probe[] = [
  runs('slip a'),
  touches('touched'),
  reads('./a.txt'),
  calls('mcp__probe__one'),
]
const open = {
  'project/a.txt': 'before\n',
  'project/.mcp.json': mcpJson({ probe: ['one'] }),
  [fileAt.user]: { permissions: { allow: ['Bash', 'Read', 'mcp__probe'] } },
}
const closed = ['Bash', 'Read', 'mcp__probe']
const closing = { permissions: { deny: closed } }

/** Each in project settings. */
const unreadKeys: Readonly<Record<string, JsonObject>> = {
  'lists for each tool': {
    permissions: {
      read: { deny: ['./a.txt', '**'] },
      bash: { deny: ['*'] },
      Bash: 'deny',
      Read: { '*': 'deny' },
    },
  },
  'names of flags': {
    permissions: {
      allowedTools: ['WebFetch'],
      disallowedTools: closed,
      deniedTools: closed,
      denied_tools: closed,
    },
  },
  'the shape of OpenCode': {
    permission: { bash: 'deny', read: { '*': 'deny' }, 'mcp__probe__*': 'deny', '*': 'deny' },
  },
  'lists within lists': {
    permissions: { rules: closing.permissions, default: 'deny', tools: { deny: closed } },
  },
}

/** Files next to those that the client reads. */
const unreadFiles = [
  'settings.locale.json',
  'setting.json',
  'settings.jsonc',
  'local.settings.json',
  'settings-local.json',
  'settings.local.jsonc',
  'settings.json5',
  'permissions.json',
  'managed-settings.json',
  'settings',
  'settings.yaml',
  'config.json',
  'claude.json',
]
  .map((name) => `project/.claude/${name}`)
  .concat('home/.claude/settings.local.json')
const unreadServers = [
  '.claude/mcp.json',
  '.claude/.mcp.json',
  '.claude/mcp_servers.json',
  '.claude/mcpServers.json',
  '.claude/.claude.json',
  'mcp.json',
  '.mcp.local.json',
  '.mcp.jsonc',
  'mcp-config.json',
  '.claude.json',
  '.mcp',
]
  .map((name) => `project/${name}`)
  .concat('home/.claude/mcp.json', 'home/.claude/.mcp.json', 'home/mcp.json', 'home/.mcp.json')
const serverProbes = unreadServers.map((_file, at) => calls(`mcp__unread${at}__act`))

export const unreadScenes: readonly Scene[] = [
  ...Object.entries(unreadKeys).map(([what, settings]) => ({
    name: `settings deny by keys that are not read: ${what}`,
    files: { ...open, [fileAt.project]: settings },
    probes,
    undocumented,
  })),
  {
    name: 'files that are not read',
    files: {
      ...open,
      ...Object.fromEntries(unreadFiles.map((file) => [file, closing])),
      ...Object.fromEntries(unreadServers.map((file, at) => [file, mcpJson({ [`unread${at}`]: ['act'] })])),
    },
    probes: [...probes, ...serverProbes],
    undocumented,
  },
  ...(['enabledMcpjsonServers', 'disabledMcpjsonServers'] as const).map((key) => ({
    name: `${key} by names that differ little`,
    files: {
      'project/.mcp.json': mcpJson({ probe: ['one'], 'da-sh': ['one'], 'a.b': ['one'] }),
      [fileAt.local]: {
        [key]: ['Probe', 'da_sh', 'a_b', 'mcp__probe', 'probe '],
        permissions: { allow: ['mcp__probe', 'mcp__da-sh', 'mcp__a_b'] },
      },
    },
    probes: ['mcp__probe__one', 'mcp__da-sh__one', 'mcp__a_b__one'].map(calls),
    undocumented,
  })),
  {
    name: 'disabledMcpjsonServers names a server of the person',
    files: {
      'home/.claude.json': {
        ...mcpJson({ own: ['one'] }),
        hasCompletedOnboarding: true,
        projects: { $PROJECT: { hasTrustDialogAccepted: true } },
      },
      [fileAt.user]: { permissions: { allow: ['mcp__own'] } },
      [fileAt.local]: { disabledMcpjsonServers: ['own'] },
    },
    probes: [calls('mcp__own__one')],
    undocumented,
  },
]
