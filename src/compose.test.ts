import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from '../test/support/temp-home.ts'
import { composeRuntime, type CallRequest, type ComposeOptions, type Runtime } from './compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { answer, type Result } from './core/result.ts'
import type { Tool } from './core/tool.ts'

/** Put together at run time, so that the sources hold nothing that looks like a credential. */
const secret = ['ghp_', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'].join('')
const client = { name: 'test', version: '1', door: 'stdio' } as const

let home: TempHome
let runtime: Runtime
let session: string

beforeEach(() => (home = makeTempHome()))
afterEach(async () => {
  await runtime.close()
  home.remove()
})

function tool(name: string, run: Tool['run']): Tool {
  const definition = { name, description: name, inputSchema: { type: 'object' } }
  return { definition, server: 'contextd', needs: [], run }
}

async function start(tools: Tool[] = [], options: Pick<ComposeOptions, 'agent' | 'log'> = {}): Promise<void> {
  runtime = await composeRuntime({ env: home.env, cwd: home.project, log: () => {}, tools, ...options })
  session = runtime.sessions.begin(client)
}

function call(name: string, parts: Partial<CallRequest> = {}): Promise<Result> {
  const { signal } = new AbortController()
  return runtime.handle(
    runtime.newCall({ method: 'tool', tool: name, session, client, claims: {}, signal, ...parts }),
  )
}

const dataOf = (result: Result): JsonObject =>
  result.kind === 'answer' ? (result.structured as JsonObject) : expect.fail(JSON.stringify(result))

const outcomes = (): Record<string, unknown>[] =>
  runtime.store.prepare("SELECT * FROM audit WHERE kind = 'outcome' ORDER BY seq").all()

test('a log that is given from outside hears no secret', async () => {
  const heard: string[] = []
  const failing = tool('failing', () => Promise.reject(new Error(`no entry with ${secret}`)))
  await start([failing], { log: (...line) => heard.push(JSON.stringify(line)) })
  await call('failing')
  runtime.log('warn', `see ${secret}`, { nothing: undefined, list: [secret] })
  expect(heard.join()).toContain('no entry with [SECRET_1]')
  expect(heard.at(-1)).toBe('["warn","see [SECRET_1]",{"list":["[SECRET_1]"]}]')
  expect(heard.join()).not.toContain(secret)
})

describe('a call through every stage', () => {
  const lines = Array.from(
    { length: 4000 },
    (_, index) => `line ${index} ${index === 3000 ? secret : 'of the log'}`,
  )

  test('is scrubbed, cut, kept for reading on by its own agent, and recorded as seen', async () => {
    await start([tool('log', async () => answer(lines.join('\n')))])
    const first = dataOf(await call('log'))
    expect(first).toMatchObject({ truncated: true, has_more: true, refs: [{ field: 'data' }] })
    expect(Number(first.tokens_used)).toBeLessThanOrEqual(2000)
    const [{ ref, next }] = first.refs as [{ ref: string; next: number }]

    const other = await call('read_more', { arguments: { ref }, claims: { declared: 'main' } })
    expect(other).toMatchObject({ isError: true, structured: { error: { code: 'REF_NOT_FOUND' } } })

    let text = ''
    for (let offset: number | undefined = next; offset !== undefined;) {
      const slice = dataOf(await call('read_more', { arguments: { ref, offset } }))
      text += slice.data as string
      offset = (slice.refs as [{ next: number }] | undefined)?.[0].next
    }
    expect(text).toContain('line 3000 [SECRET_1]')
    expect(text).not.toContain(secret)
    expect(text.endsWith('line 3999 of the log')).toBe(true)

    const [recorded] = outcomes()
    expect(recorded).toMatchObject({
      agent: 'default',
      decision: 'allow',
      found_c2: 1,
      tokens: first.tokens_used,
    })
    expect(recorded?.output_bytes).toBeGreaterThan(1000)
  })

  test('cancelled at the client aborts the tool and is recorded', async () => {
    let aborted = false
    const waiting = tool('wait', (_, host) => {
      host.call.signal.addEventListener('abort', () => (aborted = true))
      setImmediate(() => client.abort())
      return new Promise(() => {})
    })
    const client = new AbortController()
    await start([waiting])
    expect(await call('wait', { signal: client.signal })).toMatchObject({ error: { code: 'CANCELLED' } })
    expect([aborted, outcomes()[0]?.error]).toEqual([true, 'CANCELLED'])
  })

  test('that crashes is answered without details and recorded', async () => {
    await start([tool('broken', () => Promise.reject(new Error('at /secret/path')))])
    const result = await call('broken')
    expect(result).toMatchObject({ isError: true, structured: { error: { code: 'TOOL_FAILED' } } })
    expect(JSON.stringify([result, outcomes()])).not.toContain('/secret/path')
  })
})

describe('the rules', () => {
  const rules = (agent: JsonObject): void => {
    const allow = { servers: ['contextd'], capabilities: ['secret:reveal'] }
    home.write('config/rules.json', {
      agents: { a: { allow, ...agent } },
      defaults: { deny_on_missing_agent: false },
    })
  }

  test('fix arguments and bound a session', async () => {
    rules({ args: { 'contextd.echo': { fixed: { scope: 'ui' } } }, limits: { tokens_per_session: 150 } })
    await start([tool('echo', async (args) => answer(args))], { agent: 'a' })
    expect(dataOf(await call('echo', { arguments: { scope: 'all' } })).data).toEqual({ scope: 'ui' })
    let last: Result = answer('')
    for (let index = 0; index < 20 && last.kind === 'answer'; index += 1) last = await call('echo')
    expect(last).toMatchObject({ kind: 'refusal', error: { code: 'BUDGET_EXHAUSTED' } })
  })

  test('alone let a tool have a value back, and the answer hides it again', async () => {
    const got: string[] = []
    const use = tool('use', async (args, host) => {
      got.push(host.reveal(args.text as string))
      return answer(got.at(-1) ?? '')
    })
    const show = tool('show', async () => answer(secret))
    rules({ reveal: [{ tool: 'use' }] })
    await start([show, use], { agent: 'a' })
    expect(dataOf(await call('show')).data).toBe('[SECRET_1]')
    expect(dataOf(await call('use', { arguments: { text: '[SECRET_1]' } })).data).toBe('[SECRET_1]')
    await runtime.close()

    rules({ reveal: [{ tool: 'other' }] })
    await start([show, use], { agent: 'a' })
    await call('show')
    expect(await call('use', { arguments: { text: '[SECRET_1]' } })).toMatchObject({
      error: { code: 'SECRET_TOKEN_IN_ARGUMENT' },
    })
    expect(got).toEqual([secret])
  })
})

describe('secret rules of one’s own', () => {
  const own = ['acme_', 'q7x2m9k4t1w8'].join('')
  const show = tool('show', async () => answer(own))

  test('count in every answer, and a project’s once it is trusted', async () => {
    const text = '[[rules]]\nid = "acme"\nregex = "acme_[a-z0-9]{12}"\n'
    const file = home.write('project/.gitleaks.toml', text)
    await start([show])
    expect(dataOf(await call('show')).data).toBe(own)
    runtime.trust.trust(file, Buffer.from(text))
    await runtime.close()
    await start([show])
    expect(dataOf(await call('show')).data).toBe('[SECRET_1]')
    await runtime.close()

    home.write('project/.gitleaks.toml', '')
    home.write('config/gitleaks.toml', text)
    home.write('config/config.toml', '[scrub]\nrules_file = "gitleaks.toml"\n')
    await start([show])
    expect(dataOf(await call('show')).data).toBe('[SECRET_1]')
  })

  test('that are broken stop the start', async () => {
    home.write('config/gitleaks.toml', '[[rules]]\nid = "acme"\nregex = "("\n')
    home.write('config/config.toml', '[scrub]\nrules_file = "gitleaks.toml"\n')
    await expect(start()).rejects.toThrow(/gitleaks\.toml:3: acme: regex is not a valid RE2 pattern/)
    home.write('config/gitleaks.toml', '')
    await start()
  })
})

test('a call is refused where nothing can be recorded', async () => {
  let ran = false
  await start([
    tool('probe', async () => {
      ran = true
      return answer('ran')
    }),
  ])
  expect(await call('probe')).toMatchObject({ kind: 'answer' })
  ran = false
  runtime.store.prepare('PRAGMA query_only = on').get()
  expect(await call('probe')).toMatchObject({ kind: 'refusal', error: { code: 'AUDIT_FAILED' } })
  expect(ran).toBe(false)
})

test('tools are listed by name whatever order they came in, and two of one name are an error', async () => {
  const named = (name: string): Tool => tool(name, async () => answer(name))
  await start([named('zebra'), named('ant')])
  const list = (await call('tools', { method: 'list' })) as unknown as {
    value: { tools: { name: string }[] }
  }
  const names = list.value.tools.map(({ name }) => name)
  expect(names).toEqual(names.toSorted())
  expect(names).toEqual(expect.arrayContaining(['ant', 'memory_search', 'read_more', 'zebra']))
  const twice = { env: home.env, cwd: home.project, tools: [named('read_more')] }
  await expect(composeRuntime(twice)).rejects.toThrow('same name')
})
