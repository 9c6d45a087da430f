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
import { derivedId } from '../wire/derived-ids.ts'
import type { RestoreInput, ToolInput } from '../wire/dialect.ts'
import { chatRewriter } from './chat-rewriter.ts'

const everyChunk = fixture('openai/chat-every-chunk.sse')
const tools = fixture('openai/chat-tools.sse')
const whole = fixture('openai/chat-completion.json')

const rewrite = async (restore: RestoreInput, chunks: readonly Buffer[]): Promise<string> =>
  (await rewritten(chatRewriter(restore), 'text/event-stream', chunks)).bytes.toString()

interface Part {
  readonly index?: number
  readonly id?: string
  readonly function?: { readonly name?: string; readonly arguments?: string }
  readonly custom?: { readonly name?: string; readonly input?: string }
}
interface Delta {
  readonly content?: string | null
  readonly tool_calls?: readonly Part[]
  readonly function_call?: { readonly name?: string; readonly arguments?: string }
}
interface Chunk {
  readonly choices: readonly { readonly index: number; readonly delta: Delta }[]
}

/** Assembles the messages of a stream like clients do: text and inputs, by choice and index. */
function messagesOf(stream: string): Record<string, string> {
  const messages: Record<string, string> = {}
  const add = (key: string, text: string | null | undefined): void => {
    if (typeof text === 'string') messages[key] = (messages[key] ?? '') + text
  }
  for (const { index, delta } of dataOf<Chunk>(stream).flatMap(({ choices }) => choices)) {
    add(`${index} text`, delta.content)
    add(`${index} legacy`, delta.function_call?.arguments)
    for (const call of delta.tool_calls ?? []) {
      add(`${index} call ${call.index}`, call.function?.arguments ?? call.custom?.input)
    }
  }
  return messages
}

const inJson = JSON.stringify(secretValue).slice(1, -1)
const streamOf = (...chunks: readonly object[]): string =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
const chunk = (delta: Delta, reason: string | null = null, index = 0): object => ({
  choices: [{ index, delta, finish_reason: reason }],
})
const start = (index: number, id: string, text = ''): Part => ({
  index,
  id,
  function: { name: 'write', arguments: text },
})
const more = (index: number, text: string): Part => ({ index, function: { arguments: text } })
const calls = (...parts: readonly Part[]): object => chunk({ tool_calls: parts })

describe('a stream without restored inputs', () => {
  test.each([
    ['every kind of chunk', everyChunk],
    ['tool calls with tokens', tools],
    ['tool calls with tokens and other line ends', tools.replaceAll('\n', '\r\n')],
    ['a missing end', tools.slice(0, tools.indexOf('data: [DONE]'))],
    ['cut in the middle', tools.slice(0, 3000)],
  ])('passes byte for byte, cut at every byte: %s', async (_, stream) => {
    for (const chunks of cutsEverywhere(stream)) expect(await rewrite(asIs, chunks)).toBe(stream)
    expect(await rewrite(asIs, bytesOf(stream))).toBe(stream)
  })

  test('passes each chunk immediately, including text and reasoning with tokens', async () => {
    const events = everyChunk.split(/(?<=\n\n)/).map((event) => Buffer.from(event))
    const { received } = await rewritten(chatRewriter(restoreFirst()), 'text/event-stream', events)
    expect(received.slice(0, -1)).toEqual(events.map(String))
  })
})

describe('restored inputs', () => {
  test('are complete, in a chunk with text and in chunks with two calls', async () => {
    const before = messagesOf(tools)
    const after = messagesOf(await rewrite(restoreFirst(), [Buffer.from(tools)]))
    expect(after).toEqual({
      '0 text': before['0 text'],
      '0 call 0': before['0 call 0']!.replaceAll('[SECRET_1]', () => inJson),
      '0 call 1': before['0 call 1']!.replaceAll('[SECRET_1]', () => inJson),
    })
    expect(after).not.toEqual(before)
  })

  test('are requested once per call', async () => {
    const asked: ToolInput[] = []
    await rewrite(restoreFirst(asked), [Buffer.from(tools)])
    const { '0 call 0': first, '0 call 1': second } = messagesOf(tools)
    expect(asked).toEqual([
      { id: 'call_1', tool: 'write', form: 'json', text: first },
      { id: 'call_2', tool: 'bash', form: 'json', text: second },
    ])
  })

  test('are the same for any chunks of bytes', async () => {
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

  test('are the same wherever the provider split them', async () => {
    const input = String.raw`{"content":"[SECR] [SECRET_1] \"[SECRET_1]\" ["}`
    for (let first = 0; first <= input.length; first += 1) {
      for (let second = first; second <= input.length; second += 1) {
        const stream = streamOf(
          calls(start(0, 'call_1', input.slice(0, first))),
          calls(more(0, input.slice(first, second)), start(1, 'call_2', '{}')),
          calls(more(0, input.slice(second))),
          chunk({}, 'tool_calls'),
        )
        expect(messagesOf(await rewrite(restoreFirst(), [Buffer.from(stream)]))).toEqual({
          '0 call 0': input.replaceAll('[SECRET_1]', () => inJson),
          '0 call 1': '{}',
        })
      }
    }
  })

  test('come in one chunk before the one with the finish reason', async () => {
    const events = [
      calls(start(0, 'call_1', '{"a":"b ')),
      calls(more(0, '[SECRET')),
      calls(more(0, '_1]"}')),
      chunk({}, 'tool_calls'),
    ].map((event) => Buffer.from(streamOf(event)))
    const { received } = await rewritten(chatRewriter(restoreFirst()), 'text/event-stream', events)
    expect(received.map((text) => dataOf(text))).toEqual([
      [calls(start(0, 'call_1', '{"a":"b '))],
      [],
      [],
      [calls(more(0, `${inJson}"}`)), calls(more(0, '')), chunk({}, 'tool_calls')],
      [],
    ])
  })

  test('are recognized if the call is in the chunk with the finish reason, and if only [DONE] ends it', async () => {
    const part = start(0, 'call_1', '{"a":"[SECRET_1]"}')
    const restored = { '0 call 0': `{"a":"${inJson}"}` }
    const sameChunk = streamOf(chunk({ tool_calls: [part] }, 'tool_calls'))
    expect(messagesOf(await rewrite(restoreFirst(), [Buffer.from(sameChunk)]))).toEqual(restored)
    const noReason = `${streamOf(calls(part))}data: [DONE]\n\n`
    expect(messagesOf(await rewrite(restoreFirst(), [Buffer.from(noReason)]))).toEqual(restored)
  })

  test('are separated by choice, and by id if all calls have the same index', async () => {
    const asked: ToolInput[] = []
    const stream = streamOf(
      calls(start(0, 'call_1', '{"a":"[SECRET_1]"}')),
      calls(start(0, 'call_2', '{"b":"[SECRET_1]"}')),
      chunk({ tool_calls: [start(0, 'call_3', '{"c":"[SECRET_1]"}')] }, null, 1),
      chunk({}, 'tool_calls', 1),
      chunk({}, 'tool_calls'),
    )
    const after = await rewrite(restoreFirst(asked), [Buffer.from(stream)])
    expect(after).toBe(stream.replaceAll('[SECRET_1]', () => JSON.stringify(inJson).slice(1, -1)))
    expect(asked.map(({ id }) => id).toSorted()).toEqual(['call_1', 'call_2', 'call_3'])
  })

  test('of custom tools are free text', async () => {
    const asked: ToolInput[] = []
    const custom = (part: object): object => chunk({ tool_calls: [{ index: 0, ...part }] })
    const stream = streamOf(
      custom({ id: 'call_1', type: 'custom', custom: { name: 'apply_patch', input: '' } }),
      custom({ custom: { input: '+A=[SECRET_1]\n' } }),
      chunk({}, 'tool_calls'),
    )
    const after = messagesOf(await rewrite(restoreFirst(asked), [Buffer.from(stream)]))
    expect(after).toEqual({ '0 call 0': `+A=${secretValue}\n` })
    expect(asked).toEqual([{ id: 'call_1', tool: 'apply_patch', form: 'text', text: '+A=[SECRET_1]\n' }])
  })

  test('of a legacy function call have an id derived from what the client receives', async () => {
    const asked: ToolInput[] = []
    const stream = streamOf(
      chunk({ function_call: { name: 'write', arguments: '{"a": ' } }),
      chunk({ function_call: { arguments: '"[SECRET_1]"}' } }),
      chunk({}, 'function_call'),
    )
    const after = messagesOf(await rewrite(restoreFirst(asked), [Buffer.from(stream)]))
    expect(after).toEqual({ '0 legacy': `{"a": "${inJson}"}` })
    expect(asked[0]?.idOf?.(after['0 legacy']!)).toBe(derivedId('write', `{"a":"${inJson}"}`))
  })
})

describe('an incomplete input passes unchanged', () => {
  const begin = streamOf(calls(start(0, 'call_1', '{"a":"[SECRET_1]')))
  test.each([
    ['due to the token limit', begin + streamOf(chunk({}, 'length'))],
    ['due to an error', begin + streamOf({ error: { message: 'overloaded', code: 502 } })],
    ['at the end of the stream', begin],
    ['in the middle of an event', `${begin}data: {"choices":[{"ind`],
  ])('%s', async (_, stream) => {
    const asked: ToolInput[] = []
    expect(await rewrite(restoreFirst(asked), [Buffer.from(stream)])).toBe(stream)
    expect(asked).toEqual([])
  })
})

describe('a complete response', () => {
  const rewriteWhole = async (restore: RestoreInput, text = whole): Promise<string> =>
    (await rewritten(chatRewriter(restore), 'application/json', bytesOf(text))).bytes.toString()

  test('passes byte for byte if nothing is restored', async () => {
    expect(await rewriteWhole(asIs)).toBe(whole)
  })

  test('contains values in tool inputs and nowhere else', async () => {
    const [head, function_, custom] = whole.split(/(?=\{\n\s+"name")/)
    const after = await rewriteWhole(restoreFirst())
    const nested = JSON.stringify(inJson).slice(1, -1)
    expect(after).toBe(
      head +
        function_!.replaceAll('[SECRET_1]', () => nested) +
        custom!.replaceAll('[SECRET_1]', () => inJson),
    )
    expect(head).toContain('[SECRET_1]')
  })

  test('is unchanged if the answer is incomplete', async () => {
    const text = whole.replace('"finish_reason": "tool_calls"', '"finish_reason": "length"')
    expect(await rewriteWhole(restoreFirst(), text)).toBe(text)
  })
})

test.each([
  ['stream', 'text/event-stream', tools],
  ['whole response', 'application/json', whole],
])('the usage is read from a %s', async (_, contentType, text) => {
  const { report } = await rewritten(chatRewriter(asIs), contentType, [Buffer.from(text)])
  expect(report).toEqual({
    model: 'gpt-5.1',
    usage: { input: 176, output: 96, cacheRead: 1024, cacheWrite: 0 },
  })
})
