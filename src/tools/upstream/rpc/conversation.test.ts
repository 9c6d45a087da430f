import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Json, JsonObject } from '@contextd/shared/json/value'
import { ConnectionLost, type Exchange, type Notice } from '../connection.ts'
import { createConversation } from './conversation.ts'
import { metaKeys } from './protocol.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

interface Sent {
  id?: number
  method?: string
  params?: JsonObject
  result?: Json
  error?: JsonObject
}

/** Both ends of a conversation: `sent` has our messages, and the test sends those of the server. */
function talk() {
  const sent: Sent[] = []
  const notices: Notice[] = []
  let backlog = 0
  const conversation = createConversation(
    { send: (text) => sent.push(JSON.parse(text) as Sent), backlog: () => backlog },
    (notice) => notices.push(notice),
  )
  const last = (method: string): Sent => sent.findLast((each) => each.method === method)!
  return {
    conversation,
    sent,
    notices,
    last,
    count: (method: string) => sent.filter((each) => each.method === method).length,
    setBacklog: (bytes: number) => (backlog = bytes),
    reply: (method: string, result: JsonObject) => conversation.receive({ id: last(method).id!, result }),
    say: (method: string, params: JsonObject, id?: Json) =>
      conversation.receive({ method, params, ...(id !== undefined && { id }) }),
  }
}
type Talk = ReturnType<typeof talk>

async function begun(era: 'legacy' | 'modern', capabilities: JsonObject = {}): Promise<Talk> {
  const both = talk()
  const beginning = both.conversation.begin(era)
  if (era === 'legacy') both.reply('initialize', { protocolVersion: '2025-06-18', capabilities })
  else both.reply('server/discover', { supportedVersions: ['2026-07-28'], capabilities })
  await beginning
  await settled()
  return both
}
const settled = () => vi.advanceTimersByTimeAsync(0)

function exchange(more: Partial<Exchange> = {}): Exchange {
  return { signal: new AbortController().signal, asks: [], ...more }
}

describe('the opening', () => {
  test('declares all capabilities once for all calls in the legacy protocol', async () => {
    const { sent } = await begun('legacy')
    expect(sent).toMatchObject([
      {
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
          clientInfo: { name: 'contextd' },
        },
      },
      { method: 'notifications/initialized' },
    ])
    expect(sent[1]).not.toHaveProperty('id')
  })

  test('fails on an unexpected answer', async () => {
    const { conversation, reply } = talk()
    const beginning = conversation.begin('modern')
    const failed = expect(beginning).rejects.toThrow('no protocol version')
    reply('server/discover', { supportedVersions: ['2099-01-01'] })
    await failed
  })
})

describe('backlog', () => {
  const tooMuch = 9 << 20

  test('sends nothing more to a server that does not read', async () => {
    const { conversation, sent, say, setBacklog } = await begun('legacy')
    setBacklog(tooMuch)
    const before = sent.length
    for (let id = 0; id < 1000; id++) say('ping', {}, id)
    await expect(conversation.request('tools/call', {}, exchange())).rejects.toMatchObject({ sent: false })
    expect(sent).toHaveLength(before)
    setBacklog(0)
    say('ping', {}, 'again')
    expect(sent.at(-1)).toMatchObject({ id: 'again', result: {} })
  })

  test('cancelled requests leave no state', async () => {
    const { conversation, sent } = await begun('legacy')
    const stop = new AbortController()
    const asked: string[] = []
    const ask = async (): Promise<JsonObject> => {
      asked.push('asked')
      return {}
    }
    const given = conversation.request(
      'tools/call',
      {},
      exchange({ signal: stop.signal, asks: ['roots'], ask }),
    )
    stop.abort(new Error('enough'))
    await expect(given).rejects.toThrow('enough')
    const { id } = sent.find(({ method }) => method === 'tools/call')!
    expect(sent.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } })
    conversation.receive({ id: 5, method: 'roots/list' })
    expect(sent.at(-1)).toMatchObject({ id: 5, error: { code: -32601 } })
    expect(asked).toEqual([])
  })
})

describe('questions', () => {
  test('are not answered after the server cancels them', async () => {
    const { conversation, sent, say } = await begun('legacy')
    let answer: (result: JsonObject) => void = () => {}
    const ask = (): Promise<JsonObject> => new Promise((resolve) => (answer = resolve))
    void conversation.request('tools/call', {}, exchange({ asks: ['elicitation'], ask }))
    say('elicitation/create', {}, 'q')
    say('elicitation/create', {}, 'q')
    expect(sent.at(-1)).toMatchObject({ id: 'q', error: { code: -32600 } })
    const before = sent.length
    say('notifications/cancelled', { requestId: 'q' })
    answer({ action: 'accept' })
    await settled()
    expect(sent).toHaveLength(before)
  })

  test('are refused if no request supports them', async () => {
    const { conversation, sent, say } = await begun('modern')
    void conversation.request('tools/call', {}, exchange({ asks: ['elicitation'] }))
    say('elicitation/create', {}, 'q')
    expect(sent.at(-1)).toMatchObject({ id: 'q', error: { code: -32601 } })
  })
})

test('a throwing listener does not affect the connection', async () => {
  const { conversation, last, say, reply } = await begun('legacy')
  const running = conversation.request(
    'tools/call',
    {},
    exchange({
      onProgress: () => {
        throw new Error('of ours')
      },
    }),
  )
  say('notifications/progress', { progressToken: last('tools/call').id!, progress: 1 })
  reply('tools/call', { content: [] })
  expect(await running).toEqual({ content: [] })
})

test('the log level is set once, and again only to lower it', async () => {
  const { conversation, count, last } = await begun('legacy', { logging: {} })
  const ask = (logLevel: Exchange['logLevel']) =>
    void conversation.request('tools/call', {}, exchange({ onLog: () => {}, ...(logLevel && { logLevel }) }))
  ask(undefined)
  expect(count('logging/setLevel')).toBe(0)
  for (const level of ['warning', 'error', 'warning'] as const) ask(level)
  expect([count('logging/setLevel'), last('logging/setLevel').params]).toEqual([1, { level: 'warning' }])
  ask('debug')
  expect([count('logging/setLevel'), last('logging/setLevel').params]).toEqual([2, { level: 'debug' }])
})

describe('modern subscriptions', () => {
  const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } }
  const acknowledge = ({ last, say }: Talk, kept: string[] = []): void => {
    const { id } = last('subscriptions/listen')
    const _meta = { [metaKeys.subscriptionId]: id! }
    say('notifications/subscriptions/acknowledged', { notifications: { resourceSubscriptions: kept }, _meta })
  }
  const subscribed = async (both: Talk, uri: string, kept: string[]): Promise<void> => {
    const subscribing = both.conversation.subscribe(uri)
    await settled()
    acknowledge(both, kept)
    return subscribing
  }

  test('request only the lists that can change', async () => {
    const { last } = await begun('modern', capabilities)
    expect(last('subscriptions/listen').params?.notifications).toEqual({ toolsListChanged: true })
    expect((await begun('modern', { tools: {} })).count('subscriptions/listen')).toBe(0)
  })

  test('are reopened for each resource before the old request ends', async () => {
    const both = await begun('modern', capabilities)
    acknowledge(both)
    const first = both.last('subscriptions/listen').id
    await subscribed(both, 'a', ['a'])
    const wanted = both.last('subscriptions/listen')
    expect(wanted.params?.notifications).toEqual({ toolsListChanged: true, resourceSubscriptions: ['a'] })
    expect(both.sent.at(-1)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: first },
    })
    const unsubscribing = both.conversation.unsubscribe('a')
    await settled()
    expect(both.last('subscriptions/listen').params?.notifications).toEqual({ toolsListChanged: true })
    acknowledge(both)
    await unsubscribing
  })

  test('are refused if the server does not accept them, without affecting others', async () => {
    const both = await begun('modern', capabilities)
    acknowledge(both)
    await subscribed(both, 'a', ['a'])
    await expect(subscribed(both, 'b', ['a'])).rejects.toThrow('does not report')
    const failed = expect(both.conversation.subscribe('c')).rejects.toMatchObject({ code: -32602 })
    await settled()
    const { id } = both.last('subscriptions/listen')
    both.conversation.receive({ id: id!, error: { code: -32602, message: 'no' } })
    await failed
    await subscribed(both, 'd', ['a', 'd'])
    expect(both.last('subscriptions/listen').params?.notifications).toMatchObject({
      resourceSubscriptions: ['a', 'd'],
    })
  })

  test('time out without an acknowledgement', async () => {
    const patience = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal)
    const both = await begun('modern', { resources: { subscribe: true } })
    const subscribing = both.conversation.subscribe('a')
    const failed = expect(subscribing).rejects.toThrow('too long')
    await settled()
    const { id } = both.last('subscriptions/listen')
    patience.abort(new Error('too long'))
    await failed
    expect(both.sent.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } })
  })

  test('fail if the conversation ends before they open', async () => {
    const both = await begun('modern', capabilities)
    acknowledge(both)
    const failed = expect(both.conversation.subscribe('a')).rejects.toMatchObject({ name: 'ConnectionLost' })
    await settled()
    both.conversation.end(new ConnectionLost('over', { sent: false }))
    await failed
  })

  test.each(['cancelled', 'answered'])('are reopened later if the server ends them (%s)', async (how) => {
    const both = await begun('modern', capabilities)
    acknowledge(both)
    await settled()
    const { id } = both.last('subscriptions/listen')
    if (how === 'cancelled') both.say('notifications/cancelled', { requestId: id! })
    else both.conversation.receive({ id: id!, result: { resultType: 'complete' } })
    await settled()
    expect(both.count('subscriptions/listen')).toBe(1)
    await vi.advanceTimersByTimeAsync(5000)
    expect(both.count('subscriptions/listen')).toBe(2)
  })

  test('end with the conversation', async () => {
    const both = await begun('modern', capabilities)
    acknowledge(both)
    both.conversation.end(new ConnectionLost('over', { sent: false }))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(both.count('subscriptions/listen')).toBe(1)
  })
})
