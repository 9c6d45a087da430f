import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { parseHostScope } from '../../../tools/http/host-scope.ts'
import { checkRules } from '../compile-rules.ts'
import type { AgentDocument } from '../rules-schema.ts'
import { findRuleMistakes, type RuleMistake } from './rule-mistakes.ts'

const tools: Record<string, string[]> = {
  contextd: ['safe_bash', 'safe_read', 'http_fetch'],
  postgres: ['query', 'list_tables'],
}
const around = {
  servers: ['contextd', 'model', 'postgres', 'browser'],
  toolsOf: (server: string) => tools[server],
  agents: ['main', 'default', 'reviewer'],
  matchesHosts: (scope: string) => parseHostScope(scope) !== undefined,
}

function mistakesIn(text: string): RuleMistake[] {
  const { rules, read, problems } = checkRules({ text, file: 'rules.json' })
  expect(problems).toEqual([])
  return findRuleMistakes(read!, rules!, around, 'rules.json')
}

/** `path: message fix` of each mistake. */
function found(agent: AgentDocument, id = 'main'): string[] {
  const mistakes = mistakesIn(JSON.stringify({ agents: { [id]: agent } }, null, 2))
  return mistakes.map(({ path, message, fix }) => `${path}: ${message}. ${fix}`)
}

const capability = (text: string): AgentDocument => ({ allow: { capabilities: [text] } })

it('names file, line and column', () => {
  const text =
    '{\n  "agents": { "main": { "allow": {\n    "capabilities": ["http:fetch:https://x.com"] } } }\n}'
  expect(mistakesIn(text)).toMatchObject([
    { file: 'rules.json', line: 3, column: 22, path: 'agents.main.allow.capabilities[0]' },
  ])
})

describe('grants that match nothing', () => {
  it.each([
    ['http:fetch:https://x.com', '"http:fetch:x.com"'],
    ['http:fetch:x.com/path', '"http:fetch:x.com"'],
    ['http:fetch:GET@https://x.com:8080/a?b', '"http:fetch:GET@x.com:8080"'],
    ['http:fetch:*.*.com', '"http:fetch:api.example.com"'],
  ])('%s', (text, fix) => {
    expect(found(capability(text))).toEqual([
      expect.stringMatching(/^agents\.main\.allow\.capabilities\[0\]: .* matches no host\./),
    ])
    expect(found(capability(text))[0]).toContain(fix)
  })

  it('a denied host disables every grant', () => {
    const both = { ...capability('http:fetch:x.com'), deny: { capabilities: ['http:fetch:https://y.com'] } }
    expect(found(both)).toEqual([expect.stringContaining('so no http:fetch grant of the agent works')])
  })

  it('a path with ".." after a wildcard, and a grant that is denied', () => {
    expect(found(capability('fs:read:*/../x'))).toEqual([expect.stringContaining('".." after a wildcard')])
    expect(
      found({ allow: { capabilities: ['shell:exec'] }, deny: { capabilities: ['shell:exec'] } }),
    ).toEqual([
      expect.stringContaining('"shell:exec" grants nothing: agents.main.deny.capabilities denies all of it'),
    ])
  })

  it.each([
    'http:fetch',
    'http:fetch:x.com',
    'http:fetch:GET@*.x.com:443',
    'http:fetch:10.0.0.0/8',
    'fs:read:../a/**',
  ])('not %s', (text) => expect(found(capability(text))).toEqual([]))
})

describe('reveal and memory', () => {
  it('reveal needs secret:reveal, and lists what else the agent must keep', () => {
    const reveal = [{ tool: 'http_fetch' }]
    expect(found({ reveal })).toEqual([
      'agents.main.reveal: nothing is revealed: the agent is not granted secret:reveal. Write ' +
        'agents.main.allow.capabilities: ["fs:read:**","fs:write:**","shell:exec","memory:read","memory:write","secret:reveal"].',
    ])
    expect(found({ reveal, ...capability('secret:reveal') })).toEqual([])
    expect(found(capability('secret:reveal'))).toEqual([
      expect.stringContaining('no reveal rule names a tool'),
    ])
  })

  it('memories need the capability, and the capability memories', () => {
    const memory = { read: ['project' as const] }
    const allow = { servers: ['contextd'], capabilities: ['memory:read'] }
    expect(found({ memory, allow: { servers: ['contextd'] } })).toEqual([
      expect.stringContaining('agents.main.memory.read: names memories that the agent cannot read'),
    ])
    expect(found({ allow })).toEqual([expect.stringContaining('agents.main.memory.read names none')])
    expect(found({ memory, allow })).toEqual([])
    expect(found({ memory })).toEqual([])
  })
})

describe('names', () => {
  it('of agents that nothing has', () => {
    expect(found({}, 'reviewr')).toEqual([expect.stringContaining('Write "reviewer"')])
    expect(found({}, 'night-shift')).toEqual([
      expect.stringContaining('ctxd agents token create --agent night-shift'),
    ])
    expect(found({ aliases: ['reviewer'] }, 'night-shift')).toEqual([])
    expect(found({}, 'reviewer')).toEqual([])
  })

  it('of servers and tools that are nearly those of others', () => {
    expect(found({ deny: { servers: ['postgers'] } })).toEqual([
      'agents.main.deny.servers[0]: there is no server "postgers". Write "postgres".',
    ])
    expect(found({ deny: { tools: { contxtd: ['safe_bash'] } } })).toEqual([
      'agents.main.deny.tools.contxtd: there is no server "contxtd". Write "contextd".',
    ])
    expect(found({ deny: { tools: { contextd: ['safe_bsh'], postgres: ['list_table'] } } })).toEqual([
      'agents.main.deny.tools.contextd[0]: there is no tool "safe_bsh". Write "safe_bash".',
      'agents.main.deny.tools.postgres[0]: there is no tool "list_table". Write "list_tables".',
    ])
    expect(
      found({ deny: { servers: ['post*', 'slack'], tools: { slack: ['query'], postgres: ['query'] } } }),
    ).toEqual([])
  })
})

it('names in arguments, limits, reveal rules and requirements', () => {
  expect(
    found({
      args: { 'postgers.query': {}, 'postgres.querry': {}, 'postgres.query': {}, 'slack.post': {} },
      limits: { servers: { browsr: { concurrency: 1 }, browser: { concurrency: 1 } } },
      reveal: [{ tool: 'postgres.qery' }, { tool: 'postgres.query' }],
      allow: { capabilities: ['secret:reveal'] },
    }).toSorted(),
  ).toEqual([
    'agents.main.args["postgers.query"]: there is no server "postgers". Write "postgres.query".',
    'agents.main.args["postgres.querry"]: there is no tool "querry". Write "postgres.query".',
    'agents.main.limits.servers.browsr: there is no server "browsr". Write "browser".',
    'agents.main.reveal[0].tool: there is no tool "qery". Write "postgres.query".',
  ])
  const require = {
    servers: { postgers: 'token', postgres: 'token', 'post*': 'token' },
    tools: { postgres: { querry: 'token', query: 'token' } },
  }
  expect(
    mistakesIn(JSON.stringify({ agents: { main: {} }, require })).map(({ path, fix }) => `${path} ${fix}`),
  ).toEqual(['require.servers.postgers Write "postgres".', 'require.tools.postgres.querry Write "query".'])
})

describe('rules shadowed by others', () => {
  it.each<[string, AgentDocument, string]>([
    [
      'a denied server',
      { allow: { servers: ['postgres'] }, deny: { servers: ['post*'] } },
      'deny.servers[0] denies',
    ],
    [
      'a tool of a denied server',
      { allow: { servers: ['*'], tools: { postgres: ['query'] } }, deny: { servers: ['postgres'] } },
      '"query" has no effect: agents.main.deny.servers[0] denies',
    ],
    [
      'a denied tool',
      { allow: { servers: ['postgres'], tools: { postgres: ['list_*'] } }, deny: { tools: { '*': ['l*'] } } },
      'deny.tools["*"][0] denies',
    ],
    [
      'a tool of a server that is not allowed',
      { allow: { servers: ['browser'], tools: { postgres: ['query'] } } },
      'Add "postgres" to agents.main.allow.servers',
    ],
    [
      'a tool that a wildcard allows',
      { allow: { servers: ['postgres'], tools: { postgres: ['query', '*'] } } },
      '"query" has no effect: agents.main.allow.tools.postgres[1] allows',
    ],
    [
      'a second entry',
      { allow: { servers: ['browser', 'browser'] } },
      'agents.main.allow.servers[1]: "browser"',
    ],
  ])('%s', (_, agent, expected) => {
    expect(found(agent)).toEqual([expect.stringContaining(expected)])
  })

  it('not what only overlaps', () => {
    const allow = { servers: ['*_prod', 'post*'], tools: { postgres: ['list_*', 'query'] } }
    expect(found({ allow, deny: { servers: ['prod_*'], tools: { postgres: ['list_tables'] } } })).toEqual([])
  })
})

it("the README's example has no mistakes but its agent's name, and leaves memory on", () => {
  const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8')
  const [, text = ''] = /```json ~\/\.config\/contextd\/rules\.json\n([^`]*)```/.exec(readme) ?? []
  expect(mistakesIn(text).map(({ path }) => path)).toEqual(['agents.frontend'])
  const agents = checkRules({ text }).rules?.agents
  for (const id of ['main', 'frontend', 'default']) {
    expect(agents?.get(id)).toMatchObject({ memory: { read: ['project'] } })
    expect(agents?.get(id)?.grants).toContainEqual({ kind: 'memory:read' })
  }
})
