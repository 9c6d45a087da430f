/** Claude Code's side of attestation in both eras, over the real stdio transport and the real pipeline. */

import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'

import { composeRuntime, openRecords, type Runtime } from '../src/compose.ts'
import { LOCAL_TENANT } from '../src/core/call.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { answer } from '../src/core/result.ts'
import { createAgentInstances } from '../src/stages/identity/agent-instances.ts'
import { defineTool } from '../src/tools/define-tool.ts'
import { asksData, initialize, modernMeta, openStdioDoor, type StdioDoor } from './support/stdio-door.ts'
import { makeTempHome, type TempHome } from './support/temp-home.ts'

const rules = {
  agents: {
    main: { allow: { servers: ['contextd'] }, deny: { tools: { contextd: ['forbidden_*', 'scanners_*'] } } },
    scanner: { aliases: ['contextd:scanner'], require: 'attested', allow: { servers: ['contextd'] } },
    default: { allow: { servers: ['contextd'] }, deny: { tools: { contextd: ['scanners_*'] } } },
  },
  defaults: { deny_on_missing_agent: false },
}

const who = (name: string) =>
  defineTool({
    name,
    description: 'Says who calls.',
    input: z.object({ key: z.string().optional() }),
    run: async ({ key }, { call }) =>
      answer({ ...(call.principal as unknown as JsonObject), session: call.session, key: key ?? null }),
  })

type Era = 'legacy' | 'modern'

interface Client {
  readonly runtime: Runtime
  readonly door: StdioDoor
  list(): Promise<string[]>
  /** Attests like the hook; returns the answer. */
  attest(input: JsonObject, meta?: JsonObject): Promise<JsonObject>
  /** Calls like a model; returns the caller that the tool saw, or the code of the refusal. */
  call(toolUse: string | undefined, tool?: string, args?: JsonObject): Promise<JsonObject | string>
  events(name: string): Promise<number>
}

/** Removed after everything that uses it has ended: teardown runs in reverse order. */
function ownHome(): TempHome {
  const home = makeTempHome()
  onTestFinished(home.remove)
  return home
}

async function claudeCode(era: Era, { name = 'claude-code', home = ownHome() } = {}): Promise<Client> {
  home.write('config/rules.json', rules)
  home.write('config/config.toml', '[log]\nlevel = "error"\n')
  const tools = [who('who'), who('forbidden_who'), who('scanners_who')]
  const runtime = await composeRuntime({ env: home.env, cwd: home.project, tools, log: () => {} })
  const door = openStdioDoor(runtime)
  onTestFinished(async () => {
    door.hangUp()
    await door.ended
  })
  const clientInfo = { name, version: '2.1.325' }
  if (era === 'legacy') {
    door.send({ ...initialize, params: { ...initialize.params, clientInfo } })
    await door.answer('init')
    door.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }
  const envelope = era === 'legacy' ? {} : { ...modernMeta, 'io.modelcontextprotocol/clientInfo': clientInfo }
  let id = 0
  const request = async (method: string, params: JsonObject, meta: JsonObject = {}): Promise<JsonObject> => {
    door.send({ jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta: { ...envelope, ...meta } } })
    return door.answer(id)
  }
  return {
    runtime,
    door,
    async list() {
      const { tools: listed } = (await request('tools/list', {})).result as { tools: { name: string }[] }
      return listed.map((tool) => tool.name)
    },
    async attest(input, meta) {
      const { result, error } = await request('tools/call', { name: 'attest', arguments: input }, meta)
      if (!isJsonObject(result)) return { refused: (error as { data: JsonObject }).data.code ?? null }
      const [block] = result.content as { text: string }[]
      return result.isError === true ? { isError: true } : (JSON.parse(block!.text) as JsonObject)
    },
    async call(toolUse, tool = 'who', args = {}) {
      const use = toolUse === undefined ? {} : { 'claudecode/toolUseId': toolUse, progressToken: 1 }
      const meta = { ...use, ...asksData }
      const { result, error } = await request('tools/call', { name: tool, arguments: args }, meta)
      if (isJsonObject(error)) return (error.data as JsonObject).code as string
      return (result as { structuredContent: { data: JsonObject } }).structuredContent.data
    },
    async events(event) {
      runtime.audit.flush()
      const records = openRecords(home.env)
      const found = [...records.audit.query({ event })].length
      records.close()
      return found
    },
  }
}

const hook = (more: JsonObject = {}): JsonObject => ({
  tool_use_id: 'toolu_1',
  agent_id: 'a1',
  agent_type: 'contextd:scanner',
  session_id: 'session-of-the-client',
  tool_name: 'mcp__plugin_contextd_contextd__who',
  ...more,
})
const mains = { agent_id: '', agent_type: '' }
const decisionOf = ({ hookSpecificOutput: output }: JsonObject): unknown =>
  (output as JsonObject | undefined)?.permissionDecision

describe.each<Era>(['legacy', 'modern'])('attestation in the %s era', (era) => {
  test('names the subagent that calls, and only for its call', async () => {
    const { attest, call } = await claudeCode(era)
    expect(decisionOf(await attest(hook()))).toBe('allow')
    expect(await call('toolu_1')).toMatchObject({ agent: 'scanner', level: 'attested', instance: 'a1' })
    expect(await call('toolu_1')).toMatchObject({ agent: 'default', level: 'default' })
    expect(await call('toolu_2')).toMatchObject({ agent: 'default', level: 'default' })
  })

  test('names the main thread', async () => {
    const { attest, call } = await claudeCode(era)
    await attest(hook(mains))
    const caller = await call('toolu_1')
    expect(caller).toMatchObject({ agent: 'main', level: 'attested' })
    expect(caller).not.toHaveProperty('instance')
  })

  test('names the main thread as the agent it was started as, unless a project chose that', async () => {
    const home = ownHome()
    const { attest, call } = await claudeCode(era, { home })
    const started = { agent_id: '', agent_type: 'contextd:scanner' }
    await attest(hook({ ...started, tool_use_id: 'toolu_1' }))
    expect(await call('toolu_1')).toMatchObject({ agent: 'scanner', level: 'attested' })
    home.write('project/.claude/settings.json', { agent: 'contextd:scanner' })
    await attest(hook({ ...started, tool_use_id: 'toolu_2' }))
    expect(await call('toolu_2')).toMatchObject({ agent: 'main', level: 'attested' })
  })

  test('satisfies rules that require it; declaring the same name does not', async () => {
    const { attest, call } = await claudeCode(era)
    expect(await call('toolu_1', 'who', { agent_id: 'scanner' })).toBe('IDENTITY_LEVEL_TOO_LOW')
    await attest(hook({ tool_use_id: 'toolu_2' }))
    expect(await call('toolu_2', 'who', { agent_id: 'scanner' })).toMatchObject({ level: 'attested' })
  })

  test('for one tool is not valid for another', async () => {
    const { attest, call, events } = await claudeCode(era)
    await attest(hook())
    expect(await call('toolu_1', 'scanners_who')).toBe('ATTESTATION_FORGED')
    expect(await events('attestation-refused')).toBe(1)
    expect(await call('toolu_1')).toMatchObject({ agent: 'scanner' })
  })

  test('that contradicts the name the model declares is refused', async () => {
    const { attest, call } = await claudeCode(era)
    await attest(hook())
    expect(await call('toolu_1', 'who', { agent_id: 'main' })).toBe('IDENTITY_CONFLICT')
  })

  test('of an agent the rules do not know leaves the caller unidentified, and says so', async () => {
    const home = ownHome()
    const { runtime, attest, call } = await claudeCode(era, { home })
    await attest(hook({ agent_type: 'somebody' }))
    expect(await call('toolu_1')).toMatchObject({ agent: 'default', level: 'default', instance: 'a1' })
    await call('toolu_2')
    runtime.audit.flush()
    const records = openRecords(home.env)
    onTestFinished(records.close)
    const notes = [...records.audit.query({ tool: 'who' })].map((entry) => entry.notes)
    expect(notes).toEqual([undefined, ['attested as somebody, which is not in the rules']])
  })

  test('made twice with different callers is an attack: refused, recorded, shown', async () => {
    const { attest, call, events } = await claudeCode(era)
    await attest(hook(mains))
    const second = await attest(hook())
    expect(decisionOf(second)).toBe('deny')
    expect(second.systemMessage).toMatch(/name different callers/)
    expect(await call('toolu_1')).toBe('ATTESTATION_CONFLICT')
    expect(await events('attestation-refused')).toBe(1)
  })

  test('made by a model is refused; made by a hook it is not', async () => {
    const { attest, call, events } = await claudeCode(era)
    const byModel = { 'claudecode/toolUseId': 'toolu_9', progressToken: 3 }
    expect(await attest(hook(), byModel)).toEqual({ refused: 'ATTESTATION_FORGED' })
    expect(await events('attestation-refused')).toBe(1)
    expect(await call('toolu_1')).toMatchObject({ agent: 'default' })
    await attest(hook())
    expect(await call('toolu_1')).toMatchObject({ agent: 'scanner' })
  })

  test('previews the decision of the rules, and does not approve other tools', async () => {
    const { attest, events } = await claudeCode(era)
    const about = (tool: string, n: number): JsonObject =>
      hook({ ...mains, tool_use_id: `toolu_f${n}`, tool_name: `mcp__contextd__${tool}` })
    expect(decisionOf(await attest(about('who', 1)))).toBe('allow')
    expect(decisionOf(await attest(about('forbidden_who', 2)))).toBe('deny')
    expect(await events('call-foreseen-refused')).toBe(1)
    expect(await attest(about('no_such_tool', 3))).toEqual({})
  })

  test('that is incomplete is ignored', async () => {
    const { attest, call, events } = await claudeCode(era)
    for (const wrong of [
      { tool_use_id: '' },
      { session_id: '' },
      { tool_name: '' },
      { agent_id: 7 },
      { agent_type: 'x'.repeat(300) },
    ]) {
      expect(await attest(hook(wrong))).toEqual({ isError: true })
    }
    // An unreadable attestation must not make the call count as unattested.
    expect(await call('toolu_1')).toBe('ATTESTATION_CONFLICT')
    expect(await call('toolu_2')).toMatchObject({ agent: 'default' })
    expect(await events('attestation-refused')).toBe(5)
  })

  test('is listed as not for models, and not at all for a client that signs', async () => {
    expect(await (await claudeCode(era)).list()).toContain('attest')
    const other = await claudeCode(era, { name: 'opencode' })
    expect(await other.list()).not.toContain('attest')
    expect(await other.attest({})).toEqual({ refused: 'TOOL_NOT_FOUND' })
    await other.attest(hook())
    expect(await other.call('toolu_1')).toMatchObject({ agent: 'default' })
  })

  test('has not happened when tools are listed, so the list has what any agent may use', async () => {
    const { list, attest, call } = await claudeCode(era)
    expect(await list()).toContain('scanners_who')
    expect(await (await claudeCode(era, { name: 'another' })).list()).not.toContain('scanners_who')
    expect(await call('toolu_0', 'scanners_who')).toBe('DENIED_BY_POLICY')
    await attest(hook({ tool_name: 'mcp__contextd__scanners_who' }))
    expect(await call('toolu_1', 'scanners_who')).toMatchObject({ agent: 'scanner' })
  })

  test('names the session of the client, which a restarted client continues', async () => {
    const home = ownHome()
    const sessionOf = async (client: Client, toolUse: string, session: string): Promise<unknown> => {
      await client.attest(hook({ ...mains, tool_use_id: toolUse, session_id: session }))
      return ((await client.call(toolUse)) as JsonObject).session
    }
    const first = await claudeCode(era, { home })
    await first.list()
    const one = await sessionOf(first, 'toolu_1', 'one')
    expect(await sessionOf(first, 'toolu_2', 'one')).toBe(one)
    const two = await sessionOf(first, 'toolu_3', 'two')
    expect(two).not.toBe(one)
    // A program may have both at once.
    expect(await sessionOf(first, 'toolu_6', 'one')).toBe(one)
    const again = await claudeCode(era, { home })
    await again.list()
    expect(await sessionOf(again, 'toolu_4', 'one')).toBe(one)
    expect(await sessionOf(again, 'toolu_5', 'two')).toBe(two)
  })

  test('treats a fork as the main thread only while no other agent creates forks', async () => {
    const { attest, call } = await claudeCode(era)
    const fork = { agent_id: 'f1', agent_type: 'fork' }
    await attest(hook({ ...fork, tool_use_id: 'toolu_1' }))
    expect(await call('toolu_1')).toMatchObject({ agent: 'default' })
    const starts = (by: JsonObject, n: number): JsonObject =>
      hook({ ...by, tool_use_id: `toolu_s${n}`, tool_name: 'Agent', subagent_type: 'fork' })
    expect(await attest(starts(mains, 1))).toEqual({})
    await attest(hook({ ...fork, tool_use_id: 'toolu_2' }))
    expect(await call('toolu_2')).toMatchObject({ agent: 'main', level: 'attested' })
    await attest(starts({}, 2))
    await attest(hook({ ...fork, tool_use_id: 'toolu_3' }))
    expect(await call('toolu_3')).toMatchObject({ agent: 'default' })
  })
})

describe('an agent that is announced before its first request', () => {
  const announce = (client: Client, event: string, id: string, type: string): Promise<JsonObject> =>
    client.attest({ hook_event_name: event, session_id: 's', agent_id: id, agent_type: type })
  const known = ({ runtime: { store, project } }: Client, instance: string): string | undefined =>
    createAgentInstances({ store, tenant: LOCAL_TENANT, project }, Date.now).agentOf('s', instance)

  test('is known by its instance, and so is the main thread', async () => {
    const client = await claudeCode('modern')
    await announce(client, 'UserPromptSubmit', '', '')
    await announce(client, 'SubagentStart', 'a1', 'contextd:scanner')
    expect([known(client, ''), known(client, 'a1')]).toEqual(['main', 'contextd:scanner'])
  })

  test('is unidentified if two announcements differ, and that is recorded', async () => {
    const client = await claudeCode('modern')
    await announce(client, 'SubagentStart', 'a1', 'helper')
    await announce(client, 'SubagentStart', 'a1', 'contextd:scanner')
    expect(known(client, 'a1')).toBe('subagent:')
    expect(await client.events('attestation-refused')).toBe(1)
  })

  test('is not accepted from a model', async () => {
    const client = await claudeCode('modern')
    const input = {
      hook_event_name: 'SubagentStart',
      session_id: 's',
      agent_id: 'a1',
      agent_type: 'contextd:scanner',
    }
    await client.call('toolu_1', 'attest', input)
    expect(known(client, 'a1')).toBeUndefined()
  })
})
