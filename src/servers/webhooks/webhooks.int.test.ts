import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { bundleScript } from '../../../test/support/bundled-script.ts'
import { sampleSecrets } from '../../../test/support/registry.ts'
import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { until } from '@contextd/shared/testing/until'
import { textOf, webServers } from '../../../test/support/web-servers.ts'
import { composeRuntime, type Runtime } from '../../compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { answer } from '../../core/result.ts'
import { openWebhooks, startWebhooks, type Webhooks } from './open-webhooks.ts'

const servers = webServers()
const [secret = ''] = sampleSecrets(1)

let home: TempHome
let runtime: Runtime
beforeEach(async () => {
  home = makeTempHome()
  home.write('config/config.toml', '[log]\nlevel = "error"\n')
  const tool = {
    definition: { name: 'show', description: 'x', inputSchema: { type: 'object' } },
    server: 'contextd',
    needs: [],
    run: async () => answer(`the token is ${secret}`),
  }
  runtime = await composeRuntime({ env: home.env, cwd: home.project, tools: [tool] })
})
afterEach(async () => {
  await runtime.close()
  home.remove()
})

function webhooks(): Webhooks {
  return openWebhooks(runtime.store, { keysDir: runtime.paths.keys, maxPerWebhook: 100 })
}

async function call(tool: string, args: JsonObject = {}, server?: string): Promise<void> {
  const client = { name: 'test', version: '1', door: 'stdio' } as const
  const session = runtime.sessions.begin(client)
  const { signal } = new AbortController()
  const wanted = { method: 'tool', tool, arguments: args, ...(server !== undefined && { server }) } as const
  await runtime.handle(runtime.newCall({ ...wanted, session, client, claims: {}, signal }))
}

interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly body: JsonObject
}

/** A receiver that accepts everything; `answers` is its status, undefined for no response. */
async function receiver(
  answers: () => number | undefined = () => 204,
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const port = await servers.serve(async (request, response) => {
    const text = await textOf(request)
    received.push({ headers: request.headers, text, body: JSON.parse(text) as JsonObject })
    const status = answers()
    if (status !== undefined) response.writeHead(status).end()
  })
  return { url: `http://127.0.0.1:${port}/hook`, received }
}

test('delivers a refusal and a held-back secret, signed, and without contents', async () => {
  const { url, received } = await receiver()
  const { secret: key } = webhooks().book.add(url, ['refusal', 'leak-held-back'])
  const sending = startWebhooks(runtime)
  try {
    await call('show')
    await call('execute_tool', {
      server: 'postgres',
      tool: 'query',
      args: { sql: 'SELECT very private things' },
    })
    await until(() => received.length === 2)
  } finally {
    await sending.close()
  }
  const [leak, refusal] = received
  expect(leak?.body).toMatchObject({
    event: 'leak-held-back',
    agent: 'default',
    tool: 'show',
    found: 1,
    findings: [{ rule: 'github-pat', count: 1 }],
  })
  expect(refusal?.body).toMatchObject({ event: 'refusal', decision: 'deny', target_server: 'postgres' })
  for (const { headers, text, body } of received) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain('SELECT')
    expect(headers['contextd-delivery']).toBe(body.id)
    const signed = `${String(headers['contextd-timestamp'])}.${text}`
    expect(headers['contextd-signature']).toBe(`v1=${createHmac('sha256', key).update(signed).digest('hex')}`)
  }
  expect(webhooks().queue.counts()).toEqual({ waiting: 0, dead: 0 })
})

test("repeats a killed process's delivery in progress, under the same id", async () => {
  let isAnswering = false
  const { url, received } = await receiver(() => (isAnswering ? 200 : undefined))
  webhooks().book.add(url, ['refusal'])
  await call('execute_tool', { server: 'postgres', tool: 'query', args: {} })
  const script = await bundleScript('test/support/webhook-sender.ts')
  try {
    const sender = spawn(process.execPath, [script.path], {
      env: { ...process.env, ...home.env },
      cwd: home.project,
      stdio: 'ignore',
    })
    await until(() => received.length > 0)
    sender.kill('SIGKILL')
    await once(sender, 'exit')
  } finally {
    script.remove()
  }
  expect(webhooks().queue.counts()).toEqual({ waiting: 1, dead: 0 })
  isAnswering = true
  const sending = startWebhooks(runtime)
  try {
    await until(() => webhooks().queue.counts().waiting === 0)
  } finally {
    await sending.close()
  }
  expect(received.map(({ body }) => body.id)).toEqual([received[0]?.body.id, received[0]?.body.id])
  expect(received[1]?.text).toBe(received[0]?.text)
})

test('delivers to a webhook added later, and closes without waiting for one that never responds', async () => {
  const sending = startWebhooks(runtime)
  const { url, received } = await receiver(() => undefined)
  webhooks().book.add(url, ['refusal'])
  await call('execute_tool', { server: 'postgres', tool: 'query', args: {} })
  await until(() => received.length === 1)
  await sending.close()
  expect(webhooks().queue.counts()).toEqual({ waiting: 1, dead: 0 })
})
