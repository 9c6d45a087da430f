import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  asIs,
  bytesOf,
  cutAt,
  cutsEverywhere,
  dataOf,
  fixture,
  restoreFirst,
  secretValue,
} from '../../../test/support/model-streams.ts'
import { rewritten } from '../../../test/support/rewritten.ts'
import type { RestoreInput, ToolInput } from '../wire/dialect.ts'
import { responsesRewriter } from './responses-rewriter.ts'

const everyEvent = fixture('openai/responses-every-event.sse')
const tools = fixture('openai/responses-tools.sse')
const whole = fixture('openai/response.json')

const rewrite = async (restore: RestoreInput, chunks: readonly Buffer[]): Promise<string> =>
  (await rewritten(responsesRewriter(restore), 'text/event-stream', chunks)).bytes.toString()

interface Item {
  readonly type: string
  readonly call_id?: string
}
interface Event {
  readonly type: string
  readonly output_index: number
  readonly command_index?: number
  readonly delta?: string
  readonly item: Item
  readonly response: { readonly output: readonly Item[] }
}

/** Every occurrence of each item in the stream. */
function placesOf(stream: string) {
  const events = dataOf<Event>(stream)
  const pieces = new Map<string, string>()
  for (const { type, output_index: index, command_index: command = 0, delta = '' } of events) {
    const key = `${index}/${command}`
    if (/(?:arguments|input|diff|command)\.delta$/.test(type))
      pieces.set(key, (pieces.get(key) ?? '') + delta)
  }
  const ends = events.filter(({ type }) => /(?:arguments|input|diff|command)\.done$/.test(type))
  const items = events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : []))
  return { pieces: [...pieces], ends, items, output: events.at(-1)!.response.output }
}

/** The same with values for tokens, in the texts that clients run and nowhere else. */
function withValues<Value>(value: Value, isJsonText = false): Value {
  if (typeof value === 'string') {
    const text = isJsonText ? JSON.stringify(secretValue).slice(1, -1) : secretValue
    return value.replaceAll('[SECRET_1]', () => text) as Value
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: unknown) => withValues(item)) as Value
  const entries = Object.entries(value).map(([name, item]) => [name, withValues(item, name === 'arguments')])
  return Object.fromEntries(entries) as Value
}

describe('a stream without restored inputs', () => {
  test.each([
    ['every event', everyEvent],
    ['tool calls with tokens', tools],
    ['tool calls with tokens and other line ends', tools.replaceAll('\n', '\r\n')],
  ])('passes byte for byte, cut at every byte: %s', async (_, stream) => {
    for (const chunks of cutsEverywhere(stream)) expect(await rewrite(asIs, chunks)).toBe(stream)
    expect(await rewrite(asIs, bytesOf(stream))).toBe(stream)
  })

  test('passes each event with the chunk that ends it, including text and reasoning with tokens', async () => {
    const events = everyEvent.split(/(?<=\n\n)/).map((event) => Buffer.from(event))
    const { received } = await rewritten(responsesRewriter(restoreFirst()), 'text/event-stream', events)
    const late = events.filter((event, index) => received[index] !== event.toString())
    expect(late.map(String)).toEqual([])
  })
})

describe('restored inputs', () => {
  test('are the same in all repetitions in the stream', async () => {
    const before = placesOf(tools)
    const after = placesOf(await rewrite(restoreFirst(), [Buffer.from(tools)]))
    expect(after.items).toEqual(withValues(before.items))
    expect(after.output).toEqual(withValues(before.output))
    expect(after.items).toEqual(after.output)
    expect(after.ends).toEqual(withValues(before.ends))
    expect(after.pieces).toEqual(
      before.pieces.map(([key, text]) => [key, withValues(text, key === '0/0')] as const),
    )
    expect(after.pieces.map(([, text]) => text).join()).not.toBe(before.pieces.map(([, text]) => text).join())
  })

  test('are requested once per call', async () => {
    const asked: ToolInput[] = []
    await rewrite(restoreFirst(asked), [Buffer.from(tools)])
    expect(asked.map(({ id, tool, form }) => [id, tool, form])).toEqual([
      ['call_1', 'write_file', 'json'],
      ['call_2', 'apply_patch', 'text'],
      ['call_3', 'apply_patch_call', 'json'],
      ['call_4', 'shell', 'json'],
      ['call_5', 'local_shell', 'json'],
    ])
  })

  test('are the same for any chunks', async () => {
    const expected = await rewrite(restoreFirst(), [Buffer.from(tools)])
    for (const chunks of cutsEverywhere(tools)) expect(await rewrite(restoreFirst(), chunks)).toBe(expected)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(Buffer.byteLength(tools))), async (cuts) => {
        const chunks = cutAt(tools, ...cuts.toSorted((one, other) => one - other))
        expect(await rewrite(restoreFirst(), chunks)).toBe(expected)
      }),
      { numRuns: 50 },
    )
  })

  test("do not affect text, reasoning, the provider's MCP calls and unknown events", async () => {
    expect(await rewrite(restoreFirst(), [Buffer.from(everyEvent)])).toBe(everyEvent)
  })
})

/** The events of one function call whose arguments arrive in these pieces. */
function callWith(pieces: readonly string[], { hasEnd = true, end = 'response.completed' } = {}): string {
  const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'write_file' }
  const text = pieces.join('')
  const events = [
    { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
    ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', output_index: 0, delta })),
    ...(hasEnd
      ? [
          { type: 'response.function_call_arguments.done', output_index: 0, arguments: text },
          { type: 'response.output_item.done', output_index: 0, item: { ...item, arguments: text } },
        ]
      : []),
    { type: end, response: { output: [{ ...item, arguments: text }] } },
  ]
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
}

describe('streamed inputs', () => {
  const input = String.raw`{"content":"[SECR] [SECRET_1] \"[SECRET_1]\" [","path":"a"}`

  test('are reassembled regardless of the split', async () => {
    const expected = placesOf(await rewrite(restoreFirst(), [Buffer.from(callWith([input]))]))
    expect(expected.pieces).toEqual([['0/0', withValues(input, true)]])
    for (let first = 0; first <= input.length; first += 1) {
      for (let second = first; second <= input.length; second += 1) {
        const pieces = [input.slice(0, first), input.slice(first, second), input.slice(second)]
        const stream = await rewrite(restoreFirst(), [Buffer.from(callWith(pieces))])
        expect(placesOf(stream)).toEqual(expected)
      }
    }
  })

  test('pass immediately up to the first token', async () => {
    const events = callWith(['{"content":"a [b] ', '[SECRET', '_1]', ' c"}'])
      .split(/(?<=\n\n)/)
      .map((event) => Buffer.from(event))
    const { received } = await rewritten(responsesRewriter(restoreFirst()), 'text/event-stream', events)
    expect(received.map((text) => text !== '')).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      true,
      true,
      false,
    ])
  })

  test('hold all later events in order, including those of other items', async () => {
    const own = { type: 'response.something_new', output_index: 0 }
    const other = { type: 'response.output_text.delta', output_index: 1, delta: 'text' }
    const [start, held, ...rest] = callWith(['{"content":"[SECRET_1]"}']).split(/(?<=\n\n)/)
    const events = [
      start,
      held,
      ...[own, other].map((event) => `data: ${JSON.stringify(event)}\n\n`),
      ...rest,
    ]
    const chunks = events.map((event) => Buffer.from(event!))
    const { received } = await rewritten(responsesRewriter(asIs), 'text/event-stream', chunks)
    expect(received.slice(0, 5)).toEqual([start, '', '', '', ''])
    expect(received[5]).toBe([held, ...events.slice(2, 4), ...rest.slice(0, 2)].join(''))
  })

  test('are released at the end of the response if the item has no done event', async () => {
    const stream = await rewrite(restoreFirst(), [Buffer.from(callWith([input], { hasEnd: false }))])
    expect(placesOf(stream)).toMatchObject({
      pieces: [['0/0', withValues(input, true)]],
      output: [{ arguments: withValues(input, true) }],
    })
  })

  test('are restored if only the done event contains them', async () => {
    const stream = callWith([input]).replace(
      /data: \{"type":"response.function_call_arguments.delta".+\n\n/,
      '',
    )
    const { pieces, ends } = placesOf(await rewrite(restoreFirst(), [Buffer.from(stream)]))
    expect(pieces).toEqual([])
    expect(ends).toMatchObject([{ arguments: withValues(input, true) }])
  })

  test("pass unchanged if they do not add up to the item's text", async () => {
    const stream = callWith(['[SECRET_1] ', input]).replaceAll(
      JSON.stringify(`[SECRET_1] ${input}`),
      JSON.stringify(input),
    )
    const { pieces, items } = placesOf(await rewrite(restoreFirst(), [Buffer.from(stream)]))
    expect(pieces).toEqual([['0/0', `[SECRET_1] ${input}`]])
    expect(items).toMatchObject([{ arguments: withValues(input, true) }])
  })
})

describe('an incomplete input', () => {
  const cut = callWith(['{"content":"[SECRET_1]'], { hasEnd: false, end: 'response.incomplete' }).replace(
    '"name":"write_file","arguments":"{',
    '"name":"write_file","status":"incomplete","arguments":"{',
  )

  test.each([
    ['an incomplete response', cut],
    [
      'an error',
      cut.replace(/data: \{"type":"response.incomplete".+/, 'data: {"type":"error","message":"x"}'),
    ],
    ['the end of the stream', cut.replace(/data: \{"type":"response.incomplete".+\n\n/, '')],
    ['the middle of an event', cut.slice(0, -40)],
  ])('passes unchanged: %s', async (_, stream) => {
    const asked: ToolInput[] = []
    expect(await rewrite(restoreFirst(asked), [Buffer.from(stream)])).toBe(stream)
    expect(asked).toEqual([])
  })
})

describe('a complete response', () => {
  const rewriteWhole = (restore: RestoreInput) =>
    rewritten(responsesRewriter(restore), 'application/json; charset=utf-8', bytesOf(whole))

  test('passes byte for byte if nothing is restored', async () => {
    expect((await rewriteWhole(asIs)).bytes.toString()).toBe(whole)
  })

  test('contains values in the inputs of tools that the client runs', async () => {
    const before = JSON.parse(whole) as { output: Item[] }
    const after = JSON.parse((await rewriteWhole(restoreFirst())).bytes.toString()) as { output: Item[] }
    const isOfClient = ({ call_id: id }: Item): boolean => id !== undefined
    expect(after).toEqual({
      ...before,
      output: before.output.map((item) => (isOfClient(item) ? withValues(item) : item)),
    })
    expect(before.output.filter(isOfClient)).toHaveLength(5)
  })

  test('is unchanged if it is an error or not JSON', async () => {
    const create = responsesRewriter(restoreFirst())
    const failed = await rewritten(create, 'application/json', [Buffer.from(whole)], 500)
    expect(failed.bytes.toString()).toBe(whole)
    const text = `[SECRET_1] ${whole}`
    expect((await rewritten(create, 'application/json', [Buffer.from(text)])).bytes.toString()).toBe(text)
  })
})

test.each([
  ['stream', 'text/event-stream', tools],
  ['whole response', 'application/json', whole],
])('the usage is read from a %s', async (_, contentType, text) => {
  const { report } = await rewritten(responsesRewriter(asIs), contentType, [Buffer.from(text)])
  expect(report).toEqual({
    model: 'gpt-5.1-codex',
    usage: { input: 176, output: 96, cacheRead: 1024, cacheWrite: 0 },
  })
})
