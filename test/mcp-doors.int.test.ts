import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { serveHttp, type HttpHandle } from '../src/servers/http/server.ts'
import { createAuditReader } from '../src/stages/audit/query.ts'
import { bundleScript, type BundledScript } from './support/bundled-script.ts'
import { doorFixture } from './support/door-fixture.ts'
import { secret } from './support/door-tools.ts'
import type { RealRuntime } from './support/real-runtime.ts'
import { asksData } from './support/stdio-door.ts'

let runtime: RealRuntime
let http: HttpHandle
let program: BundledScript

beforeAll(async () => {
  program = await bundleScript('test/support/fixture-server.ts')
  runtime = await doorFixture()
  http = await serveHttp(runtime)
})
afterAll(async () => {
  await http.close()
  await runtime.close()
  program.remove()
})

const eras = {
  '2025-11-25': {},
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
} as const satisfies Record<string, ClientOptions>

async function connect(
  door: 'stdio' | 'http',
  era: keyof typeof eras,
  options: ClientOptions = {},
): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1' }, { ...eras[era], ...options })
  await client.connect(
    door === 'http'
      ? new StreamableHTTPClientTransport(new URL(http.url), {
          requestInit: { headers: { authorization: `Bearer ${runtime.tokenFor('main')}` } },
        })
      : new StdioClientTransport({
          command: process.execPath,
          args: [program.path],
          env: { PATH: process.env.PATH ?? '' },
        }),
  )
  return client
}

function dataOf(result: unknown): unknown {
  return (result as { structuredContent?: JsonObject }).structuredContent?.data
}

describe.each(['stdio', 'http'] as const)('over %s', (door) => {
  describe.each(Object.keys(eras) as (keyof typeof eras)[])('revision %s', (era) => {
    let client: Client
    beforeAll(async () => {
      client = await connect(door, era)
    })
    afterAll(() => client.close())

    test('negotiates it', () => {
      expect(client.getNegotiatedProtocolVersion()).toBe(era)
      expect(client.getServerVersion()).toMatchObject({ name: 'contextd' })
    })

    test('lists tools, each time in the same order', async () => {
      const [first, second] = [await client.listTools(), await client.listTools()]
      expect(first.tools.map(({ name }) => name)).toContain('echo')
      expect(second.tools).toEqual(first.tools)
    })

    test('calls a tool', async () => {
      const result = await client.callTool({ name: 'echo', arguments: { text: 'hi' }, _meta: asksData })
      expect(dataOf(result)).toEqual({ text: 'hi' })
      expect(result.isError).toBeUndefined()
    })

    test('refuses an unknown tool', async () => {
      await expect(client.callTool({ name: 'no_such_tool' })).rejects.toMatchObject({
        data: { code: 'TOOL_NOT_FOUND' },
      })
    })

    test('forwards progress and log messages, scrubbed', async () => {
      const progress: unknown[] = []
      const logged: unknown[] = []
      client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params))
      if (era === '2025-11-25') await client.setLoggingLevel('info')
      const meta = era === '2025-11-25' ? {} : { 'io.modelcontextprotocol/logLevel': 'info' }
      const onprogress = (step: { progress: number }): void => {
        progress.push(step)
        if (step.progress === 2) void client.callTool({ name: 'go_on' })
      }
      const result = await client.callTool(
        { name: 'report', _meta: { ...meta, ...asksData } },
        { onprogress },
      )
      expect(dataOf(result)).toBe('reported')
      expect(progress).toEqual([
        { progress: 1, total: 2, message: expect.stringMatching(/^half of \[SECRET_\d+\]$/) },
        { progress: 2, total: 2 },
      ])
      expect(logged).toEqual([
        { level: 'info', logger: 'contextd', data: { said: expect.stringMatching(/^\[SECRET_\d+\]$/) } },
      ])
      expect(JSON.stringify([progress, logged])).not.toContain(secret)
    })

    test('sends no log messages to clients that did not request them', async () => {
      const other = await connect(door, era)
      const logged: unknown[] = []
      other.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params))
      if (era === '2025-11-25') await other.setLoggingLevel('error')
      expect(dataOf(await other.callTool({ name: 'log', _meta: asksData }))).toBe('logged')
      expect(logged).toEqual([])
      await other.close()
    })

    test('a cancelled call aborts its tool', async () => {
      const cancel = new AbortController()
      const call = client.callTool(
        { name: 'wait' },
        { signal: cancel.signal, onprogress: () => cancel.abort('enough') },
      )
      await expect(call).rejects.toThrow(/enough/)
      expect(dataOf(await client.callTool({ name: 'why_aborted', _meta: asksData }))).toBe('CANCELLED')
      if (door === 'stdio') return
      const audit = createAuditReader({ store: runtime.store, tenant: 'local', clock: Date.now })
      expect(audit.query({ tool: 'wait', limit: 1 })).toMatchObject([{ error: 'CANCELLED' }])
    })

    test('cancellations of finished calls are ignored', async () => {
      await client.notification({
        method: 'notifications/cancelled',
        params: { requestId: 1, reason: 'late' },
      })
      await client.notification({ method: 'notifications/cancelled', params: { requestId: 987_654 } })
      expect(
        dataOf(await client.callTool({ name: 'echo', arguments: { still: 'here' }, _meta: asksData })),
      ).toEqual({
        still: 'here',
      })
    })

    test('a tool asks twice, and its questions are scrubbed', async () => {
      const asking = await connect(door, era, { capabilities: { elicitation: { form: {} } } })
      const asked: string[] = []
      asking.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push(params.message)
        return { action: 'accept', content: { reply: `answer ${asked.length}` } }
      })
      const result = await asking.callTool({ name: 'ask_twice', _meta: asksData })
      expect(dataOf(result)).toMatchObject({ name: { reply: 'answer 1' }, colour: { reply: 'answer 2' } })
      expect(asked).toEqual([expect.stringMatching(/^Your name\? \[SECRET_\d+\]$/), 'Your colour?'])
      await asking.close()
    })

    test('notifies clients when the rules have changed', async () => {
      let hear: (names: string[]) => void = () => {}
      const heard = new Promise<string[]>((resolve) => (hear = resolve))
      const listening = await connect(door, era, {
        listChanged: { tools: { onChanged: (_, tools) => hear(tools?.map(({ name }) => name) ?? []) } },
      })
      await listening.callTool({ name: 'change_rules' })
      expect(await heard).toContain('echo')
      await listening.close()
    })

    test('a client without elicitation is not asked', async () => {
      expect(dataOf(await client.callTool({ name: 'ask_twice', _meta: asksData }))).toMatchObject({
        name: null,
        colour: null,
      })
    })
  })
})
