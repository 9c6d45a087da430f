/** The policy table of the gateway whose files we read, row by row, and each place where we differ on purpose. */

import { describe, expect, it } from 'vitest'

import { agentRules, ask, rulesOf } from '../../../test/support/policy-rules.ts'
import type { RuleSet } from './rule-set.ts'
import type { AgentDocument } from './rules-schema.ts'

type Access = Record<string, string>

/** `server.tool` to `A` or `D`. */
function expectAccess(rules: RuleSet, access: Access): void {
  for (const [target, letter] of Object.entries(access)) {
    const [server = '', tool = ''] = target.split('.')
    const { effect, reason } = ask(rules, { server, tool })
    expect(`${target} ${effect === 'allow' ? 'A' : 'D'}`, reason).toBe(`${target} ${letter}`)
  }
}

describe('precedence, as in the older gateway', () => {
  const rows: [name: string, agent: AgentDocument, access: Access][] = [
    [
      '1: deny by name over allow by wildcard',
      { allow: { servers: ['pg'], tools: { pg: ['*'] } }, deny: { tools: { pg: ['drop_table'] } } },
      { 'pg.query': 'A', 'pg.drop_table': 'D' },
    ],
    [
      '2: deny by wildcard over allow by wildcard',
      { allow: { servers: ['pg'], tools: { pg: ['*'] } }, deny: { tools: { pg: ['drop_*'] } } },
      { 'pg.query': 'A', 'pg.drop_table': 'D', 'pg.drop_database': 'D' },
    ],
    [
      '3: deny by name over allow by name',
      {
        allow: { servers: ['db'], tools: { db: ['dangerous_tool', 'safe_tool'] } },
        deny: { tools: { db: ['dangerous_tool'] } },
      },
      { 'db.dangerous_tool': 'D', 'db.safe_tool': 'A' },
    ],
    [
      '4: deny by wildcard over allow by name',
      {
        allow: { servers: ['db'], tools: { db: ['delete_user', 'delete_data', 'get_user'] } },
        deny: { tools: { db: ['delete_*'] } },
      },
      { 'db.delete_user': 'D', 'db.delete_data': 'D', 'db.delete_something_else': 'D', 'db.get_user': 'A' },
    ],
    [
      '5: the same, with a tool beside it',
      {
        allow: { servers: ['db'], tools: { db: ['drop_old_data', 'query'] } },
        deny: { tools: { db: ['drop_*'] } },
      },
      { 'db.drop_old_data': 'D', 'db.drop_table': 'D', 'db.query': 'A' },
    ],
    [
      '6: all four at once',
      {
        allow: { servers: ['pg'], tools: { pg: ['*', 'query', 'read_data'] } },
        deny: { tools: { pg: ['drop_*', 'delete_all'] } },
      },
      {
        'pg.insert_data': 'A',
        'pg.query': 'A',
        'pg.delete_all': 'D',
        'pg.drop_table': 'D',
        'pg.drop_index': 'D',
      },
    ],
    ['7: implicit grant', { allow: { servers: ['db'] } }, { 'db.query': 'A', 'db.drop_table': 'A' }],
    [
      '8: a list ends the implicit grant',
      { allow: { servers: ['db'], tools: { db: ['query', 'list_tables'] } } },
      { 'db.query': 'A', 'db.list_tables': 'A', 'db.drop_table': 'D' },
    ],
    [
      '9: all tools by wildcard',
      { allow: { servers: ['db'], tools: { db: ['*'] } } },
      { 'db.anything': 'A' },
    ],
    [
      '10: denies cut into the implicit grant',
      { allow: { servers: ['db'] }, deny: { tools: { db: ['drop_*', 'delete_*'] } } },
      { 'db.query': 'A', 'db.insert': 'A', 'db.drop_table': 'D', 'db.delete_user': 'D' },
    ],
    ['11: every server', { allow: { servers: ['*'] } }, { 'db.query': 'A', 'api.get': 'A' }],
    [
      '12: lists of some servers only',
      { allow: { servers: ['db', 'api', 'fs'], tools: { db: ['query'], fs: ['read_*'] } } },
      { 'db.query': 'A', 'db.insert': 'D', 'api.any': 'A', 'fs.read_file': 'A', 'fs.write_file': 'D' },
    ],
    [
      '13: a deny is for its server only',
      { allow: { servers: ['db1', 'db2'] }, deny: { tools: { db1: ['drop_*'] } } },
      { 'db1.drop_table': 'D', 'db2.drop_table': 'A' },
    ],
    [
      '14: prefix',
      { allow: { servers: ['api'], tools: { api: ['get_*'] } } },
      { 'api.get_user': 'A', 'api.set_user': 'D', 'api.user': 'D' },
    ],
    [
      '15: suffix',
      { allow: { servers: ['db'], tools: { db: ['*_query'] } } },
      { 'db.read_query': 'A', 'db.query': 'D', 'db.query_builder': 'D' },
    ],
    [
      '16: several patterns',
      { allow: { servers: ['api'], tools: { api: ['get_*', 'list_*', 'search_*'] } } },
      { 'api.list_items': 'A', 'api.get_user': 'A', 'api.delete_user': 'D' },
    ],
    [
      '19: a denied server among all',
      { allow: { servers: ['*'] }, deny: { servers: ['production_db'] } },
      { 'dev_db.query': 'A', 'production_db.query': 'D' },
    ],
    ['20: every server denied', { deny: { servers: ['*'] } }, { 'db.query': 'D' }],
    [
      '21: the server comes first',
      { allow: { servers: ['api'], tools: { postgres: ['*'] } } },
      { 'postgres.query': 'D', 'api.get': 'A' },
    ],
    ['22a: empty allow and deny', { allow: {}, deny: {} }, { 'db.query': 'D' }],
    ['22b: only a deny', { deny: { servers: ['production'] } }, { 'db.query': 'D', 'production.query': 'D' }],
    [
      '23: case counts',
      { allow: { servers: ['API'], tools: { API: ['GetData'] } } },
      { 'api.GetData': 'D', 'API.getdata': 'D', 'API.GetData': 'A' },
    ],
    [
      '24: everything together',
      {
        allow: { servers: ['*'], tools: { brave: ['web'] } },
        deny: { servers: ['notion'], tools: { playwright: ['browser_type'] } },
      },
      {
        'notion.search': 'D',
        'playwright.browser_click': 'A',
        'playwright.browser_type': 'D',
        'brave.web': 'A',
        'brave.local': 'D',
        'github.create_issue': 'A',
      },
    ],
  ]

  it.each(rows)('row %s', (_, agent, access) => expectAccess(agentRules(agent), access))

  it.each([{ deny_on_missing_agent: true }, {}])('row 17: unknown agent, defaults %j', (defaults) => {
    const rules = rulesOf({ agents: { a: { allow: { servers: ['*'] } } }, defaults })
    expect(ask(rules, { agent: 'b', server: 'db', tool: 'query' }).effect).toBe('deny')
    expect(ask(rules, { agent: 'a', server: 'db', tool: 'query' }).effect).toBe('allow')
    expect(rules.denyOnMissing).toBe(true)
  })
})

describe('where we differ from the older gateway', () => {
  it('row 18: denies unknown agents also where a missing identity is not denied', () => {
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

  it('row 25: refuses an empty list when the file is loaded', () => {
    const load = (list: string[]) => () => agentRules({ allow: { servers: ['db'], tools: { db: list } } })
    expect(load([])).toThrow('agents.a.allow.tools.db: the list is empty')
    expect(load(['query'])).not.toThrow()
  })

  it('reads "*" and other patterns as server keys', () => {
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

  it('reads patterns in server lists', () => {
    expectAccess(agentRules({ allow: { servers: ['browser_*'] }, deny: { servers: ['*_prod'] } }), {
      'browser_chrome.click': 'A',
      'browser_prod.click': 'D',
      'db.query': 'D',
    })
  })

  it('lets agent ids hold a colon', () => {
    const rules = rulesOf({ agents: { 'contextd:scanner': { allow: { servers: ['db'] } } } })
    expect(ask(rules, { agent: 'contextd:scanner', server: 'db', tool: 'query' }).effect).toBe('allow')
  })
})
