import { describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { droppingFaults } from './settings-schema.ts'

const guard = { matcher: 'Bash', hooks: [{ type: 'command', command: './guard.sh' }] }

/** Observed behavior of the client, by whether a deny rule in the same file had an effect. */
describe('what makes the client ignore the whole file', () => {
  test.each<[string, JsonObject, string]>([
    ['an unknown mode', { permissions: { defaultMode: 'yolo' } }, 'permissions.defaultMode'],
    [
      'a switch that is not a string',
      { permissions: { disableBypassPermissionsMode: true } },
      'permissions.disableBypassPermissionsMode',
    ],
    [
      'folders that are not a list',
      { permissions: { additionalDirectories: 'x' } },
      'permissions.additionalDirectories',
    ],
    [
      'a folder that is not a string',
      { permissions: { additionalDirectories: [5] } },
      'permissions.additionalDirectories',
    ],
    ['a list that is a text', { permissions: { deny: 'Bash' } }, 'permissions.deny'],
    ['a list that is nothing', { permissions: { allow: null } }, 'permissions.allow'],
    ['permissions as a list', { permissions: ['Bash'] }, 'permissions'],
    ['a number for a name', { model: 5 }, 'model'],
    ['nothing for a name', { model: null }, 'model'],
    ['a word for a switch', { disableAllHooks: 'yes' }, 'disableAllHooks'],
    ['a switch in quotes', { includeCoAuthoredBy: 'false' }, 'includeCoAuthoredBy'],
    ['a number in quotes', { cleanupPeriodDays: '30' }, 'cleanupPeriodDays'],
    ['variables as a list', { env: ['A=1'] }, 'env'],
    ['plugins as a list', { enabledPlugins: ['a@b'] }, 'enabledPlugins'],
    ['a skill switched by another word', { skillOverrides: { a: 'off', b: 'none' } }, 'skillOverrides'],
    ['a plugin switched by a word', { enabledPlugins: { 'a@b': 'x' } }, 'enabledPlugins'],
    ['a server that is not a string', { disabledMcpjsonServers: [5] }, 'disabledMcpjsonServers'],
    ['a sandbox that is a switch', { sandbox: true }, 'sandbox'],
    ['a sandbox switched by a word', { sandbox: { enabled: 'true' } }, 'sandbox.enabled'],
    ['a sandbox switched by nothing', { sandbox: { enabled: null } }, 'sandbox.enabled'],
    [
      'excluded commands that are not a list',
      { sandbox: { excludedCommands: 'x' } },
      'sandbox.excludedCommands',
    ],
    [
      'a sandbox file that is not a string',
      { sandbox: { filesystem: { denyRead: [1] } } },
      'sandbox.filesystem.denyRead',
    ],
    [
      'a sandbox port as a string',
      { sandbox: { network: { httpProxyPort: 'x' } } },
      'sandbox.network.httpProxyPort',
    ],
    ['a status line that is a text', { statusLine: 'x' }, 'statusLine'],
    [
      'a guard of an unknown type',
      { hooks: { PreToolUse: [guard, { hooks: [{ type: 'shell' }] }] } },
      'hooks.PreToolUse.1.hooks.0.type',
    ],
    [
      'a guard without its command',
      { hooks: { PreToolUse: [{ hooks: [{ type: 'command' }] }] } },
      'hooks.PreToolUse.0.hooks.0',
    ],
    [
      'an unknown onFailure value',
      { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'x', onFailure: 'deny' }] }] } },
      'hooks.PreToolUse.0.hooks.0.onFailure',
    ],
    [
      'a guard outside a group',
      { hooks: { PreToolUse: [{ matcher: 'Bash', type: 'command', command: 'x' }] } },
      'hooks.PreToolUse.0',
    ],
    [
      'a matcher that is not a string',
      { hooks: { PreToolUse: [{ matcher: {}, hooks: [] }] } },
      'hooks.PreToolUse.0.matcher',
    ],
    ['groups without their event', { hooks: [guard] }, 'hooks'],
    ['one group in place of a list', { hooks: { PreToolUse: guard } }, 'hooks.PreToolUse'],
    ['an event outside of hooks', { PreToolUse: [guard] }, 'PreToolUse'],
    ['hooks in hooks', { hooks: { hooks: { PreToolUse: [guard] } } }, 'hooks.hooks'],
  ])('%s', (_case, settings, at) => {
    expect(droppingFaults(settings).map(({ path }) => path.join('.'))).toEqual([at])
  })

  test.each<[string, JsonObject]>([
    ['a rule that is a number', { permissions: { deny: [5, 'Bash'] } }],
    ['a number as a variable', { env: { A: 1 } }],
    ['a sandbox program that is not a string', { sandbox: { enabled: true, bwrapPath: 1, more: 3 } }],
    ['unknown keys', { permisions: {}, allowed_tools: 5, permissions: { denied: 5 } }],
    ['modes that are not in the menu', { permissions: { defaultMode: 'dontAsk' } }],
    ['servers by their names', { allowedMcpServers: ['x'], enabledMcpjsonServers: 'x' }],
    ['no hooks', { hooks: null }],
    ['an unknown event', { hooks: { preToolUse: [guard], Foo: 5 } }],
    ['an unknown type elsewhere', { hooks: { PostToolUse: [{ hooks: [{ type: 'shell' }] }] } }],
    ['another event that is no list', { hooks: { PostToolUse: {} } }],
    [
      'onFailure where it has no effect',
      { hooks: { PreToolUse: [{ hooks: [{ type: 'mcp_tool', server: 'a', tool: 'b', onFailure: 'no' }] }] } },
    ],
    [
      'a valid file',
      {
        permissions: { allow: ['Bash'], defaultMode: 'plan' },
        hooks: { PreToolUse: [guard] },
        model: 'opus',
      },
    ],
  ])('not %s', (_case, settings) => {
    expect(droppingFaults(settings)).toEqual([])
  })
})
