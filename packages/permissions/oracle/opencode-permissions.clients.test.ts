/** Verifies claims of the linter about OpenCode's permissions with the real client. */

import { resolve } from 'node:path'

import { expect, test } from 'vitest'

import { openCodeRules } from '../src/opencode/lint/rules.ts'
import { openCodePlaces } from '../src/opencode/places.ts'
import { readOpenCodeSetup } from '../src/opencode/read-setup.ts'
import { rulesetsOf, type OpenCodeRule } from '../src/opencode/ruleset.ts'
import type { OpenCodeSetup } from '../src/opencode/setup.ts'
import type { LintFinding } from '../src/findings/finding.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { clientProgram, makePlace, type Place } from '../../../test/clients/client-run.ts'
import { opencodeBash, quiet, runOpencode } from '../../../test/clients/opencode.ts'
import type { ToolUse } from '../../../test/clients/scripted-model.ts'

type Files = Readonly<Record<string, string | JsonObject>>

const project = 'project/opencode.json'
const user = 'home/.config/opencode/opencode.json'
const agentFile = 'project/.opencode/agent/x.md'
const head = (yaml: string): string => `---\n${yaml}\n---\nYou help.\n`

function placeWith(files: Files): Place {
  const place = makePlace()
  for (const [file, content] of Object.entries(files)) place.write(file, content)
  return place
}

function setupOf({ home, project: cwd }: Place): OpenCodeSetup {
  return readOpenCodeSetup(openCodePlaces({ env: { HOME: home }, cwd }), { secretsIn: () => [] })
}

function findingsIn(place: Place): LintFinding[] {
  const setup = setupOf(place)
  return openCodeRules.flatMap((rule) =>
    Array.from(rule.check(setup), (found) => ({ severity: rule.severity, ...found, rule: rule.id })),
  )
}

const ids = (place: Place): string[] => [...new Set(findingsIn(place).map(({ rule }) => rule))]

interface ClientAgent {
  readonly permission: readonly { permission: string; pattern: string; action: string }[]
  readonly tools: Readonly<Record<string, boolean>>
}

async function askClient(place: Place, agent: string): Promise<ClientAgent> {
  const { stdout, stderr } = await place.start(clientProgram('opencode'), ['debug', 'agent', agent], quiet)
  if (!stdout.startsWith('{')) throw new Error(stderr)
  return JSON.parse(stdout) as ClientAgent
}

/** Without rules for the client's own folders. */
const comparableRules = (rules: readonly OpenCodeRule[]): string[] =>
  rules
    .filter(({ pattern }) => !pattern.includes('/'))
    .map(({ tool, pattern, action }) => `${tool} ${pattern} ${action}`)

test.each<[string, string, Files]>([
  ['no file at all', 'build', {}],
  ['the plan agent', 'plan', { [project]: { permission: { edit: 'allow' } } }],
  ['the explorer', 'explore', { [project]: { permission: { bash: 'deny' } } }],
  [
    'merged files',
    'build',
    {
      'home/.config/opencode/config.json': { permission: { a: 'deny', bash: 'deny', b: { x: 'deny' } } },
      [user]: { permission: { a: 'ask', c: 'deny' } },
      [project]: { permission: { bash: { 'git *': 'allow' }, '*': 'allow', c: 'ask', d: 'deny' } },
      'project/opencode.jsonc':
        '{ /* more */ "permission": { "b": { "y": "ask", "x": "ask" }, "d": "ask", }, }',
      'project/.opencode/opencode.json': { permission: { d: 'allow', e: 'deny' } },
      'home/.opencode/opencode.json': { permission: { e: 'ask' } },
    },
  ],
  [
    'the older key `tools`',
    'build',
    {
      [project]: {
        permission: { '*': 'ask', glob: 'deny' },
        tools: { bash: false, write: false, glob: true },
      },
    },
  ],
  [
    'an agent in two files',
    'x',
    {
      [project]: { permission: 'ask', agent: { x: { permission: { bash: 'allow', edit: 'allow' } } } },
      [agentFile]: head(
        'description: one: two\ntools:\n  grep: false\npermission:\n  "*": allow\n  bash: deny',
      ),
    },
  ],
])('computes the same rules as the client: %s', async (_, agent, files) => {
  const place = placeWith(files)
  const { permission } = await askClient(place, agent)
  const ours = rulesetsOf(setupOf(place)).agents.get(agent)!.rules.flat()
  const theirs = permission.map(
    ({ permission: tool, pattern, action }) => ({ tool, pattern, action }) as OpenCodeRule,
  )
  expect(comparableRules(ours)).toEqual(comparableRules(theirs))
})

test.each<[string, Files]>([
  ['opencode-v2-permissions', { [project]: { permissions: { bash: 'deny' } } }],
  ['opencode-permission-word', { [project]: { permission: { bash: 'forbid' } } }],
  ['opencode-permission-word', { [project]: { permission: { webfetch: { 'https://*': 'deny' } } } }],
  ['opencode-server-shape', { [project]: { mcp: { notes: { command: 'npx', args: [] } } } }],
  ['opencode-claude-frontmatter', { [agentFile]: head('description: x\ntools: Read, Grep') }],
  ['opencode-broken-file', { [user]: '{ "permission": { "bash": "deny" "edit": "deny" } }' }],
  ['opencode-broken-file', { [agentFile]: head('description: x\ncolor: purple') }],
  [
    'opencode-server-shape',
    { [project]: { mcp: { notes: { type: 'local', command: ['a'], timeout: '5' } } } },
  ],
])('the client refuses to start: %s', async (rule, files) => {
  const place = placeWith(files)
  expect(ids(place)).toEqual([rule])
  const { code, stderr } = await place.start(clientProgram('opencode'), ['debug', 'config'], quiet)
  expect(code).toBe(1)
  expect(stderr).toMatch(/Configuration is invalid|is not valid JSON/)
})

test('the client starts with a correct configuration', async () => {
  const place = placeWith({ [project]: { permission: { bash: 'deny', edit: 'ask' } } })
  expect(findingsIn(place)).toEqual([])
  const { code } = await place.start(clientProgram('opencode'), ['debug', 'config'], quiet)
  expect(code).toBe(0)
})

/** All of them are meant to deny `webfetch` to the agent `x`. */
test.each<[string, Files]>([
  ['opencode-broken-file', { [agentFile]: head('description: x\npermission:\n  *: deny') }],
  ['opencode-broken-file', { [agentFile]: `\n${head('description: x\npermission:\n  webfetch: deny')}` }],
  [
    'opencode-broken-file',
    { [agentFile]: head('description: x\npermission:\n  webfetch: deny\n  webfetch: deny') },
  ],
  ['opencode-v2-permissions', { [agentFile]: head('description: x\npermissions:\n  webfetch: deny') }],
  ['opencode-claude-frontmatter', { [agentFile]: head('description: x\ndisallowedTools: WebFetch') }],
  ['opencode-claude-names', { [agentFile]: head('description: x\npermission:\n  WebFetch: deny') }],
  ['opencode-unknown-key', { [agentFile]: head('description: x\npermision:\n  webfetch: deny') }],
  [
    'opencode-shadowed-rule',
    { [agentFile]: head('description: x\npermission:\n  webfetch: deny\n  "web*": ask') },
  ],
])('the tool is silently left open: %s', async (rule, files) => {
  const place = placeWith(files)
  expect(ids(place)).toContain(rule)
  expect((await askClient(place, 'x')).tools.webfetch).toBe(true)
})

test('the tool is denied by a correct agent', async () => {
  const place = placeWith({ [agentFile]: head('description: x\npermission:\n  webfetch: deny') })
  expect(findingsIn(place)).toEqual([])
  expect((await askClient(place, 'x')).tools.webfetch).toBe(false)
})

const ways: readonly ToolUse[] = [
  { id: 'read', tool: 'read', input: { filePath: 'closed/note.txt' } },
  { id: 'grep', tool: 'grep', input: { pattern: 'the word' } },
  opencodeBash('bash', 'cat closed/note.txt'),
]

/** Which tools are denied access to the contents of a file; grep may fail because its program is missing. */
async function refused(permission: JsonObject): Promise<{ found: string[]; refused: string[] }> {
  const place = placeWith({ [project]: { permission }, 'project/closed/note.txt': 'the word is pelican\n' })
  const found = ids(place)
  const run = await runOpencode(place, { main: [...ways.map((way) => [way]), 'done'] })
  const isRefused = (id: string): boolean => /a rule which prevents|unavailable tool/.test(run.saw(id).text)
  expect(run.saw('bash').text.includes('pelican')).toBe(!isRefused('bash'))
  return { found, refused: ways.map(({ id }) => id).filter(isRefused) }
}

test('grep and bash show what is denied to read', async () => {
  const read = { '*': 'allow', '*closed/*': 'deny' }
  const open = await refused({ read })
  expect(open.refused).toEqual(['read'])
  expect(open.found).toContain('opencode-still-reachable')
  const closed = await refused({ read, grep: 'deny', bash: 'deny' })
  expect(closed.refused).toEqual(['read', 'grep', 'bash'])
  expect(closed.found).not.toContain('opencode-still-reachable')
})

test('a pattern with a wrong start denies nothing', async () => {
  const dead = await refused({ read: { './closed/*': 'deny', 'closed/*': 'deny' } })
  expect(dead.refused).toEqual([])
  expect(dead.found).toContain('opencode-path-pattern')
})

test('a wide allow lets the plan agent write', async () => {
  const written = async (files: Files): Promise<boolean> => {
    // The configuration of this test allows everything.
    const place = placeWith(files)
    const write = { id: 'write', tool: 'write', input: { filePath: 'by-plan.txt', content: 'it ran' } }
    await runOpencode(place, { main: [[write], 'done'] }, ['--agent', 'plan'])
    return place.filesWith('it ran').includes('project/by-plan.txt')
  }
  expect(await written({})).toBe(true)
  expect(await written({ [project]: { permission: { edit: 'deny' } } })).toBe(false)
})

test('servers in mcpServers do not exist until they are moved', async () => {
  const program = [process.execPath, resolve('bin/contextd.js'), 'mcp', 'serve'] as const
  const [command, ...args] = program
  const tools = async (place: Place): Promise<string> => {
    const { requests } = await runOpencode(place, { main: ['done'] })
    return JSON.stringify(requests.map(({ body }) => body.tools ?? null))
  }
  const wrong = placeWith({ [project]: { mcpServers: { notes: { command, args } } } })
  expect(await tools(wrong)).not.toContain('notes_safe_read')
  expect(findingsIn(wrong).map(({ rule }) => rule)).toContain('opencode-mcp-servers-key')
  const right = placeWith({ [project]: { mcp: { notes: { type: 'local', command: [...program] } } } })
  expect(await tools(right)).toContain('notes_safe_read')
  expect(findingsIn(right).map(({ rule }) => rule)).not.toContain('opencode-mcp-servers-key')
})
