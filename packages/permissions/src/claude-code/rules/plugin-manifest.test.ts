import { expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { manifestFaults } from './plugin-manifest.ts'

const faults = (manifest: JsonObject): string[] =>
  manifestFaults({ name: 'kit', ...manifest }).map(({ path }) => path.join('.'))

test.each<[string, JsonObject]>([
  ['name', { name: 'a b' }],
  ['name', { name: '' }],
  ['version', { version: 5 }],
  ['homepage', { homepage: 'example' }],
  ['author', { author: 'me' }],
  ['keywords', { keywords: 'a' }],
  ['defaultEnabled', { defaultEnabled: 'no' }],
  ['commands', { commands: 'one.md' }],
  ['commands', { commands: [{ x: { content: 'y' } }] }],
  ['commands.x', { commands: { x: { source: './one.md', content: 'y' } } }],
  ['commands.x', { commands: { x: {} } }],
  ['commands.x', { commands: { x: { content: 'y', allowedTools: 'Bash' } } }],
  ['agents', { agents: './agents' }],
  ['agents', { agents: { x: {} } }],
  ['skills', { skills: { x: {} } }],
  ['hooks', { hooks: 'hooks.json' }],
  ['mcpServers', { mcpServers: '${CLAUDE_PLUGIN_ROOT}/servers.json' }],
])('a fault in %s: %j', (path, manifest) => {
  expect(faults(manifest)).toEqual([path])
})

test('a manifest without a name', () => {
  expect(manifestFaults({ version: '1' }).map(({ path }) => path)).toEqual([['name']])
})

test.each<[JsonObject]>([
  [{ version: '1', homepage: 'https://example.com', author: { name: 'me' }, keywords: ['a'] }],
  [{ defaultEnabled: false, other: 5 }],
  [{ commands: ['./one.md', './folder'] }],
  [{ commands: { x: { content: 'y', allowedTools: [] }, z: { source: './one.md' } } }],
  [{ agents: './one.md', skills: '.', hooks: {}, mcpServers: ['./a.json', './b.mcpb', {}] }],
])('no fault: %j', (manifest) => {
  expect(faults(manifest)).toEqual([])
})
