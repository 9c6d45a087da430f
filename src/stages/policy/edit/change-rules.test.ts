import { describe, expect, it } from 'vitest'

import { ask } from '../../../../test/support/policy-rules.ts'
import { compileBuiltinRules, compilePolicy } from '../compile-rules.ts'
import { changeRules, type RuleChange } from './change-rules.ts'
import { compareRules } from './compare-rules.ts'

const file = 'rules.json'
const change = (text: string | undefined, wanted: RuleChange, agent = 'main'): string =>
  changeRules({ file, text }, agent, wanted)
const allow = (what: string): RuleChange => targeted('allow', what)
const deny = (what: string): RuleChange => targeted('deny', what)
function targeted(kind: 'allow' | 'deny', what: string): RuleChange {
  const [server = '', tool] = what.split('.')
  return tool === undefined ? { kind, server } : { kind, server, tool }
}
const decide = (text: string, what: string, agent = 'main'): string => {
  const [server = '', tool = ''] = what.split('.')
  return ask(compilePolicy({ text, file }), { agent, server, tool }).effect
}
const agentIn = (text: string, agent = 'main'): unknown =>
  (JSON.parse(text) as { agents: Record<string, unknown> }).agents[agent]

/** Odd on purpose: nothing but the change may differ. */
const odd = `{
    "$schema" : "x",
    "agents": { "other": {"deny":{"servers":["a"]}},
        "main":   { "deny": { "tools": { "db": ["drop", "write"] } },   "justification": "as\\u0020is",
            "allow": { "servers": ["db", "web"], "tools": { "db": ["query"] } } }
    }

}`

describe('changes nothing but what it says', () => {
  it.each<[RuleChange, string, string]>([
    [allow('db.list'), '"query"] } } }', '"query", "list"] } } }'],
    [allow('mail'), '"db", "web"]', '"db", "web", "mail"]'],
    [allow('db.drop'), '["drop", "write"] } },', '["write"] } },'],
    [deny('db.all'), '["drop", "write"]', '["drop", "write", "all"]'],
    [deny('web'), '"write"] } },   "just', '"write"] }, "servers": ["web"] },   "just'],
  ])('%j', (wanted, from, to) => {
    const text = change(odd, wanted)
    if (wanted.kind === 'allow' && wanted.tool === 'drop') expect(decide(text, 'db.drop')).toBe('allow')
    expect(text.replace('"query", "drop"', '"query"')).toBe(odd.replace(from, to))
  })

  it.each([allow('db.query'), allow('web'), allow('web.any'), deny('db.drop'), allow('contextd.safe_bash')])(
    'returns the same text if it already says so: %j',
    (wanted) => expect(change(odd, wanted)).toBe(odd),
  )
})

describe('allow', () => {
  it('of one tool of a new server allows no other', () => {
    const text = change(odd, allow('mail.read'))
    expect([decide(text, 'mail.read'), decide(text, 'mail.send')]).toEqual(['allow', 'deny'])
  })

  it.each([
    [{ deny: { servers: ['post*'] } }, 'postgres', 'agents.main.deny.servers has "post*"'],
    [{ deny: { servers: ['postgres'] } }, 'postgres.query', 'agents.main.deny.servers has "postgres"'],
    [{ deny: { tools: { '*': ['q*'] } } }, 'postgres.query', 'agents.main.deny.tools["*"] has "q*"'],
  ])('is refused if %j denies more than %s', (agent, what, problem) => {
    const text = JSON.stringify({ agents: { main: agent } })
    expect(() => change(text, allow(what))).toThrow(problem)
    expect(decide(change(text, allow('other.list')), 'other.list')).toBe('allow')
  })

  it('for an agent that the rules do not name adds it, under its id', () => {
    expect(agentIn(change(odd, allow('mail'), 'new'), 'new')).toEqual({ allow: { servers: ['mail'] } })
    const aliased = '{ "agents": { "main": { "aliases": ["lead"] } } }'
    expect(agentIn(change(aliased, allow('mail'), 'lead'))).toMatchObject({ allow: { servers: ['mail'] } })
    expect(() => change(odd, deny('mail'), 'new')).toThrow('everything is denied already')
  })
})

describe('without a file', () => {
  it('starts from what the built-in rules grant', () => {
    const rules = compilePolicy({ text: change(undefined, allow('mail.read')), file })
    const tools = ['safe_bash', 'safe_read', 'memory_search'].map((tool) => ({ server: 'contextd', tool }))
    const compared = compareRules(compileBuiltinRules(), rules, [...tools, { server: 'mail', tool: 'read' }])
    expect(compared).toEqual({
      decisions: [{ agent: 'main', server: 'mail', tool: 'read', from: 'deny', to: 'allow' }],
      terms: [],
    })
    expect(rules.denyOnMissing).toBe(false)
  })
})

describe('grant and reveal', () => {
  const comparedTo = (text: string, wanted: RuleChange): unknown =>
    compareRules(compilePolicy({ text, file }), compilePolicy({ text: change(text, wanted), file }), []).terms

  it('keep the built-in capabilities and memories of an agent that has them', () => {
    expect(comparedTo(odd, { kind: 'grant', capability: 'http:fetch:x.com' })).toEqual([
      { agent: 'main', added: ['http:fetch:x.com'], removed: [] },
    ])
    expect(comparedTo(odd, { kind: 'reveal', reveal: { tool: 'http_fetch', host: 'x.com' } })).toEqual([
      { agent: 'main', added: ['secret:reveal', 'reveal http_fetch to x.com'], removed: [] },
    ])
  })

  it('add only what is missing', () => {
    const text =
      '{ "agents": { "main": { "allow": { "servers": ["contextd"], "capabilities": ["fs:read:**"] } } } }'
    expect(change(text, { kind: 'grant', capability: 'fs:read:**' })).toBe(text)
    expect(comparedTo(text, { kind: 'grant', capability: 'shell:exec' })).toEqual([
      { agent: 'main', added: ['shell:exec'], removed: [] },
    ])
  })

  it('refuse what a deny covers, and what is no capability', () => {
    const text = '{ "agents": { "main": { "deny": { "capabilities": ["http:fetch"] } } } }'
    const fetching = { kind: 'grant', capability: 'http:fetch:x.com' } as const
    expect(() => change(text, fetching)).toThrow('agents.main.deny.capabilities denies http:fetch:x.com')
    expect(change(text, { kind: 'grant', capability: 'secret:reveal' })).toContain('"secret:reveal"')
    expect(() => change(text, { kind: 'grant', capability: 'fly' })).toThrow('fly is not a capability')
    expect(() => change(text, { kind: 'grant', capability: 'net:connect:x.com' })).toThrow(
      'net:connect must be followed by 127.0.0.1:<port>',
    )
  })
})

it('a grant of exactly what is denied removes the deny, and grants no more than that', () => {
  const text =
    '{ "agents": { "main": { "deny": { "capabilities": ["shell:exec", "http:fetch"] }, "justification": "x" } } }'
  const changed = change(text, { kind: 'grant', capability: 'shell:exec' })
  expect(changed).toBe(text.replace('"shell:exec", ', ''))
  expect(compilePolicy({ text: changed, file }).agents.get('main')?.grants).toContainEqual({
    kind: 'shell:exec',
  })
  expect(agentIn(change(changed, { kind: 'grant', capability: 'http:fetch' }))).toMatchObject({
    allow: { capabilities: expect.arrayContaining(['http:fetch', 'shell:exec']) as unknown },
  })
  expect(() => change(text, { kind: 'grant', capability: 'http:fetch:x.com' })).toThrow(
    'denies http:fetch:x.com',
  )
})

it('a change that breaks an example, and a file that is invalid, are refused', () => {
  const text = '{ "agents": { "main": {} }, "examples": { "deny": ["main db.drop"] } }'
  expect(() => change(text, allow('db'))).toThrow(expect.objectContaining({ code: 'RULES_INVALID' }))
  expect(change(text, allow('web'))).toContain('"web"')
  expect(() => change('{', allow('db'))).toThrow(expect.objectContaining({ code: 'RULES_INVALID' }))
})
