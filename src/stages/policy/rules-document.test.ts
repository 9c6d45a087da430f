import { describe, expect, it } from 'vitest'

import { readRules } from './rules-document.ts'
import { formatProblem } from './rules-problem.ts'

function problemsOf(text: string): string[] {
  const read = readRules({ text, file: 'rules.json' })
  return read.ok ? [] : read.problems.map(formatProblem)
}

/** A file with a single agent `a`. */
function withAgent(agent: object): string {
  return JSON.stringify({ agents: { a: agent } })
}

describe('readRules', () => {
  it('accepts a file of the older gateway', () => {
    const text = `{
      "agents": {
        "front-end": {
          "allow": { "servers": ["browser", "ui-components"], "tools": { "browser": ["*"], "ui-components": ["search_*"] } },
          "deny": { "servers": ["database"] }
        },
        "team.back_end": { "allow": { "servers": ["*"], "tools": { "*": ["*"] } } },
        "default": { "deny": { "servers": ["*"] } }
      },
      "defaults": { "deny_on_missing_agent": false }
    }`
    expect(problemsOf(text)).toEqual([])
  })

  it('accepts every existing key', () => {
    const access = {
      servers: ['browser_*', '*_db', '*', 'exact'],
      tools: { '*': ['get_*'], 'db_*': ['x?'] },
      capabilities: ['fs:read:src/**', 'shell:exec', 'http:fetch:api.github.com:443'],
      prompts: { docs: ['*'] },
      resources: { docs: ['file:///a?b=[1]*'] },
    }
    const text = JSON.stringify({
      $schema: './rules.schema.json',
      agents: {
        'contextd:scanner': {
          aliases: ['scanner'],
          require: 'attested',
          allow: access,
          deny: access,
          reveal: [{ tool: 'safe_bash', host: 'api.github.com' }],
          args: { 'db.query': { defaults: { limit: 1, deep: [{ a: null }] }, fixed: { mode: 'ro' } } },
          memory: { read: ['project'], write: ['project'] },
          limits: { calls_per_minute: 60, concurrency: 4, timeout_ms: 30000, tokens_per_session: 200000 },
          justification: 'because',
        },
      },
      require: { servers: { 'prod_*': 'token' }, tools: { '*': { 'drop_*': 'attested' } } },
      defaults: { deny_on_missing_agent: true },
      examples: { allow: ['scanner db.query'], deny: ['scanner db.drop.it'] },
    })
    expect(problemsOf(text)).toEqual([])
  })

  it.each(['{}', '{"agents": {}}', '\uFEFF{"agents": {"a": {"allow": {}, "deny": {}}}}'])(
    'accepts %j',
    (text) => {
      expect(problemsOf(text)).toEqual([])
    },
  )

  it.each([
    ['[]', '1:1: expected an object, found a list'],
    ['{"agents": {},}', '1:15: expected a key, found "}"'],
    ['{"agents": {"a": {}, "a": {}}}', '1:22: the key "a" is given twice'],
    ['{"agnets": {}}', '1:2: agnets: unknown key "agnets"; did you mean "agents"?'],
    ['{"agents": []}', '1:12: agents: expected an object, found a list'],
    ['{"agents": {"a": {"alow": {}}}}', '1:19: agents.a.alow: unknown key "alow"; did you mean "allow"?'],
    [
      '{"defaults": {"deny_on_mising_agent": true}}',
      '1:15: defaults.deny_on_mising_agent: unknown key "deny_on_mising_agent"; did you mean "deny_on_missing_agent"?',
    ],
    ['{"defaults": {"deny_on_missing_agent": "no"}}', 'expected true or false, found a string'],
    ['{"agents": {"": {}}}', '1:13: agents[""]: an agent id has'],
    ['{"agents": {"a b": {}}}', '1:13: agents["a b"]: an agent id has'],
    ['{"agents": {"__proto__": {}}}', '1:13: agents.__proto__: this name cannot be used as a key'],
    [withAgent({ require: 'atested' }), 'agents.a.require: not a valid value; did you mean "attested"?'],
    [withAgent({ allow: { servers: 'db' } }), 'agents.a.allow.servers: expected a list, found a string'],
    [withAgent({ allow: { servers: [] } }), 'agents.a.allow.servers: the list is empty'],
    [withAgent({ allow: { servers: [''] } }), 'agents.a.allow.servers[0]: a pattern has at most one'],
    [withAgent({ deny: { tools: { db: [] } } }), 'agents.a.deny.tools.db: the list is empty'],
    [
      withAgent({ deny: { tools: { db: ['get_*_x'] } } }),
      'agents.a.deny.tools.db[0]: a pattern has at most one',
    ],
    [withAgent({ deny: { tools: { db: ['*a*'] } } }), 'a pattern has at most one'],
    [withAgent({ deny: { tools: { db: ['**'] } } }), 'a pattern has at most one'],
    [withAgent({ deny: { tools: { db: ['drop_[ab]*'] } } }), 'a pattern has at most one'],
    [withAgent({ deny: { tools: { db: ['drop_?*'] } } }), 'a pattern has at most one'],
    [
      withAgent({ deny: { tools: { 'd*b': ['x'] } } }),
      'agents.a.deny.tools["d*b"]: a pattern has at most one',
    ],
    [withAgent({ deny: { servers: ['a*b'] } }), 'a pattern has at most one'],
    [withAgent({ allow: { capabilities: ['fs:raed'] } }), 'agents.a.allow.capabilities[0]: not a capability'],
    [withAgent({ allow: { capabilities: ['fs:read:'] } }), 'not a capability'],
    [withAgent({ args: { query: {} } }), 'agents.a.args.query: expected "<server>.<tool>"'],
    [withAgent({ args: { 'db.*': {} } }), 'expected "<server>.<tool>"'],
    [withAgent({ limits: { concurrency: 0 } }), 'agents.a.limits.concurrency: expected at least 1'],
    [withAgent({ limits: { timeout_ms: 0.5 } }), 'expected a whole number'],
    [withAgent({ reveal: [{ host: 'a.org' }] }), 'agents.a.reveal[0].tool: expected a string, found nothing'],
    [withAgent({ reveal: [{ tool: 'safe_*' }] }), 'agents.a.reveal[0].tool: expected a tool name'],
    [withAgent({ reveal: [{ tool: 'x', host: 'a/b' }] }), 'agents.a.reveal[0].host: expected a host name'],
    [withAgent({ aliases: ['a'] }), 'agents.a.aliases[0]: "a" is already a name of agent "a"'],
    [withAgent({ aliases: ['b', 'b'] }), 'agents.a.aliases[1]: "b" is already a name of agent "a"'],
    [
      '{"agents": {"a": {"aliases": ["b"]}, "b": {}}}',
      '1:31: agents.a.aliases[0]: "b" is already a name of agent "b"',
    ],
    [
      '{"agents": {"a": {"aliases": ["x"]}, "b": {"aliases": ["x"]}}}',
      'agents.b.aliases[0]: "x" is already a name',
    ],
    ['{"examples": {"allow": ["frontend"]}}', 'examples.allow[0]: expected "<agent> <server>.<tool>"'],
    [
      '{"require": {"servers": {"db": "high"}}}',
      'require.servers.db: not a valid value; valid are attested, token',
    ],
  ])('rejects %s', (text, problem) => {
    const problems = problemsOf(text)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(problem)
    expect(problems[0]).toMatch(/^rules\.json:\d+:\d+: /)
  })

  it('reports everything that is wrong, with positions', () => {
    const text = `{
  "agents": {
    "a": {
      "alow": {},
      "deny": { "servers": ["a*b", "ok"],
                "tools": { "db": [] } }
    },
    "b": { "require": "best", "__proto__": 1 }
  },
  "default": {}
}`
    const read = readRules({ text })
    const places = read.ok ? [] : read.problems.map(({ line, column, path }) => `${line}:${column} ${path}`)
    expect(places).toEqual([
      '4:7 agents.a.alow',
      '5:29 agents.a.deny.servers[0]',
      '6:34 agents.a.deny.tools.db',
      '8:23 agents.b.require',
      '8:31 agents.b.__proto__',
      '10:3 default',
    ])
  })
})
