/** What the examples in `fixtures/` do not show. */

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import {
  openCodeFolder,
  openCodeSetup,
  placesIn,
  secretsIn,
  writeOpenCode,
  type OpenCodeFiles,
} from '../../../test/opencode-setup.ts'
import type { Json } from '@contextd/shared/json/value'
import type { LintFinding } from '../../findings/finding.ts'
import { repair } from '../../findings/repair.ts'
import { readOpenCodeSetup } from '../read-setup.ts'
import type { OpenCodeSetup } from '../setup.ts'
import { openCodeRules } from './rules.ts'

const project = 'project/opencode.json'
const user = 'home/.config/opencode/opencode.json'
const agent = 'project/.opencode/agent/x.md'
const head = (yaml: string): string => `---\n${yaml}\n---\nYou help.\n`

function lint(setup: OpenCodeSetup): LintFinding[] {
  return openCodeRules.flatMap((rule) =>
    Array.from(rule.check(setup), (found) => ({ severity: rule.severity, ...found, rule: rule.id })),
  )
}

function found(files: OpenCodeFiles): string[] {
  return lint(openCodeSetup(files)).map(
    ({ severity, rule }) => `${severity} ${rule.slice('opencode-'.length)}`,
  )
}

/** The file as `--fix` leaves it. */
function repaired(file: string, text: string): string {
  const root = openCodeFolder({ [file]: text })
  const findings = lint(readOpenCodeSetup(placesIn(root), { secretsIn }))
  const { texts } = repair(findings, (path) => readFileSync(path, 'utf8'))
  return texts.get(join(root, file)) ?? text
}

it('finds nothing where nothing is', () => {
  expect(found({})).toEqual([])
  expect(found({ [project]: { $schema: 'x', model: 'a/b', permission: { bash: 'ask' } } })).toEqual([])
})

describe('order', () => {
  it.each<[string, OpenCodeFiles, string[]]>([
    [
      'a wide rule after an exact one',
      { [project]: { permission: { task: 'deny', '*': 'ask' } } },
      ['error'],
    ],
    ['the other way round', { [project]: { permission: { '*': 'ask', task: 'deny' } } }, []],
    ['the same answer', { [project]: { permission: { task: 'deny', '*': 'deny' } } }, []],
    ['a dead allow', { [project]: { permission: { task: 'allow', '*': 'ask' } } }, ['warning']],
    [
      'one that is opened and closed again',
      { [project]: { permission: { bash: { 'git *': 'deny', '*': 'allow', 'g*': 'deny' } } } },
      [],
    ],
    ['the older key', { [project]: { permission: { '*': 'ask' }, tools: { task: false } } }, ['error']],
    ['in an agent', { [agent]: head('permission:\n  task: deny\n  "*": ask') }, ['error']],
  ])('%s', (_, files, severities) => {
    const ours = found(files).filter((line) => line.endsWith('shadowed-rule'))
    expect(ours).toEqual(severities.map((severity) => `${severity} shadowed-rule`))
  })

  it.each<[string, OpenCodeFiles, string[]]>([
    [
      'a project that closes more',
      { [user]: { permission: { task: 'ask' } }, [project]: { permission: { task: 'deny' } } },
      [],
    ],
    [
      'a project that opens',
      { [user]: { permission: { task: 'deny' } }, [project]: { permission: { task: 'allow' } } },
      ['error'],
    ],
    [
      'a question that is not asked',
      { [user]: { permission: { task: 'ask' } }, [project]: { permission: { '*': 'allow' } } },
      ['warning'],
    ],
    [
      'patterns that keep the rest closed',
      {
        [user]: { permission: { bash: 'deny' } },
        [project]: { permission: { bash: { '*': 'deny', 'ls *': 'allow' } } },
      },
      [],
    ],
    [
      'an administrator whose rule comes too early',
      {
        [project]: { permission: { task: 'allow', '*': 'allow' } },
        'managed/opencode.json': { permission: { task: 'deny' } },
      },
      ['error'],
    ],
    [
      '`permission` over `tools`',
      { [project]: { tools: { task: false }, permission: { task: 'allow' } } },
      ['error'],
    ],
    [
      'an agent in two files',
      {
        [project]: { agent: { x: { permission: { task: 'deny' } } } },
        [agent]: head('permission:\n  task: allow'),
      },
      ['error'],
    ],
  ])('across files: %s', (_, files, severities) => {
    const ours = found(files).filter((line) => line.endsWith('overridden-rule'))
    expect(ours).toEqual(severities.map((severity) => `${severity} overridden-rule`))
  })
})

describe('what is still reachable', () => {
  const lines = (files: OpenCodeFiles): string[] =>
    found(files).filter((line) => line.endsWith('still-reachable'))

  it.each<[string, OpenCodeFiles, string[]]>([
    ['nothing where all is closed', { [project]: { permission: 'deny' } }, []],
    ['what was opened on purpose', { [project]: { permission: { '*': 'deny', grep: 'allow' } } }, []],
    ['reading, by grep', { [project]: { permission: { read: 'deny', bash: 'ask' } } }, ['error']],
    ['writing, by bash', { [project]: { permission: { edit: 'deny' } } }, ['error']],
    ['not by a shell that is asked for', { [project]: { permission: { edit: 'deny', bash: 'ask' } } }, []],
    [
      'not by one that has a few commands',
      { [project]: { permission: { edit: 'deny', bash: { '*': 'deny', 'ls *': 'allow' } } } },
      [],
    ],
    [
      'a deny that is void is not counted',
      { [project]: { permission: { edit: 'deny', 'e*': 'allow' } } },
      [],
    ],
    [
      'the network, behind a strict setup',
      { [project]: { permission: { bash: 'deny', edit: 'deny', glob: 'deny', grep: 'deny', read: 'deny' } } },
      ['note'],
    ],
  ])('%s', (_, files, severities) => {
    expect(lines(files)).toEqual(severities.map((severity) => `${severity} still-reachable`))
  })
})

describe('names', () => {
  it.each<[string, OpenCodeFiles, string[]]>([
    [
      'tools of servers',
      { [project]: { mcp: { 'my.notes': {} }, permission: { 'my_notes_*': 'deny' } } },
      [],
    ],
    ['of one that is configured elsewhere', { [project]: { permission: { notes_read: 'deny' } } }, []],
    ['wildcards', { [project]: { permission: { 'web*': 'deny', '*_delete': 'deny' } } }, []],
    ['the older key', { [project]: { tools: { write: false, patch: false } } }, []],
    ['what a plugin may bring', { [project]: { plugin: ['p'], permission: { browser: 'deny' } } }, []],
    ['what nothing brings', { [project]: { permission: { browser: 'deny' } } }, ['warning unknown-tool']],
    ['a slip', { [project]: { plugin: ['p'], permission: { bsh: 'deny' } } }, ['error unknown-tool']],
  ])('%s', (_, files, lines) => {
    const ours = found(files).filter((line) => /unknown-tool|claude-names/.test(line))
    expect(ours).toEqual(lines)
  })
})

describe('patterns for files', () => {
  it.each([
    ['*.env', []],
    ['src/*', []],
    ['../notes/*', []],
    ['./src/*', ['error path-pattern']],
    ['/etc/*', ['error path-pattern']],
    ['~/.ssh/*', ['error path-pattern']],
    ['$HOME/.ssh/*', ['error path-pattern']],
  ])('%s', (pattern, lines) => {
    const permission = { edit: { [pattern]: 'deny' }, bash: 'ask', external_directory: { [pattern]: 'deny' } }
    expect(found({ [project]: { permission } })).toEqual(lines)
  })

  it('are seen from / where there is no repository', () => {
    const root = openCodeFolder()
    const permission = { edit: { 'src/*': 'deny', '*src/*': 'deny', [`${root.slice(1)}/project/*`]: 'deny' } }
    const files = openCodeFolder({ [project]: { permission } })
    rmSync(join(files, 'project/.git'), { recursive: true })
    const setup = readOpenCodeSetup(placesIn(files), { secretsIn })
    const lines = lint(setup).filter(({ rule }) => rule === 'opencode-path-pattern')
    expect(lines.map(({ message }) => message)).toEqual([
      'No file matches `src/*`: what it should close is open.',
      expect.stringContaining('/project/*`'),
    ])
    const own = { edit: { [`${files.slice(1)}/project/src/*`]: 'deny' } }
    writeOpenCode(files, { [project]: { permission: own } })
    const again = lint(readOpenCodeSetup(placesIn(files), { secretsIn }))
    expect(again.map(({ rule }) => rule)).not.toContain('opencode-path-pattern')
  })
})

it('masks what is secret in what it quotes', () => {
  const permission = { bash: { 'curl -H secret-abc *': 'deny', '*': 'ask' } }
  const texts = (files: OpenCodeFiles): string[] =>
    lint(openCodeSetup(files)).flatMap(({ message, fix }) => [message, fix])
  const messages = texts({ [project]: { permission } })
  expect(messages.join('\n')).toContain('`*`')
  const agents = { agent: { 'secret-abc': { permission: { task: 'allow' } } }, permission: { task: 'deny' } }
  const more = texts({ [project]: agents })
  expect(more.join('\n')).toContain('[SECRET]')
  expect([...messages, ...more].join('\n')).not.toContain('secret-abc')
})

describe('repairs', () => {
  it.each([
    ['that starts a program', '{ "mcpServers": { "notes": { "command": "x" } } }\n'],
    ['that has the client start a program', '{ "mcp": { "notes": { "command": "x", "enabled": false } } }\n'],
    ['that guesses what a server means', '{ "mcp": { "notes": { "program": "x" } } }\n'],
  ])('nothing %s', (_, text) => {
    expect(repaired(project, text)).toBe(text)
  })

  it('gives variables to a server by the name that the client reads', () => {
    const text = '{ "mcp": { /* a */ "x": { "type": "local", "command": ["x"], "env": { "A": "${A}" } } } }\n'
    expect(JSON.parse(repaired(project, text).replace('/* a */', ''))).toEqual({
      mcp: { x: { type: 'local', command: ['x'], environment: { A: '{env:A}' } } },
    })
  })

  it('spells what is denied, and not what would be allowed', () => {
    expect(repaired(agent, head('permissions:\n  bash: deny'))).toBe(head('permission:\n  bash: deny'))
    const opening = head('permissions:\n  bash: allow\n  edit: deny')
    expect(repaired(agent, opening)).toBe(opening)
    const text = '{ "permissions": { "bash": "deny" } }\n'
    expect(repaired(project, text)).toBe(text.replace('permissions', 'permission'))
    const wide = '{ "permissions": { "*": "allow", "bash": "deny" } }\n'
    expect(repaired(project, wide)).toBe(wide)
  })

  it('gives a pattern that denies the form that fits', () => {
    expect(repaired(project, '{ "permission": { "edit": { "*": "ask", "./a/*": "deny" } } }\n')).toMatch(
      /"\*?a\/\*": "deny"/,
    )
  })

  it('puts a stricter rule behind the wider one', () => {
    expect(repaired(project, '{ "permission": { "task": "deny", "*": "ask" } }\n')).toBe(
      '{ "permission": { "*": "ask", "task": "deny" } }\n',
    )
  })

  it.each([
    ['opens nothing', '{ "permission": { "task": "allow", "*": "ask" } }\n'],
    [
      'closes nothing that has a rule of its own',
      '{ "permission": { "bash": { "git *": "deny", "git log *": "allow", "*": "ask" } } }\n',
    ],
    ['gives no rule a name that is taken', '{ "permission": { "Task": "deny", "task": "ask" } }\n'],
    ['gives no two rules the same name', '{ "permission": { "Edit": "deny", "write": "deny" } }\n'],
    [
      'takes nothing out of what is denied',
      '{ "permission": { "edit": { "*": "deny", "./a/*": "ask" } } }\n',
    ],
    [
      'gives no pattern a form that is taken',
      '{ "permission": { "edit": { "a/*": "deny", "*a/*": "deny", "./a/*": "deny" } } }\n',
    ],
    ['gives no allow another name', '{ "permission": { "Task": "allow" } }\n'],
  ])('%s', (_, text) => {
    expect(repaired(project, text)).toBe(text)
  })

  it('renames in place', () => {
    expect(repaired(project, '\uFEFF{ "permission": { /* a */ "Task": "deny", "edit": "ask" } }\n')).toBe(
      '\uFEFF{ "permission": { /* a */ "task": "deny", "edit": "ask" } }\n',
    )
    expect(repaired(agent, head('permission:\n  Task: deny # no'))).toBe(
      head('permission:\n  "task": deny # no'),
    )
    expect(repaired(agent, head('permissions: # v2\n  task: deny'))).toBe(
      head('permission: # v2\n  task: deny'),
    )
  })
})

it.each([
  ['nested without end', `{"permission": ${'{"a":'.repeat(60)}1${'}'.repeat(60)}}`],
  [
    'names of prototypes',
    '{"permission": {"__proto__": "deny", "constructor": {"toString": "ask"}}, "mcp": 5}',
  ],
  [
    'agents that are none',
    '{"agent": {"x": null, "y": [], "z": {"permission": []}}, "mode": "x", "agents": 1}',
  ],
  [
    'tools that are none',
    '{"tools": [], "mcpServers": null, "permissions": null, "agents": {"a": {"tools": 1}}}',
  ],
])('takes %s', (_, text) => {
  expect(() => found({ [project]: text })).not.toThrow()
})

it('takes thousands of rules and agents', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (__, index) => [`t*${index}*x`, 'deny']))
  const agents = Array.from({ length: 1000 }, (__, index) => [
    `project/.opencode/agent/a${index}.md`,
    head(`description: x\npermission:\n  task: allow\n  edit: deny`),
  ])
  const files = { ...(Object.fromEntries(agents) as OpenCodeFiles), [project]: { permission: many } }
  expect(found(files).filter((line) => line === 'error still-reachable')).toHaveLength(1000)
})

describe('servers', () => {
  const faults = (mcp: Json): string[] => found({ [project]: { mcp } })
  const local = { type: 'local', command: ['notes'] }
  const remote = { type: 'remote', url: 'https://notes.example' }

  it.each<Json>([
    { a: local, b: remote },
    { a: { ...local, environment: { A: 'b' }, enabled: false, timeout: 5 } },
    { a: { ...remote, headers: { A: 'b' } } },
    { a: { enabled: true } },
    // A switch, whatever else it says.
    { a: { enabled: false, command: ['notes'] } },
    { servers: { a: local } },
  ])('%j is taken', (mcp) => {
    expect(faults(mcp)).toEqual([])
  })

  it.each<Json>([
    [],
    'notes',
    { a: null },
    { a: {} },
    { a: { command: 'notes' } },
    { a: { type: 'stdio', command: ['notes'] } },
    { a: { type: 'local', command: 'notes' } },
    { a: { type: 'remote' } },
    { a: { ...local, environment: { A: 1 } } },
    { a: { ...local, enabled: 'no' } },
    { a: { ...local, timeout: '5' } },
    { a: { ...remote, headers: { A: 1 } } },
    { timeout: 5 },
    { servers: 'notes' },
  ])('with %j the client does not start', (mcp) => {
    expect(faults(mcp)).toEqual(['error server-shape'])
  })
})

describe('values of another kind', () => {
  const shaped = (files: OpenCodeFiles): string[] =>
    found(files).filter((line) => line.endsWith('broken-file'))

  it.each<OpenCodeFiles>([
    { [project]: { model: 'a/b', subagent_depth: 2, experimental: {}, agent: { x: { mode: 'all' } } } },
    { [agent]: head('description: x\nmode: primary\nmodel: a/b\ntemperature: 0.1\ncolor: "#38a3ee"') },
    { [agent]: head('description: x\ncolor: accent\ntools:\n  bash: false') },
    // Left out, and the client starts.
    { 'project/.opencode/mode/x.md': head('description: 3') },
  ])('%j is fine', (files) => {
    expect(shaped(files)).toEqual([])
  })

  it.each<OpenCodeFiles>([
    { [project]: { model: 3 } },
    { [project]: { subagent_depth: 'x' } },
    { [project]: { experimental: 'x' } },
    { [project]: { tools: ['bash'] } },
    { [project]: { agent: 'x' } },
    { [project]: { agent: { x: 'y' } } },
    { [project]: { agent: { x: { mode: 'main' } } } },
    { [project]: { agent: { x: { tools: ['bash'] } } } },
    { [agent]: head('description: 3') },
    { [agent]: head('description: x\nmode: main') },
    { [agent]: head('description: x\nmodel: 3') },
    { [agent]: head('description: x\ntemperature: hot') },
    { [agent]: head('description: x\ncolor: purple') },
    { [agent]: head('description: x\ntools:') },
  ])('with %j the client does not start', (files) => {
    expect(shaped(files)).toEqual(['error broken-file'])
  })
})
