/** The policy table of the gateway whose files we support, row by row, and every intentional difference. */

import { describe, expect, it } from 'vitest'

import { agentRules, ask, rulesOf } from '../../../test/support/policy-rules.ts'
import { policyTable } from '../../../test/support/policy-table.ts'
import type { RuleSet } from './rule-set.ts'

type Access = Record<string, string>

/** Maps `server.tool` to `A` or `D`. */
function expectAccess(rules: RuleSet, access: Access): void {
  for (const [target, letter] of Object.entries(access)) {
    const [server = '', tool = ''] = target.split('.')
    const { effect, reason } = ask(rules, { server, tool })
    expect(`${target} ${effect === 'allow' ? 'A' : 'D'}`, reason).toBe(`${target} ${letter}`)
  }
}

describe('precedence, as in the older gateway', () => {
  it.each(policyTable)('row $row: $about', ({ agent, access }) => {
    const rules = agentRules(agent)
    for (const [target, allowedOrRule] of Object.entries(access)) {
      const isAllowed = allowedOrRule === 'A'
      expectAccess(rules, { [target]: isAllowed ? 'A' : 'D' })
      const [server = '', tool = ''] = target.split('.')
      const path = ['agents.a', allowedOrRule].filter(Boolean).join('.')
      if (!isAllowed) expect(ask(rules, { server, tool }).rule, target).toBe(path)
    }
  })

  it.each([{ deny_on_missing_agent: true }, {}])('row 17: unknown agent, defaults %j', (defaults) => {
    const rules = rulesOf({ agents: { a: { allow: { servers: ['*'] } } }, defaults })
    expect(ask(rules, { agent: 'b', server: 'db', tool: 'query' }).effect).toBe('deny')
    expect(ask(rules, { agent: 'a', server: 'db', tool: 'query' }).effect).toBe('allow')
    expect(rules.denyOnMissing).toBe(true)
  })
})

describe('differences from the older gateway', () => {
  it('row 18: denies unknown agents even if a missing identity is not denied', () => {
    const rules = rulesOf({
      agents: { a: { allow: { servers: ['*'] } } },
      defaults: { deny_on_missing_agent: false },
    })
    expect(ask(rules, { agent: 'b', server: 'db', tool: 'query' })).toEqual({
      effect: 'deny',
      rule: 'agents',
      file: 'rules.json',
      line: 2,
      reason: 'the rules do not know the agent',
      matched: [],
    })
    expect(rules.denyOnMissing).toBe(false)
  })

  it('row 25: rejects an empty list when the file is loaded', () => {
    const load = (list: string[]) => () => agentRules({ allow: { servers: ['db'], tools: { db: list } } })
    expect(load([])).toThrow('agents.a.allow.tools.db: the list is empty')
    expect(load(['query'])).not.toThrow()
  })

  it('supports "*" and other patterns as server keys', () => {
    expectAccess(
      agentRules({ allow: { servers: ['*'] }, deny: { tools: { '*': ['drop_*'], 'prod_*': ['write'] } } }),
      { 'db.drop_table': 'D', 'db.write': 'A', 'prod_db.write': 'D', 'prod_db.read': 'A' },
    )
    expectAccess(agentRules({ allow: { servers: ['*'], tools: { '*': ['get_*'], db: ['query'] } } }), {
      'api.get_user': 'A',
      'api.set_user': 'D',
      'db.get_row': 'A',
      'db.query': 'A',
      'db.drop': 'D',
    })
  })

  it('supports patterns in server lists', () => {
    expectAccess(agentRules({ allow: { servers: ['browser_*'] }, deny: { servers: ['*_prod'] } }), {
      'browser_chrome.click': 'A',
      'browser_prod.click': 'D',
      'db.query': 'D',
    })
  })

  it('allows a colon in agent ids', () => {
    const rules = rulesOf({ agents: { 'contextd:scanner': { allow: { servers: ['db'] } } } })
    expect(ask(rules, { agent: 'contextd:scanner', server: 'db', tool: 'query' }).effect).toBe('allow')
  })
})
