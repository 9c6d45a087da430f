import { describe, expect, it } from 'vitest'

import { agentRules, ask, rulesOf } from '../../../test/support/policy-rules.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { checkRules, compileBuiltinRules, compilePolicy } from './compile-rules.ts'
import { missingCapability } from './evaluate.ts'
import type { RuleSet } from './rule-set.ts'
import type { AgentDocument } from './rules-schema.ts'

const builtinGrants = [
  { kind: 'fs:read', scope: '**' },
  { kind: 'fs:write', scope: '**' },
  { kind: 'shell:exec' },
  { kind: 'memory:read' },
  { kind: 'memory:write' },
]

describe('the built-in rules', () => {
  const rules = compileBuiltinRules()

  it.each(['main', 'default'])('give %s our own server and nothing else', (agent) => {
    expect(ask(rules, { agent, level: 'default', server: 'contextd', tool: 'safe_bash' })).toMatchObject({
      effect: 'allow',
      rule: `builtin.agents.${agent}.allow.servers[0]`,
    })
    const upstream = ask(rules, { agent, server: 'db', tool: 'query' })
    expect(upstream).toMatchObject({ effect: 'deny', rule: `builtin.agents.${agent}.allow.servers` })
    expect(upstream).not.toHaveProperty('file')
    expect(rules.agents.get(agent)).toMatchObject({
      grants: builtinGrants,
      memory: { read: ['project'], write: ['project'] },
      reveal: [],
    })
    expect(missingCapability(rules, agent, ['http:fetch'])?.kind).toBe('http:fetch')
    expect(missingCapability(rules, agent, ['secret:reveal'])?.kind).toBe('secret:reveal')
  })

  it('contain these two agents, one of which is the fallback for a missing identity', () => {
    expect([...rules.agents.keys()]).toEqual(['main', 'default'])
    expect(rules.resolveAgent('other')).toBeUndefined()
    expect(rules.denyOnMissing).toBe(false)
    expect(rules.files).toEqual([])
  })
})

describe('an agent whose allow never names our own server', () => {
  it('gets the built-in rules for it, in place of its wildcards', () => {
    const rules = agentRules({ allow: { servers: ['*'], tools: { '*': ['get_*'] } } })
    expect(ask(rules, { server: 'contextd', tool: 'safe_bash' })).toMatchObject({
      effect: 'allow',
      rule: 'builtin.agents.default.allow.servers[0]',
    })
    expect(rules.agents.get('a')).toMatchObject({ grants: builtinGrants, memory: { read: ['project'] } })
    expect(ask(rules, { server: 'db', tool: 'safe_bash' }).effect).toBe('deny')
  })

  it('keeps its denies, including wildcards', () => {
    const servers = agentRules({ deny: { servers: ['*'] } })
    expect(ask(servers, { server: 'contextd', tool: 'safe_bash' })).toMatchObject({
      effect: 'deny',
      rule: 'agents.a.deny.servers[0]',
    })
    const tools = agentRules({ deny: { tools: { '*': ['safe_b*'] }, capabilities: ['shell:exec'] } })
    expect(ask(tools, { server: 'contextd', tool: 'safe_bash' }).effect).toBe('deny')
    expect(ask(tools, { server: 'contextd', tool: 'safe_read' }).effect).toBe('allow')
    expect(missingCapability(tools, 'a', ['shell:exec'])?.place.path).toBe('agents.a.deny.capabilities[0]')
  })

  it('keeps the capabilities and memory it defines', () => {
    const rules = agentRules({ allow: { capabilities: ['fs:read:src/**'] }, memory: { read: ['user'] } })
    expect(rules.agents.get('a')).toMatchObject({
      grants: [{ kind: 'fs:read', scope: 'src/**' }],
      memory: { read: ['user'], write: [] },
    })
  })
})

describe('an agent whose allow names our own server', () => {
  it.each([
    { allow: { servers: ['contextd'] } },
    { allow: { tools: { contextd: ['safe_read'] } } },
    { allow: { prompts: { contextd: ['x'] } } },
    { allow: { resources: { contextd: ['x'] } } },
  ])('has what %j says and no more', (agent) => {
    const rules = agentRules(agent)
    expect(rules.agents.get('a')).toMatchObject({ grants: [], memory: { read: [], write: [] } })
    expect(ask(rules, { server: 'contextd', tool: 'safe_bash' })).not.toMatchObject({
      rule: expect.stringMatching(/^builtin/),
    })
  })

  it('decides about it like about any other server', () => {
    const rules = agentRules({
      allow: { servers: ['*'], tools: { contextd: ['safe_read'] }, capabilities: ['fs:read'] },
    })
    expect(ask(rules, { server: 'contextd', tool: 'safe_read' }).effect).toBe('allow')
    expect(ask(rules, { server: 'contextd', tool: 'safe_bash' }).effect).toBe('deny')
    expect(rules.agents.get('a')?.grants).toEqual([{ kind: 'fs:read' }])
  })
})

describe('what one agent has of our own server', () => {
  const main = { allow: { servers: ['browser'] } }
  const tools = ['safe_read', 'safe_write', 'safe_bash', 'memory_read']
  const accessOf = (rules: RuleSet): unknown => {
    const { grants, memory } = rules.agents.get('main') ?? {}
    const decisions = tools.map((tool) => ask(rules, { agent: 'main', server: 'contextd', tool }))
    return { decisions: decisions.map(({ effect, rule }) => `${effect} by ${rule}`), grants, memory }
  }

  it.each<AgentDocument>([
    { deny: { tools: { contextd: ['safe_bash'] } } },
    { deny: { servers: ['contextd'] } },
    { deny: { prompts: { contextd: ['x'] } } },
    { deny: { resources: { contextd: ['x'] } } },
    { allow: { servers: ['contextd'] } },
    { allow: { tools: { contextd: ['safe_read'] } } },
  ])('does not change with another agent %j', (reviewer) => {
    expect(accessOf(rulesOf({ agents: { main, reviewer } }))).toEqual({
      decisions: tools.map(() => 'allow by builtin.agents.default.allow.servers[0]'),
      grants: builtinGrants,
      memory: { read: ['project'], write: ['project'] },
    })
  })

  it('loses only what its own deny names', () => {
    const rules = rulesOf({ agents: { main: { ...main, deny: { tools: { contextd: ['safe_bash'] } } } } })
    const ruleFor = (tool: string): string => ask(rules, { agent: 'main', server: 'contextd', tool }).rule
    expect(tools.map(ruleFor)).toEqual([
      'builtin.agents.default.allow.servers[0]',
      'builtin.agents.default.allow.servers[0]',
      'agents.main.deny.tools.contextd[0]',
      'builtin.agents.default.allow.servers[0]',
    ])
    expect(rules.agents.get('main')).toMatchObject({ grants: builtinGrants, memory: { read: ['project'] } })
  })
})

describe('names', () => {
  it('map an alias to its agent', () => {
    const rules = rulesOf({
      agents: { scanner: { aliases: ['contextd:scanner'], allow: { servers: ['db'] } } },
    })
    expect(rules.resolveAgent('contextd:scanner')).toBe('scanner')
    expect(rules.resolveAgent('scanner')).toBe('scanner')
    expect(rules.resolveAgent('Scanner')).toBeUndefined()
    expect(rules.resolveAgent('constructor')).toBeUndefined()
  })
})

describe('examples', () => {
  const text = `{
  "agents": { "frontend": { "allow": { "servers": ["browser"] } } },
  "examples": {
    "allow": ["frontend browser.click", "frontend database.query"],
    "deny": ["frontned database.query",
             "frontend browser.type.fast"]
  }
}`

  it('with an unexpected result are errors at their line', () => {
    const { examples, problems } = checkRules({ text, file: 'rules.json' })
    expect(problems).toEqual([
      {
        file: 'rules.json',
        line: 4,
        column: 41,
        path: 'examples.allow[1]',
        message:
          '"frontend database.query" should be allow, but is deny by agents.frontend.allow.servers: ' +
          'no entry of allow.servers matches the server',
      },
      {
        file: 'rules.json',
        line: 5,
        column: 14,
        path: 'examples.deny[0]',
        message: 'there is no agent "frontned"; did you mean "frontend"?',
      },
      {
        file: 'rules.json',
        line: 6,
        column: 14,
        path: 'examples.deny[1]',
        message:
          '"frontend browser.type.fast" should be deny, but is allow by agents.frontend.allow.servers[0]: ' +
          'server allowed by name, and no list of allow.tools applies to it',
      },
    ])
    expect(examples.map(({ problem }) => problem === undefined)).toEqual([true, false, false, false])
  })

  it('prevent the file from being loaded', () => {
    expect(() => compilePolicy({ text, file: 'rules.json' })).toThrow(
      expect.objectContaining({ code: 'RULES_INVALID', message: expect.stringContaining('(and 2 more)') }),
    )
    expect(() => compilePolicy({ text: text.replace(/,\s*"examples"[^]*/, '}') })).not.toThrow()
  })
})

describe('compileRules', () => {
  it('reports position and problem in the error it throws', () => {
    let thrown: unknown
    try {
      compilePolicy({ text: '{\n  "agents": { "a": { "alow": {} } }\n}', file: '/etc/rules.json' })
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(ContextdError)
    expect((thrown as ContextdError).toObject()).toMatchObject({
      code: 'RULES_INVALID',
      message: '/etc/rules.json:2:22: agents.a.alow: unknown key "alow"; did you mean "allow"?',
      file: '/etc/rules.json',
      line: 2,
      column: 22,
      problems: [{ path: 'agents.a.alow' }],
    })
  })
})
