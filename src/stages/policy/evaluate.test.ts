import { describe, expect, it } from 'vitest'

import { agentRules, ask, rulesOf } from '../../../test/support/policy-rules.ts'
import { missingCapability } from './evaluate.ts'
import { intersectRules } from './rule-set.ts'
import type { AgentDocument } from './rules-schema.ts'

describe('a decision', () => {
  const rules = agentRules({
    allow: { servers: ['pg', '*'], tools: { pg: ['*', 'query', 'drop_old'] } },
    deny: { tools: { '*': ['drop_old'], pg: ['drop_*'] } },
    justification: 'The database is shared.',
  })

  it('names the rule with file and line, and every rule that matched, the deciding one first', () => {
    expect(ask(rules, { server: 'pg', tool: 'drop_old' })).toEqual({
      effect: 'deny',
      rule: 'agents.a.deny.tools["*"][0]',
      file: 'rules.json',
      line: 20,
      reason: 'tool denied by name',
      justification: 'The database is shared.',
      matched: [
        {
          path: 'agents.a.deny.tools["*"][0]',
          effect: 'deny',
          pattern: 'drop_old',
          file: 'rules.json',
          line: 20,
        },
        {
          path: 'agents.a.deny.tools.pg[0]',
          effect: 'deny',
          pattern: 'drop_*',
          file: 'rules.json',
          line: 23,
        },
        {
          path: 'agents.a.allow.tools.pg[2]',
          effect: 'allow',
          pattern: 'drop_old',
          file: 'rules.json',
          line: 13,
        },
        { path: 'agents.a.allow.tools.pg[0]', effect: 'allow', pattern: '*', file: 'rules.json', line: 11 },
        { path: 'agents.a.allow.servers[0]', effect: 'allow', pattern: 'pg', file: 'rules.json', line: 6 },
        { path: 'agents.a.allow.servers[1]', effect: 'allow', pattern: '*', file: 'rules.json', line: 7 },
      ],
    })
  })

  it.each([
    ['pg', 'query', 'allow', 'agents.a.allow.tools.pg[1]', 'tool allowed by name'],
    ['pg', 'insert', 'allow', 'agents.a.allow.tools.pg[0]', 'tool allowed by the wildcard "*"'],
    ['pg', 'drop_it', 'deny', 'agents.a.deny.tools.pg[0]', 'tool denied by the wildcard "drop_*"'],
    [
      'db',
      'query',
      'allow',
      'agents.a.allow.servers[1]',
      'server allowed by the wildcard "*", and no list of allow.tools applies to it',
    ],
  ])('%s.%s: %s by %s', (server, tool, effect, rule, reason) => {
    const decision = ask(rules, { server, tool })
    expect(decision).toMatchObject({ effect, rule, reason })
    expect(decision.matched[0]?.path).toBe(rule)
  })

  it.each([
    [{ allow: { servers: ['api'], tools: { pg: ['*'] } } }, 'agents.a.allow.servers', 1],
    [{ allow: { tools: { pg: ['query'] } } }, 'agents.a.allow', 1],
    [{}, 'agents.a', 0],
    [{ allow: { servers: ['pg'], tools: { '*': ['get'], pg: ['list'] } } }, 'agents.a.allow.tools.pg', 1],
    [{ allow: { servers: ['*'] }, deny: { servers: ['p*', 'pg'] } }, 'agents.a.deny.servers[1]', 3],
  ] satisfies [AgentDocument, string, number][])('a denial by %j is at %s', (agent, rule, matches) => {
    const decision = ask(agentRules(agent), { server: 'pg', tool: 'query' })
    expect(decision).toMatchObject({ effect: 'deny', rule })
    expect(decision.matched).toHaveLength(matches)
  })
})

describe('prompts and resources', () => {
  const rules = agentRules({
    allow: {
      servers: ['docs', 'wiki'],
      prompts: { docs: ['write_*'] },
      resources: { docs: ['file:///src/*'] },
    },
    deny: { resources: { '*': ['*?raw=[1]'] } },
  })

  it.each([
    ['prompt', 'docs', 'write_page', 'allow'],
    ['prompt', 'docs', 'delete_page', 'deny'],
    ['prompt', 'wiki', 'delete_page', 'allow'],
    ['prompt', 'other', 'write_page', 'deny'],
    ['resource', 'docs', 'file:///src/a.ts', 'allow'],
    ['resource', 'docs', 'file:///etc/passwd', 'deny'],
    ['resource', 'wiki', 'wiki://page?raw=[1]', 'deny'],
    ['resource', 'wiki', 'wiki://page', 'allow'],
    ['tool', 'docs', 'anything', 'allow'],
  ] as const)('%s %s %s: %s', (method, server, tool, effect) => {
    expect(ask(rules, { method, server, tool }).effect).toBe(effect)
  })
})

describe('identity levels', () => {
  const rules = rulesOf({
    agents: { a: { require: 'declared', allow: { servers: ['*'] } }, b: { allow: { servers: ['*'] } } },
    require: { servers: { 'prod_*': 'token' }, tools: { '*': { 'drop_*': 'attested' } } },
  })

  it.each([
    ['a', 'environment', 'db', 'query', 'agents.a.require', 'declared'],
    ['a', 'declared', 'db', 'query', undefined, undefined],
    ['a', 'declared', 'prod_db', 'query', 'require.servers["prod_*"]', 'token'],
    ['b', 'token', 'prod_db', 'query', undefined, undefined],
    ['b', 'token', 'prod_db', 'drop_all', 'require.tools["*"]["drop_*"]', 'attested'],
    ['b', 'attested', 'prod_db', 'drop_all', undefined, undefined],
    ['b', 'default', 'db', 'query', undefined, undefined],
  ] as const)('%s at level %s on %s.%s misses %s', (agent, level, server, tool, rule, required) => {
    const decision = ask(rules, { agent, level, server, tool })
    if (rule === undefined) expect(decision.effect).toBe('allow')
    else expect(decision).toMatchObject({ effect: 'deny', rule, required })
  })

  it('are also required for lists and open tools', () => {
    const list = { agent: 'a', method: 'list', server: 'contextd', tool: 'tools' } as const
    expect(ask(rules, { ...list, level: 'environment' }).required).toBe('declared')
    expect(ask(rules, { ...list, level: 'declared' }).effect).toBe('allow')
    const open = { agent: 'a', server: 'contextd', tool: 'read_more', open: true }
    expect(ask(rules, { ...open, level: 'environment' }).required).toBe('declared')
    expect(ask(rules, { ...open, level: 'declared' }).effect).toBe('allow')
  })
})

describe('open tools', () => {
  const open = { server: 'contextd', tool: 'execute_tool', open: true }

  it('are available to every known agent, and no other', () => {
    const rules = agentRules({
      deny: { servers: ['*', 'contextd'], tools: { '*': ['*'], contextd: ['exec*'] } },
    })
    expect(ask(rules, open)).toMatchObject({ effect: 'allow', rule: 'builtin.open' })
    expect(ask(rules, { ...open, open: false }).effect).toBe('deny')
    expect(ask(rules, { ...open, agent: 'b' }).effect).toBe('deny')
    expect(ask(agentRules({ deny: { tools: { '*': ['execute_tool'] } } }), open).effect).toBe('allow')
  })

  it('can be denied by name', () => {
    const rules = agentRules({ deny: { tools: { contextd: ['execute_tool'] } } })
    expect(ask(rules, open)).toMatchObject({ effect: 'deny', rule: 'agents.a.deny.tools.contextd[0]' })
    expect(ask(rules, { ...open, tool: 'read_more' }).effect).toBe('allow')
  })
})

describe('missing capabilities', () => {
  it('are located where the rules omit or remove them', () => {
    const rules = agentRules({
      allow: { servers: ['contextd'], capabilities: ['fs:read', 'shell:exec', 'memory:read'] },
      deny: { capabilities: ['shell:exec'] },
    })
    expect(missingCapability(rules, 'a', ['fs:read', 'memory:read'])).toBeUndefined()
    expect(missingCapability(rules, 'a', ['fs:read', 'shell:exec'])).toMatchObject({
      kind: 'shell:exec',
      place: { path: 'agents.a.deny.capabilities[0]', line: 16 },
    })
    expect(missingCapability(rules, 'a', ['http:fetch'])?.place.path).toBe('agents.a.allow.capabilities')
    expect(missingCapability(rules, 'b', ['fs:read'])?.kind).toBe('fs:read')
  })

  it('are located in the file that lacks them', () => {
    const user = agentRules({ allow: { capabilities: ['fs:read:a/**', 'shell:exec'] } }, 'user.json')
    const project = agentRules({ allow: { capabilities: ['fs:read:b/**'] } }, 'project.json')
    const both = intersectRules(user, project)
    expect(missingCapability(both, 'a', ['shell:exec'])?.place.file).toBe('project.json')
    expect(missingCapability(both, 'a', ['fs:read'])?.place.file).toBe('project.json')
    expect(missingCapability(user, 'a', ['shell:exec'])).toBeUndefined()
  })
})
