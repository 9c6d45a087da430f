/** Cases that are not covered by the examples in `fixtures/`. */

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
    Array.from(rule.check(setup), (details) => ({ severity: rule.severity, ...details, rule: rule.id })),
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

it('finds nothing in empty or correct files', () => {
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
    ['an exact rule after a wide one', { [project]: { permission: { '*': 'ask', task: 'deny' } } }, []],
    ['a wide rule with the same action', { [project]: { permission: { task: 'deny', '*': 'deny' } } }, []],
    ['a dead allow', { [project]: { permission: { task: 'allow', '*': 'ask' } } }, ['warning']],
    [
      'a deny rule that is overridden and then repeated',
      { [project]: { permission: { bash: { 'git *': 'deny', '*': 'allow', 'g*': 'deny' } } } },
      [],
    ],
    [
      'the older key `tools`',
      { [project]: { permission: { '*': 'ask' }, tools: { task: false } } },
      ['error'],
    ],
    ['in an agent', { [agent]: head('permission:\n  task: deny\n  "*": ask') }, ['error']],
  ])('%s', (_, files, severities) => {
    const ours = found(files).filter((line) => line.endsWith('shadowed-rule'))
    expect(ours).toEqual(severities.map((severity) => `${severity} shadowed-rule`))
  })

  it.each<[string, OpenCodeFiles, string[]]>([
    [
      'a project that is stricter',
      { [user]: { permission: { task: 'ask' } }, [project]: { permission: { task: 'deny' } } },
      [],
    ],
    [
      'a project that allows',
      { [user]: { permission: { task: 'deny' } }, [project]: { permission: { task: 'allow' } } },
      ['error'],
    ],
    [
      'an ask rule',
      { [user]: { permission: { task: 'ask' } }, [project]: { permission: { '*': 'allow' } } },
      ['warning'],
    ],
    [
      'patterns that still deny the rest',
      {
        [user]: { permission: { bash: 'deny' } },
        [project]: { permission: { bash: { '*': 'deny', 'ls *': 'allow' } } },
      },
      [],
    ],
    [
      "an administrator's rule with an earlier position",
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

describe('access by another tool', () => {
  const lines = (files: OpenCodeFiles): string[] =>
    found(files).filter((line) => line.endsWith('still-reachable'))

  it.each<[string, OpenCodeFiles, string[]]>([
    ['everything is denied', { [project]: { permission: 'deny' } }, []],
    ['a tool allowed on purpose', { [project]: { permission: { '*': 'deny', grep: 'allow' } } }, []],
    ['reading, by grep', { [project]: { permission: { read: 'deny', bash: 'ask' } } }, ['error']],
    ['writing, by bash', { [project]: { permission: { edit: 'deny' } } }, ['error']],
    ['a shell that prompts', { [project]: { permission: { edit: 'deny', bash: 'ask' } } }, []],
    [
      'a shell with a few commands',
      { [project]: { permission: { edit: 'deny', bash: { '*': 'deny', 'ls *': 'allow' } } } },
      [],
    ],
    ['an overridden deny rule', { [project]: { permission: { edit: 'deny', 'e*': 'allow' } } }, []],
    [
      'the network, in an otherwise strict setup',
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
    [
      'tools of a server that is configured elsewhere',
      { [project]: { permission: { notes_read: 'deny' } } },
      [],
    ],
    ['wildcards', { [project]: { permission: { 'web*': 'deny', '*_delete': 'deny' } } }, []],
    ['names in the older key `tools`', { [project]: { tools: { write: false, patch: false } } }, []],
    [
      'a name that may belong to a plugin',
      { [project]: { plugin: ['p'], permission: { browser: 'deny' } } },
      [],
    ],
    [
      'an unknown name without plugins',
      { [project]: { permission: { browser: 'deny' } } },
      ['warning unknown-tool'],
    ],
    ['a typo', { [project]: { plugin: ['p'], permission: { bsh: 'deny' } } }, ['error unknown-tool']],
  ])('%s', (_, files, lines) => {
    const ours = found(files).filter((line) => /unknown-tool|claude-names/.test(line))
    expect(ours).toEqual(lines)
  })
})

describe('file patterns', () => {
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

  it('are relative to / without a repository', () => {
    const root = openCodeFolder()
    const permission = { edit: { 'src/*': 'deny', '*src/*': 'deny', [`${root.slice(1)}/project/*`]: 'deny' } }
    const files = openCodeFolder({ [project]: { permission } })
    rmSync(join(files, 'project/.git'), { recursive: true })
    const setup = readOpenCodeSetup(placesIn(files), { secretsIn })
    const lines = lint(setup).filter(({ rule }) => rule === 'opencode-path-pattern')
    expect(lines.map(({ message }) => message)).toEqual([
      'No file matches `src/*`: what it should deny is open.',
      expect.stringContaining('/project/*`'),
    ])
    const own = { edit: { [`${files.slice(1)}/project/src/*`]: 'deny' } }
    writeOpenCode(files, { [project]: { permission: own } })
    const again = lint(readOpenCodeSetup(placesIn(files), { secretsIn }))
    expect(again.map(({ rule }) => rule)).not.toContain('opencode-path-pattern')
  })
})

it('masks secrets in messages', () => {
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
    ['starts a program', '{ "mcpServers": { "notes": { "command": "x" } } }\n'],
    ['makes the client start a program', '{ "mcp": { "notes": { "command": "x", "enabled": false } } }\n'],
    ['guesses the format of a server', '{ "mcp": { "notes": { "program": "x" } } }\n'],
  ])('no repair %s', (_, text) => {
    expect(repaired(project, text)).toBe(text)
  })

  it('renames `env` of a server to `environment`', () => {
    const text = '{ "mcp": { /* a */ "x": { "type": "local", "command": ["x"], "env": { "A": "${A}" } } } }\n'
    expect(JSON.parse(repaired(project, text).replace('/* a */', ''))).toEqual({
      mcp: { x: { type: 'local', command: ['x'], environment: { A: '{env:A}' } } },
    })
  })

  it('renames `permissions` if it only denies', () => {
    expect(repaired(agent, head('permissions:\n  bash: deny'))).toBe(head('permission:\n  bash: deny'))
    const opening = head('permissions:\n  bash: allow\n  edit: deny')
    expect(repaired(agent, opening)).toBe(opening)
    const text = '{ "permissions": { "bash": "deny" } }\n'
    expect(repaired(project, text)).toBe(text.replace('permissions', 'permission'))
    const wide = '{ "permissions": { "*": "allow", "bash": "deny" } }\n'
    expect(repaired(project, wide)).toBe(wide)
  })

  it('corrects deny patterns', () => {
    expect(repaired(project, '{ "permission": { "edit": { "*": "ask", "./a/*": "deny" } } }\n')).toMatch(
      /"\*?a\/\*": "deny"/,
    )
  })

  it('moves a stricter rule after the wider one', () => {
    expect(repaired(project, '{ "permission": { "task": "deny", "*": "ask" } }\n')).toBe(
      '{ "permission": { "*": "ask", "task": "deny" } }\n',
    )
  })

  it.each([
    ['allow rules are not moved', '{ "permission": { "task": "allow", "*": "ask" } }\n'],
    [
      'a rule is not moved if it would override another one',
      '{ "permission": { "bash": { "git *": "deny", "git log *": "allow", "*": "ask" } } }\n',
    ],
    ['a rule is not renamed to an existing name', '{ "permission": { "Task": "deny", "task": "ask" } }\n'],
    ['two rules are not renamed to the same name', '{ "permission": { "Edit": "deny", "write": "deny" } }\n'],
    ['ask patterns are not corrected', '{ "permission": { "edit": { "*": "deny", "./a/*": "ask" } } }\n'],
    [
      'a pattern is not changed to an existing one',
      '{ "permission": { "edit": { "a/*": "deny", "*a/*": "deny", "./a/*": "deny" } } }\n',
    ],
    ['allow rules are not renamed', '{ "permission": { "Task": "allow" } }\n'],
  ])('%s', (_, text) => {
    expect(repaired(project, text)).toBe(text)
  })

  it('preserves comments and formatting when it renames', () => {
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
  ['deeply nested values', `{"permission": ${'{"a":'.repeat(60)}1${'}'.repeat(60)}}`],
  [
    'names of prototypes',
    '{"permission": {"__proto__": "deny", "constructor": {"toString": "ask"}}, "mcp": 5}',
  ],
  ['invalid agents', '{"agent": {"x": null, "y": [], "z": {"permission": []}}, "mode": "x", "agents": 1}'],
  ['invalid tools', '{"tools": [], "mcpServers": null, "permissions": null, "agents": {"a": {"tools": 1}}}'],
])('does not throw on %s', (_, text) => {
  expect(() => found({ [project]: text })).not.toThrow()
})

it('checks thousands of rules and agents', () => {
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
    // `enabled` alone is valid, regardless of other keys.
    { a: { enabled: false, command: ['notes'] } },
    { servers: { a: local } },
  ])('%j is valid', (mcp) => {
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
  ])('the client does not start with %j', (mcp) => {
    expect(faults(mcp)).toEqual(['error server-shape'])
  })
})

describe('values of the wrong type', () => {
  const shaped = (files: OpenCodeFiles): string[] =>
    found(files).filter((line) => line.endsWith('broken-file'))

  it.each<OpenCodeFiles>([
    { [project]: { model: 'a/b', subagent_depth: 2, experimental: {}, agent: { x: { mode: 'all' } } } },
    { [agent]: head('description: x\nmode: primary\nmodel: a/b\ntemperature: 0.1\ncolor: "#38a3ee"') },
    { [agent]: head('description: x\ncolor: accent\ntools:\n  bash: false') },
    // The client skips it and starts.
    { 'project/.opencode/mode/x.md': head('description: 3') },
  ])('%j is valid', (files) => {
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
  ])('the client does not start with %j', (files) => {
    expect(shaped(files)).toEqual(['error broken-file'])
  })
})
