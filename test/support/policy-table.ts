import type { AgentDocument } from '../../src/stages/policy/rules-schema.ts'

export interface PolicyRow {
  readonly row: string
  readonly about: string
  readonly agent: AgentDocument
  /** Maps `server.tool` to `A`, or to the rule that denies it, below `agents.<id>` (empty: the agent itself). */
  readonly access: Readonly<Record<string, string>>
}

/**
 * The policy table of the gateway whose file format we support, row by row. Rows on unknown agents and row 25 are
 * tested elsewhere.
 */
export const policyTable: readonly PolicyRow[] = [
  {
    row: '1',
    about: 'deny by name over allow by wildcard',
    agent: { allow: { servers: ['pg'], tools: { pg: ['*'] } }, deny: { tools: { pg: ['drop_table'] } } },
    access: { 'pg.query': 'A', 'pg.drop_table': 'deny.tools.pg[0]' },
  },
  {
    row: '2',
    about: 'deny by wildcard over allow by wildcard',
    agent: { allow: { servers: ['pg'], tools: { pg: ['*'] } }, deny: { tools: { pg: ['drop_*'] } } },
    access: {
      'pg.query': 'A',
      'pg.drop_table': 'deny.tools.pg[0]',
      'pg.drop_database': 'deny.tools.pg[0]',
    },
  },
  {
    row: '3',
    about: 'deny by name over allow by name',
    agent: {
      allow: { servers: ['db'], tools: { db: ['dangerous_tool', 'safe_tool'] } },
      deny: { tools: { db: ['dangerous_tool'] } },
    },
    access: { 'db.dangerous_tool': 'deny.tools.db[0]', 'db.safe_tool': 'A' },
  },
  {
    row: '4',
    about: 'deny by wildcard over allow by name',
    agent: {
      allow: { servers: ['db'], tools: { db: ['delete_user', 'delete_data', 'get_user'] } },
      deny: { tools: { db: ['delete_*'] } },
    },
    access: {
      'db.delete_user': 'deny.tools.db[0]',
      'db.delete_data': 'deny.tools.db[0]',
      'db.delete_something_else': 'deny.tools.db[0]',
      'db.get_user': 'A',
    },
  },
  {
    row: '5',
    about: 'the same, with another tool',
    agent: {
      allow: { servers: ['db'], tools: { db: ['drop_old_data', 'query'] } },
      deny: { tools: { db: ['drop_*'] } },
    },
    access: {
      'db.drop_old_data': 'deny.tools.db[0]',
      'db.drop_table': 'deny.tools.db[0]',
      'db.query': 'A',
    },
  },
  {
    row: '6',
    about: 'all four at once',
    agent: {
      allow: { servers: ['pg'], tools: { pg: ['*', 'query', 'read_data'] } },
      deny: { tools: { pg: ['drop_*', 'delete_all'] } },
    },
    access: {
      'pg.insert_data': 'A',
      'pg.query': 'A',
      'pg.delete_all': 'deny.tools.pg[1]',
      'pg.drop_table': 'deny.tools.pg[0]',
      'pg.drop_index': 'deny.tools.pg[0]',
    },
  },
  {
    row: '7',
    about: 'implicit grant',
    agent: { allow: { servers: ['db'] } },
    access: { 'db.query': 'A', 'db.drop_table': 'A' },
  },
  {
    row: '8',
    about: 'a list replaces the implicit grant',
    agent: { allow: { servers: ['db'], tools: { db: ['query', 'list_tables'] } } },
    access: { 'db.query': 'A', 'db.list_tables': 'A', 'db.drop_table': 'allow.tools.db' },
  },
  {
    row: '9',
    about: 'all tools by wildcard',
    agent: { allow: { servers: ['db'], tools: { db: ['*'] } } },
    access: { 'db.anything': 'A' },
  },
  {
    row: '10',
    about: 'denies restrict the implicit grant',
    agent: { allow: { servers: ['db'] }, deny: { tools: { db: ['drop_*', 'delete_*'] } } },
    access: {
      'db.query': 'A',
      'db.insert': 'A',
      'db.drop_table': 'deny.tools.db[0]',
      'db.delete_user': 'deny.tools.db[1]',
    },
  },
  {
    row: '11',
    about: 'every server',
    agent: { allow: { servers: ['*'] } },
    access: { 'db.query': 'A', 'api.get': 'A' },
  },
  {
    row: '12',
    about: 'lists of some servers only',
    agent: { allow: { servers: ['db', 'api', 'fs'], tools: { db: ['query'], fs: ['read_*'] } } },
    access: {
      'db.query': 'A',
      'db.insert': 'allow.tools.db',
      'api.any': 'A',
      'fs.read_file': 'A',
      'fs.write_file': 'allow.tools.fs',
    },
  },
  {
    row: '13',
    about: 'a deny applies to its server only',
    agent: { allow: { servers: ['db1', 'db2'] }, deny: { tools: { db1: ['drop_*'] } } },
    access: { 'db1.drop_table': 'deny.tools.db1[0]', 'db2.drop_table': 'A' },
  },
  {
    row: '14',
    about: 'prefix',
    agent: { allow: { servers: ['api'], tools: { api: ['get_*'] } } },
    access: { 'api.get_user': 'A', 'api.set_user': 'allow.tools.api', 'api.user': 'allow.tools.api' },
  },
  {
    row: '15',
    about: 'suffix',
    agent: { allow: { servers: ['db'], tools: { db: ['*_query'] } } },
    access: { 'db.read_query': 'A', 'db.query': 'allow.tools.db', 'db.query_builder': 'allow.tools.db' },
  },
  {
    row: '16',
    about: 'several patterns',
    agent: { allow: { servers: ['api'], tools: { api: ['get_*', 'list_*', 'search_*'] } } },
    access: { 'api.list_items': 'A', 'api.get_user': 'A', 'api.delete_user': 'allow.tools.api' },
  },
  {
    row: '19',
    about: 'a denied server among all',
    agent: { allow: { servers: ['*'] }, deny: { servers: ['production_db'] } },
    access: { 'dev_db.query': 'A', 'production_db.query': 'deny.servers[0]' },
  },
  {
    row: '20',
    about: 'every server denied',
    agent: { deny: { servers: ['*'] } },
    access: { 'db.query': 'deny.servers[0]' },
  },
  {
    row: '21',
    about: 'servers are checked first',
    agent: { allow: { servers: ['api'], tools: { postgres: ['*'] } } },
    access: { 'postgres.query': 'allow.servers', 'api.get': 'A' },
  },
  {
    row: '22a',
    about: 'empty allow and deny',
    agent: { allow: {}, deny: {} },
    access: { 'db.query': 'allow' },
  },
  {
    row: '22b',
    about: 'only a deny',
    agent: { deny: { servers: ['production'] } },
    access: { 'db.query': '', 'production.query': 'deny.servers[0]' },
  },
  {
    row: '23',
    about: 'case counts',
    agent: { allow: { servers: ['API'], tools: { API: ['GetData'] } } },
    access: { 'api.GetData': 'allow.servers', 'API.getdata': 'allow.tools.API', 'API.GetData': 'A' },
  },
  {
    row: '24',
    about: 'everything together',
    agent: {
      allow: { servers: ['*'], tools: { brave: ['web'] } },
      deny: { servers: ['notion'], tools: { playwright: ['browser_type'] } },
    },
    access: {
      'notion.search': 'deny.servers[0]',
      'playwright.browser_click': 'A',
      'playwright.browser_type': 'deny.tools.playwright[0]',
      'brave.web': 'A',
      'brave.local': 'allow.tools.brave',
      'github.create_issue': 'A',
    },
  },
]
