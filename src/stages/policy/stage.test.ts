import { describe, expect, it } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { agentRules, rulesOf } from '../../../test/support/policy-rules.ts'
import type { Call, Principal } from '../../core/call.ts'
import { answer, type Result } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import type { RuleSet } from './rule-set.ts'
import { policyStage } from './stage.ts'

const principal: Principal = { agent: 'a', level: 'attested' }

function tool(name: string, parts: Partial<Tool> = {}): Tool {
  return {
    definition: { name, description: '', inputSchema: {} },
    server: 'contextd',
    needs: [],
    run: async () => answer(null),
    ...parts,
  }
}

/** A tool of another server as clients see it. */
function listed(server: string, name: string): Tool {
  return tool(`${server}__${name}`, { server, resolveTarget: (call) => ({ ...call, server, tool: name }) })
}

/** Runs a call through the stage; `passed` is what the next stage received. */
function stageWith(rules: RuleSet, tools: Tool[] = [], clock = () => 1000) {
  const stage = policyStage({
    rules: () => rules,
    catalogue: { find: (name) => tools.find((t) => t.definition.name === name) },
    clock,
  })
  return async (parts: Partial<Call>, result: Result = answer('done')) => {
    const resolvedTool = tools.find((t) => t.definition.name === (parts.tool ?? 'probe'))
    const call = aCall({ principal, resolvedTool, ...parts })
    let passed: Call | undefined
    const outcome = await stage(call, async (next) => {
      passed = next
      return result
    })
    return {
      outcome,
      passed,
      trail: call.trail,
      error: outcome.kind === 'refusal' ? outcome.error : undefined,
    }
  }
}

describe('refusals', () => {
  const rules = agentRules({
    require: 'token',
    allow: { servers: ['db', 'contextd'], tools: { db: ['query'] }, capabilities: ['fs:read'] },
    deny: { tools: { db: ['drop_*'] } },
    justification: 'The database is shared.',
  })

  it('without an identity', async () => {
    const run = stageWith(rules)
    const { principal: _, ...nobody } = aCall()
    const refused = await policyStage({
      rules: () => rules,
      catalogue: { find: () => undefined },
      clock: () => 0,
    })(nobody, () => expect.fail('went on'))
    expect(refused).toMatchObject({ kind: 'refusal', error: { code: 'IDENTITY_REQUIRED' } })
    expect(nobody.trail.decision).toBe('deny')
    expect((await run({ server: 'db', tool: 'query' })).outcome).toMatchObject({ kind: 'answer' })
  })

  it('below the identity level', async () => {
    const run = stageWith(rules)
    const low = await run({ server: 'db', tool: 'query', principal: { agent: 'a', level: 'declared' } })
    expect(low.error).toMatchObject({
      code: 'IDENTITY_LEVEL_TOO_LOW',
      message: 'Agent a has identity level declared, but the rules require token',
      rule: 'agents.a.require',
      file: 'rules.json',
      line: 4,
    })
    expect(low.passed).toBeUndefined()
    expect(low.trail).toMatchObject({ decision: 'deny', rule: 'agents.a.require' })
    const enough = await run({ server: 'db', tool: 'query', principal: { agent: 'a', level: 'token' } })
    expect(enough.passed).toBeDefined()
  })

  it('by a rule: with its name, position, reason and a remedy', async () => {
    const { error, passed, trail } = await stageWith(rules)({ server: 'db', tool: 'drop_table' })
    expect(error).toEqual({
      code: 'DENIED_BY_POLICY',
      message: 'Agent a may not use db.drop_table',
      agent: 'a',
      server: 'db',
      tool: 'drop_table',
      rule: 'agents.a.deny.tools.db[0]',
      file: 'rules.json',
      line: 22,
      reason: 'tool denied by the wildcard "drop_*"',
      justification: 'The database is shared.',
      hint:
        'The database is shared. agents.a.deny.tools.db[0] (rules.json:22) forbids it: ' +
        'use something else, or ask the user to change that rule.',
    })
    expect(passed).toBeUndefined()
    expect(trail).toMatchObject({ decision: 'deny', rule: 'agents.a.deny.tools.db[0]' })
  })

  it('due to a missing rule', async () => {
    const { error } = await stageWith(rules)({ server: 'db', tool: 'insert' })
    expect(error).toMatchObject({
      code: 'DENIED_BY_POLICY',
      rule: 'agents.a.allow.tools.db',
      hint: expect.stringContaining('allow it at agents.a.allow.tools.db (rules.json:11)'),
    })
  })

  it('contain no arguments, and only part of a huge name', async () => {
    const { error } = await stageWith(rules)({
      server: 'db',
      tool: 'x'.repeat(1e6),
      arguments: { key: 'hunter2' },
    })
    expect(JSON.stringify(error)).not.toContain('hunter2')
    expect(JSON.stringify(error).length).toBeLessThan(2000)
  })

  it('for a tool that needs more than is granted', async () => {
    const tools = [
      tool('reader', { needs: ['fs:read'] }),
      tool('shell', { needs: ['fs:read', 'shell:exec'] }),
    ]
    const run = stageWith(rules, tools)
    expect((await run({ tool: 'shell' })).error).toMatchObject({
      code: 'CAPABILITY_NOT_GRANTED',
      message: 'Agent a is not granted shell:exec',
      rule: 'agents.a.allow.capabilities',
      line: 15,
    })
    expect((await run({ tool: 'reader' })).passed?.grants).toEqual([{ kind: 'fs:read' }])
  })

  it('for agents that are not in the rules, at any level', async () => {
    const { error } = await stageWith(rules)({ tool: 'reader', principal: { agent: 'b', level: 'attested' } })
    expect(error).toMatchObject({ code: 'DENIED_BY_POLICY', rule: 'agents' })
  })

  it('are the same for existing and missing tools', async () => {
    const run = stageWith(rules, [tool('hidden', { server: 'secret' })])
    const [there, notThere] = await Promise.all([
      run({ server: 'secret', tool: 'hidden' }),
      run({ server: 'secret', tool: 'absent' }),
    ])
    expect(JSON.stringify(there.error).replaceAll('hidden', 'absent')).toBe(JSON.stringify(notThere.error))
  })
})

describe('an allowed call', () => {
  it('passes on grants, arguments and an earlier deadline, and fills its trail', async () => {
    const rules = agentRules({
      allow: { servers: ['contextd'], capabilities: ['fs:write:**'] },
      deny: { capabilities: ['fs:write:.git/**'] },
      args: { 'contextd.probe': { defaults: { depth: 1 }, fixed: { mode: 'ro' } } },
      limits: { timeout_ms: 500 },
    })
    const run = stageWith(rules)
    const { passed, trail } = await run({ arguments: { mode: 'rw', q: 1 }, deadline: 9000 })
    expect(passed).toMatchObject({
      grants: [{ kind: 'fs:write', scope: '**', except: ['.git/**'] }],
      arguments: { depth: 1, q: 1, mode: 'ro' },
      deadline: 1500,
    })
    expect(trail).toMatchObject({
      decision: 'allow',
      rule: 'agents.a.allow.servers[0]',
      notes: ['argument "mode" replaced by agents.a.args["contextd.probe"].fixed'],
    })
    expect((await run({ deadline: 1200 })).passed?.deadline).toBe(1200)
  })

  it('belongs to the server that the catalogue determines, with its own name there', async () => {
    const rules = agentRules({ allow: { servers: ['db'], tools: { db: ['query'] } } })
    const run = stageWith(rules, [listed('db', 'query'), listed('db', 'drop')])
    expect((await run({ tool: 'db__query' })).passed).toBeDefined()
    expect((await run({ tool: 'db__drop' })).error).toMatchObject({ server: 'db', tool: 'drop' })
  })

  it('has its target tool, never the one that wraps it', async () => {
    const rules = agentRules({ allow: { servers: ['contextd', 'db'] } })
    const query = tool('query', { server: 'db' })
    const probe = tool('probe')
    const run = stageWith(rules, [listed('db', 'query'), listed('db', 'gone'), query, probe])
    const carried = async (name: string) => (await run({ tool: name })).passed
    expect((await carried('db__query'))?.resolvedTool).toBe(query)
    expect(await carried('db__gone')).toMatchObject({ tool: 'gone', resolvedTool: undefined })
    expect((await carried('probe'))?.resolvedTool).toBe(probe)
  })

  it('of an open tool needs no rule', async () => {
    const rules = agentRules({ deny: { servers: ['contextd'] } })
    const run = stageWith(rules, [tool('read_more', { open: true }), tool('safe_bash')])
    expect((await run({ tool: 'read_more' })).passed).toBeDefined()
    expect((await run({ tool: 'safe_bash' })).error?.code).toBe('DENIED_BY_POLICY')
  })

  it('may be a prompt or a resource', async () => {
    const rules = agentRules({ allow: { servers: ['contextd'], resources: { contextd: ['test://*'] } } })
    const run = stageWith(rules)
    const payload: Result = { kind: 'payload', value: {} }
    expect((await run({ method: 'resource', tool: 'test://a' }, payload)).passed).toBeDefined()
    expect((await run({ method: 'resource', tool: 'file://a' }, payload)).error?.code).toBe(
      'DENIED_BY_POLICY',
    )
    expect((await run({ method: 'prompt', tool: 'any' }, payload)).passed).toBeDefined()
  })
})

describe('the time of a command', () => {
  const run = (seconds?: number) =>
    stageWith(
      agentRules({
        allow: { servers: ['contextd'] },
        ...(seconds !== undefined && { limits: { command_seconds: seconds } }),
      }),
      [
        tool('probe', {
          commandTime: ({ ms, background }) => ({
            ms: Number(ms ?? 3_600_000),
            isRequested: ms !== undefined,
            isBackground: background === true,
          }),
        }),
      ],
    )

  it.each([
    ['the default', undefined, 600_000],
    ['a higher limit', 1200, 1_200_000],
    ['a lower limit', 10, 10_000],
  ])('may reach %s, and not exceed it', async (_, seconds, ms) => {
    expect((await run(seconds)({ arguments: { ms } })).outcome).toEqual(answer('done'))
    const { error, passed, trail } = await run(seconds)({ arguments: { ms: ms + 1 } })
    expect(passed).toBeUndefined()
    expect(error).toMatchObject({ code: 'COMMAND_TOO_LONG', limit: ms / 1000 })
    expect(error?.rule).toBe(seconds === undefined ? undefined : 'agents.a.limits.command_seconds')
    expect(trail.decision).toBe('deny')
  })

  it('may be an hour in the background, or what the rules say', async () => {
    const hour = { ms: 3_600_000, background: true }
    expect((await run()({ arguments: hour })).outcome).toEqual(answer('done'))
    expect((await run()({ arguments: { ...hour, ms: 3_600_001 } })).error?.code).toBe('COMMAND_TOO_LONG')
    expect((await run(7200)({ arguments: { ...hour, ms: 7_200_000 } })).outcome).toEqual(answer('done'))
    expect((await run(900)({ arguments: hour })).error?.code).toBe('COMMAND_TOO_LONG')
  })

  it('may be set by the rules, within the limit, and the call has time for it', async () => {
    const withTime = (args: object, limits = {}) =>
      stageWith(agentRules({ allow: { servers: ['contextd'] }, limits, args: { 'contextd.probe': args } }), [
        tool('probe', {
          commandTime: ({ ms, background }) => ({
            ms: Number(ms ?? 1000),
            isRequested: ms !== undefined,
            isBackground: background === true,
          }),
        }),
      ])
    const deadline = 50_000
    const early = await withTime({})({ deadline })
    expect(early.passed?.deadline).toBe(deadline)
    for (const args of [{ fixed: { ms: 400_000 } }, { defaults: { ms: 400_000 } }]) {
      const { passed } = await withTime(args)({ deadline })
      expect(passed?.arguments).toEqual({ ms: 400_000 })
      expect(passed?.deadline).toBe(1000 + 400_000 + 10_000)
    }
    // A timeout of calls still applies.
    const limited = await withTime({ fixed: { ms: 400_000 } }, { timeout_ms: 5000 })({ deadline })
    expect(limited.passed?.deadline).toBe(6000)
    // In the background, the call does not wait.
    const background = { fixed: { ms: 400_000, background: true } }
    expect((await withTime(background)({ deadline })).passed?.deadline).toBe(deadline)
    const tooLong = await withTime({ fixed: { ms: 700_000 } })({ deadline })
    expect(tooLong.error).toMatchObject({ code: 'COMMAND_TOO_LONG', limit: 600 })
    const raised = await withTime({ fixed: { ms: 700_000 } }, { command_seconds: 700 })({ deadline })
    expect(raised.passed?.deadline).toBe(711_000)
  })

  it('may be the configured default, whatever that is', async () => {
    expect((await run()({})).outcome).toEqual(answer('done'))
  })
})

describe('limits', () => {
  it('are counted per tenant and agent', async () => {
    const rules = rulesOf({
      agents: {
        a: { allow: { servers: ['*'] }, limits: { calls_per_minute: 1 } },
        b: { allow: { servers: ['*'] }, limits: { calls_per_minute: 1 } },
      },
    })
    const run = stageWith(rules)
    expect((await run({})).passed).toBeDefined()
    const second = await run({})
    expect(second.error).toMatchObject({
      code: 'RATE_LIMITED',
      message: 'Agent a reached its limit of 1 call per minute',
      rule: 'agents.a.limits.calls_per_minute',
      file: 'rules.json',
      retry_after_ms: 60_000,
    })
    expect(second.trail).toMatchObject({ decision: 'deny', rule: 'agents.a.limits.calls_per_minute' })
    expect((await run({ tenant: 'other' })).passed).toBeDefined()
    expect((await run({ principal: { agent: 'b', level: 'default' } })).passed).toBeDefined()
  })

  it('do not count lists or refused calls', async () => {
    const rules = agentRules({ allow: { servers: ['db'] }, limits: { calls_per_minute: 1 } })
    const run = stageWith(rules)
    await run({ method: 'list', tool: 'tools' }, { kind: 'payload', value: {} })
    await run({ server: 'other' })
    expect((await run({ server: 'db' })).passed).toBeDefined()
    expect((await run({ server: 'db' })).error?.code).toBe('RATE_LIMITED')
  })

  it('free a slot even if the call fails', async () => {
    const rules = agentRules({ allow: { servers: ['*'] }, limits: { concurrency: 1 } })
    const stage = policyStage({ rules: () => rules, catalogue: { find: () => undefined }, clock: () => 0 })
    const inner: unknown[] = []
    const failing = stage(aCall({ principal }), async () => {
      const second = await stage(aCall({ principal }), () => expect.fail('went on'))
      inner.push(second.kind === 'refusal' && second.error.limit)
      throw new Error('broken')
    })
    await expect(failing).rejects.toThrow('broken')
    expect(inner).toEqual(['1 concurrent call'])
    expect(await stage(aCall({ principal }), async () => answer('ok'))).toMatchObject({ kind: 'answer' })
  })
})

describe('lists', () => {
  const rules = agentRules({
    allow: {
      servers: ['contextd', 'db'],
      tools: { contextd: ['safe_*'], db: ['query'] },
      prompts: { contextd: ['write_*'] },
      resources: { contextd: ['file:///src/*'] },
      capabilities: ['fs:read'],
    },
  })
  const tools = [
    tool('safe_write', { needs: ['fs:write'] }),
    tool('safe_read', { needs: ['fs:read'] }),
    tool('hidden'),
    tool('read_more', { open: true }),
    listed('db', 'query'),
    listed('db', 'drop'),
    listed('other', 'query'),
    tool('safe_list'),
  ]
  const run = stageWith(rules, tools)

  it('contain what the caller may use, in the original order', async () => {
    const value = {
      tools: [...tools.map(({ definition }) => ({ name: definition.name })), null],
      nextCursor: 'x',
    }
    const { outcome, trail } = await run({ method: 'list', tool: 'tools' }, { kind: 'payload', value })
    expect(outcome).toEqual({
      kind: 'payload',
      value: {
        tools: [{ name: 'safe_read' }, { name: 'read_more' }, { name: 'db__query' }, { name: 'safe_list' }],
        nextCursor: 'x',
      },
    })
    expect(trail).toMatchObject({ decision: 'allow', rule: 'agents.a' })
  })

  it('for an unidentified caller contain what any named agent may use', async () => {
    const named = { tools: tools.map(({ definition }) => ({ name: definition.name })) }
    const { principal: _, ...nobody } = aCall({ method: 'list', tool: 'tools' })
    const list = (inForce: RuleSet): Promise<Result> =>
      policyStage({
        rules: () => inForce,
        catalogue: { find: (name) => tools.find((t) => t.definition.name === name) },
        clock: () => 0,
      })(nobody, async () => ({ kind: 'payload', value: named }))
    expect(await list(rules)).toMatchObject({
      value: {
        tools: [{ name: 'safe_read' }, { name: 'read_more' }, { name: 'db__query' }, { name: 'safe_list' }],
      },
    })
    // A name alone is not sufficient here, so nothing is listed for it.
    const guarded = agentRules({ require: 'token', allow: { servers: ['contextd'] } })
    expect(await list(guarded)).toEqual({ kind: 'payload', value: { tools: [] } })
  })

  it('of prompts, resources and templates are filtered too', async () => {
    const value = {
      prompts: [{ name: 'write_page' }, { name: 'drop_page' }],
      resources: [{ uri: 'file:///etc/passwd' }, { uri: 'file:///src/a.ts' }, { name: 'no address' }],
      resourceTemplates: [{ uriTemplate: 'file:///src/{path}' }, { uriTemplate: 'file:///{path}' }],
      constructor: ['kept'],
    }
    const { outcome } = await run({ method: 'list', tool: 'prompts' }, { kind: 'payload', value })
    expect(outcome).toEqual({
      kind: 'payload',
      value: {
        prompts: [{ name: 'write_page' }],
        resources: [{ uri: 'file:///src/a.ts' }],
        resourceTemplates: [{ uriTemplate: 'file:///src/{path}' }],
        constructor: ['kept'],
      },
    })
  })

  it('pass refusals unchanged', async () => {
    const refused: Result = { kind: 'refusal', error: { code: 'BUDGET_EXHAUSTED', message: '' } }
    expect((await run({ method: 'list', tool: 'tools' }, refused)).outcome).toBe(refused)
  })
})
