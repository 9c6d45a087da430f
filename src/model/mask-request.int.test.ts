import { expect, test } from 'vitest'

import { sampleSecrets } from '../../test/support/registry.ts'
import { messages } from '../../test/support/request-masker.ts'
import { temporaryChecks, type CheckSetting } from '../../test/support/scrub-checks.ts'
import { maxSizeHere } from '../stages/scrub/checks/open-checks.ts'
import { anthropic } from './anthropic/dialect.ts'
import { parseJsonSpans } from './wire/json-spans.ts'
import { createRequestMasker } from './mask-request.ts'

const padding = 'an ordinary line of a long text\n'.repeat(Math.ceil(maxSizeHere / 32))
const password = 'Quite-Private-8812'
const manySecrets = sampleSecrets(40, 7)

async function setUp(setting: CheckSetting = {}) {
  const { engine, tokens, ...checks } = await temporaryChecks(setting)
  const masker = createRequestMasker({ ...checks, isOwnTool: () => false })
  const mask = (body: string, reader = 'main') =>
    masker.mask({
      body,
      root: parseJsonSpans(body, true),
      dialect: anthropic,
      endpoint: messages,
      whose: { tenant: 'local', session: 's1', reader },
      restored: () => [],
      issued: () => new Set(),
    })
  return { mask, engine, tokens }
}
const requestOf = (...texts: string[]): string =>
  JSON.stringify({ messages: [{ role: 'user', content: texts.map((text) => ({ type: 'text', text })) }] })

test('a large request is checked in a worker, and secrets it discovers apply to the next', async () => {
  const { mask } = await setUp()
  const bare = `bare ${password}`
  expect((await mask(requestOf(bare))).found).toEqual([])
  const body = requestOf(bare, padding, `password = "${password}"`)
  const { body: masked } = await mask(body)
  expect(masked).toBe(requestOf('bare [SECRET_1]', padding, 'password = "[SECRET_1]"'))
  expect((await mask(requestOf(bare))).body).toBe(requestOf('bare [SECRET_1]'))
  expect((await mask(body)).body).toBe(masked)
})

test('very many new secrets in a small request are masked', async () => {
  const { mask } = await setUp()
  const body = requestOf(...manySecrets, manySecrets.join('\n'))
  const { body: masked, found } = await mask(body)
  for (const secret of manySecrets) expect(masked).not.toContain(secret)
  expect(found).toMatchObject([{ rule: 'github-pat' }])
  expect((await mask(body)).body).toBe(masked)
})

test('private context is masked for every reader but its owner, in requests of any size', async () => {
  const held = [{ holder: { agent: 'scanner' }, text: '- kestrel_orders_v2\n' }]
  const { mask } = await setUp({ held })
  for (const texts of [['see kestrel_orders_v2'], ['see kestrel_orders_v2', padding]]) {
    const body = requestOf(...texts)
    expect((await mask(body, 'main')).body).toBe(body.replace('kestrel_orders_v2', '[PRIVATE]'))
    expect((await mask(body, '')).body).toBe(body.replace('kestrel_orders_v2', '[PRIVATE]'))
    expect((await mask(body, 'scanner')).body).toBe(body)
  }
})

test('concurrent requests are masked with the secrets discovered in all of them', async () => {
  const { mask } = await setUp()
  const bodies = [requestOf(`bare ${password}`, padding), requestOf(`password = "${password}"`, padding)]
  await Promise.all(bodies.map((body) => mask(body)))
  for (const body of bodies) expect((await mask(body)).body).not.toContain(password)
})
