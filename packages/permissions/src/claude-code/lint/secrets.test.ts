import { expect, test } from 'vitest'

import { agentFile, check } from '../../../test/claude-files.ts'
import type { ClaudeSetup } from '../setup/setup.ts'
import { secretRules } from './secrets.ts'

const [frontmatter, settings] = secretRules
const key = 'ctx_example_of_a_broker_key'
const doorUrl = 'http://127.0.0.1:7391/model/ctxm_example/anthropic'
/** Replaces the scrubber: detects SECRET and keys of the model door. */
const scrubbed = (setup: ClaudeSetup): ClaudeSetup => ({
  ...setup,
  secretsIn: (text) =>
    Array.from(text.matchAll(/SECRET|ctxm_\w+/g), ({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
    })),
})
const places = (lines: readonly string[]): string[] => lines.map((line) => line.split(': ')[0] ?? '')

test.each<[string, string[], string[]]>([
  ['a key of the broker', [`color: ${key}`], ['error project/.claude/agents/a.md:4']],
  [
    'a secret that the scrubber detects',
    ['model: opus', 'color: SECRET'],
    ['error project/.claude/agents/a.md:5'],
  ],
  ['servers of the agent', ['mcpServers:', '  - x: { command: y, env: { KEY: SECRET } }'], []],
  ['no secret', ['model: opus'], []],
])('in a frontmatter: %s', (_case, lines, found) => {
  expect(places(check(frontmatter, agentFile('a', ...lines), scrubbed).lines)).toEqual(found)
})

test('a key in the body is not reported', () => {
  const files = { 'project/.claude/agents/a.md': `---\nname: a\ndescription: b\n---\n\n${key} SECRET\n` }
  expect(check(frontmatter, files, scrubbed).lines).toEqual([])
})

test('findings are attributed to the right agent', () => {
  const files = {
    ...agentFile('a', 'color: SECRET'),
    ...agentFile('b'),
    ...agentFile('c', 'model: x', 'color: SECRET'),
  }
  expect(places(check(frontmatter, files, scrubbed).lines)).toEqual([
    'error project/.claude/agents/a.md:4',
    'error project/.claude/agents/c.md:5',
  ])
})

test('messages do not contain the secret', () => {
  const { lines, fixes } = check(frontmatter, agentFile('a', `color: ${key}`), scrubbed)
  expect(JSON.stringify([lines, fixes])).not.toContain(key)
})

test.each<[string, Record<string, unknown>, string[]]>([
  [
    'in shared settings',
    { 'project/.claude/settings.json': { env: { A: key } } },
    ['error project/.claude/settings.json:3'],
  ],
  [
    'in local settings',
    { 'project/.claude/settings.local.json': { env: { A: 'SECRET' } } },
    ['warning project/.claude/settings.local.json:3'],
  ],
  [
    'in the address of the model door',
    {
      'project/.claude/settings.local.json': {
        env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:7391/model/SECRET/anthropic', A: 'SECRET' },
      },
    },
    ['warning project/.claude/settings.local.json:4'],
  ],
  [
    'in the address of the model door in shared settings',
    {
      'project/.claude/settings.json': {
        env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:7391/model/SECRET/anthropic' },
      },
    },
    ['error project/.claude/settings.json:3'],
  ],
  [
    'in user settings',
    { 'home/.claude/settings.json': { env: { A: 'SECRET' } } },
    ['warning home/.claude/settings.json:3'],
  ],
  [
    'the key of the model door, where `ctxd init` writes it',
    {
      'project/.claude/settings.local.json': { env: { ANTHROPIC_BASE_URL: doorUrl } },
      'home/.claude/settings.json': { env: { ANTHROPIC_BASE_URL: doorUrl } },
    },
    [],
  ],
  [
    'the key of the model door in shared settings',
    { 'project/.claude/settings.json': { env: { ANTHROPIC_BASE_URL: doorUrl } } },
    ['error project/.claude/settings.json:3'],
  ],
  [
    'a server of the project',
    { 'project/.mcp.json': { mcpServers: { x: { command: 'y', env: { A: 'SECRET' } } } } },
    ['error project/.mcp.json:3'],
  ],
  ['a variable', { 'project/.mcp.json': { mcpServers: { x: { command: 'y', env: { A: '${A}' } } } } }, []],
  ['no secret', { 'project/.claude/settings.json': { env: { LANG: 'C' } } }, []],
])('in settings: %s', (_case, files, found) => {
  expect(places(check(settings, files, scrubbed).lines)).toEqual(found)
})

test.each([
  ['settings.local.json', '/model/', []],
  ['settings.local.json', '/', ['warning project/.claude/settings.local.json:3']],
  ['settings.json', '/model/', ['error project/.claude/settings.json:3']],
])('a key of the model door in %s, after the path %s', (file, path, found) => {
  const url = `http://127.0.0.1:7391${path}ctxm_SECRET/anthropic`
  const known = (setup: ClaudeSetup): ClaudeSetup => ({
    ...setup,
    secretsIn: (text) =>
      Array.from(text.matchAll(/ctxm_SECRET/g), ({ index }) => ({ start: index, end: index + 11 })),
  })
  const files = { [`project/.claude/${file}`]: { env: { ANTHROPIC_BASE_URL: url } } }
  expect(places(check(settings, files, known).lines)).toEqual(found)
})
