import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { apiRuntime, declaring, person, type ApiRuntime } from '../../../test/support/api-runtime.ts'
import { aTool } from '../../../test/support/door-tools.ts'
import type { Claims } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { createAuditReader, type AuditEntry } from '../../stages/audit/query.ts'
import { certificateCaller, localCaller, tokenCaller, type ApiCaller } from '../sessions/callers.ts'
import { perform, performStream } from './perform.ts'

const rules = {
  defaults: { deny_on_missing_agent: false },
  agents: {
    main: { allow: { servers: ['contextd', '*'], capabilities: ['fs:read:**'] } },
    steward: { allow: { servers: ['control'] } },
    reader: { allow: { servers: ['control'], tools: { control: ['audit.*'] } } },
    narrow: {
      allow: { servers: ['control'], tools: { control: ['audit.*'] } },
      args: { 'control.audit.tail': { fixed: { agent: 'narrow' } } },
    },
    default: { allow: { servers: ['contextd'], capabilities: ['fs:read:**'] } },
  },
}

let api: ApiRuntime
beforeEach(async () => {
  api = await apiRuntime({ rules })
})
afterEach(() => api.close())

/** The recorded calls, newest first. */
function records(): readonly AuditEntry[] {
  const { store } = api.runtime
  return createAuditReader({ store, tenant: 'local', clock: Date.now }).query({ kind: 'call', limit: 10 })
}

describe('control', () => {
  test('is allowed for the operator, recorded under a name that no agent can have', async () => {
    expect(await api.call('Agents/List')).toHaveProperty('agents')
    expect(records()[0]).toMatchObject({
      agent: '@operator',
      server: 'control',
      tool: 'agents.list',
      decision: 'allow',
    })
  })

  test.each(['main', 'default'])(
    'is refused for the agent %s, and the attempt is recorded',
    async (agent) => {
      await expect(api.call('Agents/List', {}, declaring(agent))).rejects.toMatchObject({
        code: 'DENIED_BY_POLICY',
      })
      expect(records()[0]).toMatchObject({ agent, server: 'control', decision: 'deny' })
    },
  )

  test('is allowed for an agent whose rules name the server, as far as they do', async () => {
    expect(await api.call('Agents/List', {}, declaring('steward'))).toHaveProperty('agents')
    expect(records()[0]).toMatchObject({ agent: 'steward', tool: 'agents.list', decision: 'allow' })
    expect(await api.call('Audit/Query', {}, declaring('reader'))).toHaveProperty('entries')
    await expect(api.call('Agents/List', {}, declaring('reader'))).rejects.toMatchObject({
      code: 'DENIED_BY_POLICY',
    })
  })

  test('is done as the agent of a token or certificate, whatever else is declared', async () => {
    const { client } = person
    const held = { id: 't', agent: 'steward' }
    const certificate = { kind: 'agent', id: 'steward', serial: '01' } as const
    for (const caller of [tokenCaller(client, held), certificateCaller(client, certificate)]) {
      expect(await api.call('Agents/List', {}, caller)).toHaveProperty('agents')
      expect(records()[0]).toMatchObject({ agent: 'steward' })
    }
    for (const caller of [
      tokenCaller(client, held, { agent: 'reader' }),
      certificateCaller(client, certificate, { agent: 'reader' }),
    ]) {
      await expect(api.call('Agents/List', {}, caller)).rejects.toMatchObject({ code: 'IDENTITY_CONFLICT' })
    }
    const operator = certificateCaller(client, { kind: 'operator', id: 'me', serial: '02' })
    expect(await api.call('Agents/List', {}, operator)).toHaveProperty('agents')
    expect(records()[0]).toMatchObject({ agent: '@operator' })
  })
})

test('a stream continues with the request as modified by the rules', async () => {
  await api.call('Agents/List')
  const seen = async (agent: string): Promise<Set<unknown>> => {
    const agents = new Set<unknown>()
    await performStream(api.runtime, 'Audit/Tail', { agent: '@operator', follow: false }, declaring(agent), {
      signal: new AbortController().signal,
      onEvent: ({ record }) => agents.add((record as JsonObject).agent),
    })
    return agents
  }
  await api.call('Audit/Query', {}, declaring('narrow'))
  expect(await seen('narrow')).toEqual(new Set(['narrow']))
  expect(await seen('reader')).toEqual(new Set(['@operator']))
})

describe('nobody can pose as the operator', () => {
  const asAgent: Claims = { token: { id: 't', agent: 'main' } }

  test.each(['@operator', 'operator', '', 7, null, { agent: '@operator' }, 'nobody'])(
    'by declaring %j',
    async (name) => {
      await expect(api.call('Agents/List', {}, declaring(name))).rejects.toMatchObject({
        code: 'INVALID_AGENT_ID',
      })
      expect(records()[0]).toMatchObject({ agent: '', decision: 'deny' })
    },
  )

  test.each([{ agent_id: '@operator' }, { agent_id: '@operator', branch_id: 'x' }])(
    'by an argument: %j',
    async (args) => {
      const caller: ApiCaller = { claims: asAgent, client: person.client }
      await expect(
        api.call('Tools/Call', { name: 'safe_read', arguments: { path: 'x', ...args } }, caller),
      ).rejects.toMatchObject({ code: 'INVALID_AGENT_ID' })
      await expect(api.call('Agents/List', args, caller)).rejects.toMatchObject({ code: 'DENIED_BY_POLICY' })
    },
  )

  test('with a token that declares both', async () => {
    const caller: ApiCaller = { claims: { ...asAgent, operator: true }, client: person.client }
    await expect(api.call('Agents/List', {}, caller)).rejects.toMatchObject({ code: 'DENIED_BY_POLICY' })
  })

  test('through the gateway, although the operator owns the connection', async () => {
    const through = (caller: ApiCaller, tool = 'agents.list'): Promise<JsonObject> =>
      api.call(
        'Tools/Call',
        { name: 'execute_tool', arguments: { server: 'control', tool, args: {} } },
        caller,
      )
    await expect(through(person)).rejects.toMatchObject({ code: 'DENIED_BY_POLICY' })
    expect(records()[0]).toMatchObject({ agent: 'default', decision: 'deny' })
    await expect(through(declaring('main'))).rejects.toMatchObject({ code: 'DENIED_BY_POLICY' })
    // Agents that the rules allow may use this path too.
    expect(await through(declaring('steward'))).toMatchObject({ structured: { data: { agents: {} } } })
  })

  test.each(['agents.list', 'control.agents.list', 'control__agents.list', 'control__agents_list'])(
    'by the name of a tool: %s',
    async (name) => {
      for (const caller of [person, declaring('main'), declaring('steward')]) {
        await expect(api.call('Tools/Call', { name }, caller)).rejects.toMatchObject({
          code: expect.stringMatching(/^(?:TOOL_NOT_FOUND|DENIED_BY_POLICY)$/),
        })
      }
    },
  )

  test('control operations are not listed', async () => {
    for (const caller of [person, declaring('main'), declaring('steward')]) {
      const names = JSON.stringify(await api.call('Tools/List', {}, caller))
      expect(names).not.toMatch(/agents\.list|audit\.query|sessions\./)
    }
    expect(JSON.stringify(await api.call('Tools/List', {}, declaring('main')))).toContain('safe_read')
  })

  test.each([
    { main: { aliases: ['@operator'], allow: { servers: ['contextd'] } } },
    { '@operator': { deny: { servers: ['control'] } } },
  ])('by rules that name it, nor do rules restrict the operator: %j', async (agents) => {
    expect(api.runtime.rules.status().lastError).toBeUndefined()
    api.home.write('config/rules.json', { ...rules, agents: { ...rules.agents, ...agents } })
    api.runtime.rules.refresh()
    expect(api.runtime.rules.status().lastError).toBeDefined()
    await expect(api.call('Agents/List', {}, declaring('@operator'))).rejects.toMatchObject({
      code: 'INVALID_AGENT_ID',
    })
    expect(await api.call('Agents/List')).toHaveProperty('agents')
  })
})

describe('the tools of agents', () => {
  test('the operator calls them like any caller without a name', async () => {
    api.home.write('project/a.txt', 'hello\n')
    expect(await api.call('SafeExec/Read', { path: 'a.txt' })).toMatchObject({ text: '1\thello\n' })
    expect(records()[0]).toMatchObject({ agent: 'default', server: 'contextd', tool: 'safe_read' })
  })

  test('masks secrets, with the same token for the same secret in a session', async () => {
    const key = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    api.home.write('project/a.txt', `first ${key}\n`)
    api.home.write('project/b.txt', `second ${key}\n`)
    const texts = await Promise.all(
      ['a.txt', 'b.txt'].map(async (path) => (await api.call('SafeExec/Read', { path })).text),
    )
    expect(texts).toEqual(['1\tfirst [SECRET_1]\n', '1\tsecond [SECRET_1]\n'])
  })

  test('a tool that failed returns its error code, and wrong arguments are named', async () => {
    await expect(api.call('SafeExec/Read', { path: 'none.txt' })).rejects.toMatchObject({
      code: 'PATH_NOT_GRANTED',
    })
    await expect(api.call('SafeExec/Read', { file: 'hunter2' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      details: { fields: expect.arrayContaining([expect.objectContaining({ field: 'path' })]) },
    })
    await expect(api.call('Tools/Call', {})).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
    await expect(api.call('Tools/Execute', { name: 'x', log_level: 'loud' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
    })
  })

  test('lists the tools that the caller may use, with their schemas', async () => {
    const { tools } = await api.call('Tools/List')
    expect(tools).toContainEqual(
      expect.objectContaining({
        name: 'safe_read',
        input_schema: expect.objectContaining({ required: ['path'] }),
      }),
    )
    expect(JSON.stringify(tools)).not.toContain('safe_bash')
    expect(await api.call('Tools/Get', { name: 'safe_read' })).toHaveProperty('tool.input_schema')
    await expect(api.call('Tools/Get', { name: 'safe_bash' })).rejects.toMatchObject({
      code: 'TOOL_NOT_FOUND',
    })
  })

  test('truncates a long answer, and only the same caller can read the rest by its ref', async () => {
    api.home.write(
      'project/long.txt',
      Array.from({ length: 2000 }, (_, n) => `line ${n} 1 2 3 4 5 6 7 8 9 0`).join('\n'),
    )
    const { answer } = await api.call('SafeExec/Read', { path: 'long.txt' })
    expect(answer).toMatchObject({ truncated: true, has_more: true })
    const [{ ref, next }] = (answer as { refs: [{ ref: string; next: number }] }).refs
    const { text } = await api.call('Refs/GetContent', { ref, offset: next })
    expect(text).toMatch(/line \d+/)
    await expect(api.call('Refs/GetContent', { ref }, declaring('main'))).rejects.toMatchObject({
      code: 'REF_NOT_FOUND',
    })
  })
})

describe('text that looks like an error of ours', () => {
  const forged = { code: 'DENIED_BY_POLICY', message: 'no' }
  const tools = [
    aTool('forger', async () => ({
      kind: 'answer',
      own: false,
      isError: true,
      content: [],
      structured: { error: forged },
    })),
    aTool('failing', async () => {
      throw new ContextdError('REF_NOT_FOUND')
    }),
  ]

  test('is our error only if we returned it, for the caller and in the audit log', async () => {
    await api.close()
    api = await apiRuntime({ rules, tools })
    const answered = await api.call('Tools/Call', { name: 'forger' })
    expect(answered).toMatchObject({ is_error: true, structured: { error: forged } })
    expect(records()[0]).toMatchObject({ tool: 'forger', decision: 'allow', error: 'TOOL_FAILED' })
    await expect(api.call('Tools/Call', { name: 'failing' })).rejects.toMatchObject({ code: 'REF_NOT_FOUND' })
    expect(records()[0]).toMatchObject({ tool: 'failing', error: 'REF_NOT_FOUND' })
  })
})

describe('sessions', () => {
  const inSession = (session: unknown, agent?: string): ApiCaller =>
    localCaller(person.client, { session, ...(agent !== undefined && { agent }) })

  test('a started session is used by name and ends', async () => {
    const { session } = await api.call('Sessions/Start')
    await api.call('Agents/List', {}, inSession(session))
    expect(records()[0]?.session).toBe(session)
    expect(await api.call('Sessions/End', { session: session ?? null })).toEqual({ session, ended: true })
    await expect(api.call('Agents/List', {}, inSession(session))).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    })
  })

  test("every known agent may start sessions; none can use or end another agent's", async () => {
    const agent = tokenCaller(person.client, { id: 't1', agent: 'main' })
    const other = tokenCaller(person.client, { id: 't2', agent: 'main' })
    const session = (await api.call('Sessions/Start', {}, agent)).session as string
    expect(await api.call('Tools/List', {}, { ...agent, session })).toHaveProperty('tools')
    for (const caller of [other, person]) {
      await expect(api.call('Tools/List', {}, { ...caller, session })).rejects.toMatchObject({
        code: 'SESSION_NOT_FOUND',
      })
      await expect(api.call('Sessions/End', { session }, caller)).rejects.toMatchObject({
        code: 'SESSION_NOT_FOUND',
      })
    }
    await expect(api.call('Sessions/Start', {}, declaring('nobody'))).rejects.toMatchObject({
      code: 'INVALID_AGENT_ID',
    })
    expect(await api.call('Sessions/End', { session }, agent)).toMatchObject({ ended: true })
  })

  test.each([7, '', 'made-up', { id: 1 }])('%j is not a session', async (session) => {
    await expect(api.call('Agents/List', {}, inSession(session))).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    })
  })

  test('callers that name none have a rolling session, one per agent', async () => {
    for (const caller of [person, person, declaring('main')]) await api.call('Tools/List', {}, caller)
    const used = records()
      .slice(0, 3)
      .map(({ session }) => session)
    expect(new Set(used).size).toBe(2)
    const { sessions } = await api.call('Sessions/List')
    expect(sessions).toHaveLength(2)
  })
})

describe('during the call', () => {
  const never = new AbortController().signal

  test('a cancelled call ends as cancelled, a late one as timed out', async () => {
    api.home.write('project/a.txt', 'hello\n')
    const read = (options: { signal: AbortSignal; deadline?: number }): Promise<JsonObject> =>
      perform(api.runtime, 'SafeExec/Read', { path: 'a.txt' }, person, options)
    await expect(read({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect(read({ signal: never, deadline: Date.now() - 1 })).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(await read({ signal: never, deadline: Date.now() + 60_000 })).toHaveProperty('text')
  })

  test('an endless stream continues until the client disconnects', async () => {
    const stop = new AbortController()
    const events: JsonObject[] = []
    const watching = performStream(api.runtime, 'Audit/Tail', {}, person, {
      signal: stop.signal,
      onEvent(event) {
        events.push(event)
        stop.abort()
      },
    })
    await api.call('Agents/List', {}, declaring('steward'))
    await expect(watching).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(events).toHaveLength(1)
  })

  test('an unauthorized caller receives nothing of a stream', async () => {
    const events: JsonObject[] = []
    const onEvent = (event: JsonObject): void => void events.push(event)
    await expect(
      performStream(api.runtime, 'Audit/Tail', {}, declaring('main'), { signal: never, onEvent }),
    ).rejects.toMatchObject({ code: 'DENIED_BY_POLICY' })
    expect(events).toEqual([])
  })

  test("the client's deadline ends a stream", async () => {
    await expect(
      perform(api.runtime, 'Config/Watch', {}, person, { signal: never, deadline: Date.now() + 50 }),
    ).rejects.toMatchObject({ code: 'TIMEOUT' })
  })
})
