import { describe, expect, it } from 'vitest'

import { agentRules, ask, rulesOf } from '../../../test/support/policy-rules.ts'
import { intersectRules, type RuleSet } from './rule-set.ts'

describe('intersectRules', () => {
  const user = agentRules(
    { allow: { servers: ['db', 'api'] }, deny: { tools: { db: ['drop'] } } },
    'user.json',
  )

  it('allows what both allow, and names the file that denied it', () => {
    const project = agentRules(
      { allow: { servers: ['*'] }, deny: { servers: ['api'] }, justification: 'No network here.' },
      'project.json',
    )
    const both = intersectRules(user, project)
    expect(ask(both, { server: 'db', tool: 'query' })).toMatchObject({ effect: 'allow', file: 'user.json' })
    expect(ask(both, { server: 'db', tool: 'drop' })).toMatchObject({ effect: 'deny', file: 'user.json' })
    expect(ask(both, { server: 'api', tool: 'get' })).toMatchObject({
      effect: 'deny',
      rule: 'agents.a.deny.servers[0]',
      file: 'project.json',
      justification: 'No network here.',
      matched: [
        { path: 'agents.a.deny.servers[0]', file: 'project.json' },
        { path: 'agents.a.allow.servers[0]', file: 'project.json' },
        { path: 'agents.a.allow.servers[1]', file: 'user.json' },
      ],
    })
    expect(ask(both, { server: 'other', tool: 'get' })).toMatchObject({ effect: 'deny', file: 'user.json' })
    expect(both.files).toEqual(['user.json', 'project.json'])
  })

  it('contains the agents and names that the user defines and the project also knows', () => {
    const withNames = rulesOf({ agents: { a: { aliases: ['x'] }, b: {}, c: {} } }, 'user.json')
    const project = rulesOf(
      { agents: { a: { aliases: ['y'] }, other: { aliases: ['b'] }, d: {} } },
      'project.json',
    )
    const both = intersectRules(withNames, project)
    expect(['a', 'x', 'y', 'b', 'c', 'd', 'other'].map((name) => both.resolveAgent(name))).toEqual([
      'a',
      'a',
      undefined,
      'b',
      undefined,
      undefined,
      undefined,
    ])
    expect(ask(both, { agent: 'd', server: 'contextd', tool: 'x' })).toMatchObject({
      effect: 'deny',
      file: 'user.json',
    })
    expect(ask(both, { agent: 'c', server: 'contextd', tool: 'x' }).file).toBe('project.json')
    expect(ask(both, { agent: 'a', server: 'contextd', tool: 'x' }).effect).toBe('allow')
  })

  it('requires the higher level', () => {
    const low = agentRules({ require: 'declared', allow: { servers: ['db'] } }, 'user.json')
    const high = agentRules({ require: 'token', allow: { servers: ['db'] } }, 'project.json')
    for (const both of [intersectRules(low, high), intersectRules(high, low)]) {
      const question = { server: 'db', tool: 'query' }
      expect(ask(both, { ...question, level: 'declared' }).required).toBe('token')
      expect(ask(both, { ...question, level: 'token' }).effect).toBe('allow')
    }
  })

  it('uses the stricter terms of both', () => {
    const one = agentRules(
      {
        allow: { capabilities: ['fs:read', 'shell:exec'] },
        memory: { read: ['project', 'user'], write: ['project'] },
        reveal: [
          { tool: 'safe_bash', host: 'a.org' },
          { tool: 'safe_bash', host: 'b.org' },
          { tool: 'http_fetch' },
          { tool: 'login', argument: 'password' },
          { tool: 'login', argument: 'key', host: 'a.org' },
          { tool: 'safe_write' },
        ],
        limits: { concurrency: 4, timeout_ms: 1000 },
        args: { 'db.query': { fixed: { mode: 'ro' } } },
      },
      'user.json',
    )
    const other = agentRules(
      {
        allow: { capabilities: ['fs:read:src/**'] },
        memory: { read: ['user'] },
        reveal: [
          { tool: 'safe_bash', host: 'b.org' },
          { tool: 'http_fetch', host: 'c.org' },
          { tool: 'login', host: 'a.org' },
          { tool: 'login', argument: 'name' },
          { tool: 'safe_read' },
        ],
        limits: { concurrency: 2, timeout_ms: 5000, calls_per_minute: 10 },
        args: { 'db.query': { fixed: { mode: 'rw' } } },
      },
      'project.json',
    )
    const terms = intersectRules(one, other).agents.get('a')
    expect(terms).toMatchObject({
      grants: [{ kind: 'fs:read', scope: 'src/**' }],
      memory: { read: ['user'], write: [] },
      reveal: [
        { tool: 'safe_bash', host: 'b.org' },
        { tool: 'http_fetch', host: 'c.org' },
        { tool: 'login', argument: 'password', host: 'a.org' },
        { tool: 'login', argument: 'key', host: 'a.org' },
      ],
      limits: { concurrency: 2, timeout_ms: 1000, calls_per_minute: 10 },
    })
    expect(terms?.limitPlaces.get('concurrency')?.file).toBe('project.json')
    expect(terms?.limitPlaces.get('timeout_ms')?.file).toBe('user.json')
    expect(terms?.args.get('db.query')?.map(({ fixed }) => fixed)).toEqual([{ mode: 'rw' }, { mode: 'ro' }])
  })

  it.each([
    ['lowers it', 900, 300, 300],
    ['cannot raise it', 900, 3000, 900],
    ['cannot raise the implicit one', undefined, 3000, undefined],
    ['lowers the implicit one', undefined, 300, 300],
    ['does not mention it', 900, undefined, 900],
  ])('the time of commands where a project %s', (_, user, project, expected) => {
    const withLimit = (seconds: number | undefined): RuleSet =>
      agentRules(seconds === undefined ? {} : { limits: { command_seconds: seconds } })
    const terms = intersectRules(withLimit(user), withLimit(project)).agents.get('a')
    expect(terms?.limits.command_seconds).toBe(expected)
  })

  it.each([
    [true, true, true],
    [true, false, true],
    [false, true, true],
    [false, false, false],
  ])('deny_on_missing_agent %s and %s is %s', (left, right, both) => {
    const make = (deny: boolean) => rulesOf({ defaults: { deny_on_missing_agent: deny } })
    expect(intersectRules(make(left), make(right)).denyOnMissing).toBe(both)
  })
})
