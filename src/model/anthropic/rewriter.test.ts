import { isDeepStrictEqual } from 'node:util'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { asIs, bytesOf, cutAt, fixture as readFixture } from '../../../test/support/model-streams.ts'
import { rewritten } from '../../../test/support/rewritten.ts'
import type { RestoreInput } from '../wire/dialect.ts'
import { createSseReader } from '../wire/sse.ts'
import { anthropicRewriter } from './rewriter.ts'

const fixture = (name: string): string => readFixture(`anthropic/${name}`)

const events = 'text/event-stream; charset=utf-8'

/** Restores only inputs of `Write`, as if the file contained the value. */
const restoreInWrite: RestoreInput = async ({ tool, text }) =>
  tool === 'Write' ? text.replaceAll('[SECRET_1]', '\\"va\\nlue\\"') : text

const rewrite = (restore: RestoreInput, text: string, ...cuts: number[]) =>
  rewritten(anthropicRewriter(restore), events, cutAt(text, ...cuts))

interface Block {
  readonly type: string
  readonly name?: string
  text: string
}

/** Assembles the content blocks of a stream like clients do. */
function blocksOf(stream: string): Block[] {
  const reader = createSseReader()
  const blocks: Block[] = []
  for (const { data = '{}' } of [...reader.read(Buffer.from(stream)), ...reader.end()]) {
    const { type, index, content_block: block, delta } = JSON.parse(data)
    if (type === 'content_block_start') blocks[index] = { ...block, text: '' }
    if (type === 'content_block_delta')
      blocks[index]!.text += delta.partial_json ?? delta.text ?? delta.thinking ?? ''
  }
  return blocks
}

const eventsOf = (stream: string): string[] =>
  createSseReader()
    .read(Buffer.from(stream))
    .map(({ raw }) => raw.toString())

/** The positions where a cut makes a difference. */
async function badCuts(restore: RestoreInput, stream: string, isGood: (received: Buffer) => boolean) {
  const bad: number[] = []
  for (let cut = 0; cut <= Buffer.byteLength(stream); cut += 1)
    if (!isGood((await rewrite(restore, stream, cut)).bytes)) bad.push(cut)
  return bad
}

describe('a stream without restored inputs', () => {
  test.each([
    ['every-block', '\n'],
    ['sequential-tools', '\n'],
    ['sequential-tools', '\r\n'],
    ['sequential-tools', '\r'],
    ['parallel-tools', '\n'],
    ['parallel-tools', '\r\n'],
    ['error-in-mid-stream', '\n'],
  ])('passes %s with %j byte for byte, cut at every byte', async (name, lineEnd) => {
    const stream = fixture(`${name}.sse`).replaceAll('\n', lineEnd)
    const bytes = Buffer.from(stream)
    expect(await badCuts(asIs, stream, (received) => received.equals(bytes))).toEqual([])
  })

  test.each(['every-block', 'sequential-tools', 'parallel-tools', 'error-in-mid-stream'])(
    '%s passes byte for byte in single bytes',
    async (name) => {
      const stream = fixture(`${name}.sse`)
      const { bytes } = await rewrite(asIs, stream, ...Buffer.from(stream).keys())
      expect(bytes.toString()).toBe(stream)
    },
  )

  test('passes each event with the chunk that ends it, including text with tokens', async () => {
    const all = eventsOf(fixture('every-block.sse'))
    const rewriter = anthropicRewriter(asIs)({ status: 200, contentType: events })
    for (const event of all) expect((await rewriter.write(Buffer.from(event))).toString()).toBe(event)
  })
})

describe('a stream with a restored input', () => {
  test.each(['sequential-tools', 'parallel-tools'])(
    '%s gives the values, cut at every byte',
    async (name) => {
      const stream = fixture(`${name}.sse`)
      const expected = blocksOf(stream)
      for (const block of expected)
        if (block.name === 'Write') block.text = block.text.replace('[SECRET_1]', '\\"va\\nlue\\"')
      const isGood = (received: Buffer): boolean => isDeepStrictEqual(blocksOf(received.toString()), expected)
      expect(isGood(Buffer.from(stream))).toBe(false)
      expect(await badCuts(restoreInWrite, stream, isGood)).toEqual([])
    },
  )

  test('is changed only in the held events', async () => {
    const stream = fixture('sequential-tools.sse')
    const { bytes } = await rewrite(restoreInWrite, stream)
    const before = eventsOf(stream)
    const after = eventsOf(bytes.toString())
    const held = before.findIndex((event) => event.includes('[SECRET_1]'))
    expect(after.slice(0, held)).toEqual(before.slice(0, held))
    expect(after[held]).toBe(
      String.raw`event: content_block_delta
data: {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "tent\": \"A=\\\"va\\nlue\\\"\\nB=ü [SECRET_2]\\n\"}"}}

`,
    )
    expect(after.slice(held + 1)).toEqual(before.slice(held + 2))
  })

  test('holds exactly the events after a held piece', async () => {
    const all = eventsOf(fixture('parallel-tools.sse'))
    const receivedWith = async (restore: RestoreInput): Promise<readonly string[]> =>
      (
        await rewritten(
          anthropicRewriter(restore),
          events,
          all.map((event) => Buffer.from(event)),
        )
      ).received
    const first = all.findIndex((event) => event.includes('[SEC'))
    const last = all.findIndex((event) => /"content_block_stop", "index": 1/.test(event))
    const asTheyCame = all.map((event, index) => {
      if (index === last) return all.slice(first, last + 1).join('')
      return first <= index && index < last ? '' : event
    })
    expect(last - first).toBeGreaterThan(5)
    expect(await receivedWith(asIs)).toEqual([...asTheyCame, ''])
    // The first piece has the restored text, and the others are removed from between the held events.
    const isLaterPiece = (event: string): boolean => /"index": 1.*(?:RET_1|B=2)/.test(event)
    const restored = eventsOf((await receivedWith(restoreInWrite))[last]!)
    expect(restored.slice(1)).toEqual(all.slice(first + 1, last + 1).filter((event) => !isLaterPiece(event)))
    expect(all.filter(isLaterPiece)).toHaveLength(2)
  })

  test('is the same wherever a delta is split', async () => {
    const input = String.raw`{"file_path": "/p/a.env", "content": "[A] \u005bSECRET_1] [SECRET_1]\n"}`
    const restore: RestoreInput = async ({ text }) => text.replaceAll(/(?:\[|\\u005b)SECRET_1\]/g, 'value')
    const delta = (piece: string): string =>
      `data: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: piece } })}\n\n`
    for (let first = 0; first <= input.length; first += 1) {
      for (let second = first; second <= input.length; second += 1) {
        const stream = [
          'data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"Write","input":{}}}\n\n',
          delta(input.slice(0, first)),
          delta(input.slice(first, second)),
          delta(input.slice(second)),
          'data: {"type":"content_block_stop","index":0}\n\n',
        ].join('')
        const { bytes } = await rewrite(restore, stream)
        expect(JSON.parse(blocksOf(bytes.toString())[0]!.text)).toEqual({
          file_path: '/p/a.env',
          content: '[A] value value\n',
        })
      }
    }
  })

  test('is the same for any chunks', async () => {
    const stream = fixture('sequential-tools.sse')
    const expected = (await rewrite(restoreInWrite, stream)).bytes
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(Buffer.byteLength(stream))), async (cuts) => {
        const { bytes } = await rewrite(restoreInWrite, stream, ...cuts.sort((a, b) => a - b))
        expect(bytes.equals(expected)).toBe(true)
      }),
    )
  })

  test('is restored if the input comes with the start of its block', async () => {
    const start =
      'data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"Write","input":{"content":"[SECRET_1]"}}}\n\n'
    const { bytes } = await rewrite(restoreInWrite, start)
    expect(bytes.toString()).toBe(start.replace('[SECRET_1]', '\\"va\\nlue\\"'))
  })
})

describe('not restored', () => {
  test('an input cut off by an error, the end of the message or the end of the stream', async () => {
    const asked: string[] = []
    const restore: RestoreInput = async ({ id, text }) => {
      asked.push(id)
      return text.replaceAll('[SECRET_1]', 'value')
    }
    const stream = fixture('error-in-mid-stream.sse')
    const withoutError = stream.slice(0, stream.indexOf('event: error'))
    const withEnd = `${withoutError}data: {"type":"message_delta","delta":{"stop_reason":"max_tokens"}}\n\n`
    for (const cutOff of [stream, withoutError, withEnd])
      expect((await rewrite(restore, cutOff)).bytes.toString()).toBe(cutOff)
    expect(asked).toEqual([])
    const complete = `${withoutError}data: {"type":"content_block_stop","index":0}\n\n`
    expect((await rewrite(restore, complete)).bytes.toString()).toContain('A=value')
    expect(asked).toEqual(['toolu_01A'])
  })

  test('inputs of tools that the provider runs', async () => {
    const askedFor = async (stream: string): Promise<string[]> => {
      const asked: string[] = []
      await rewrite(async ({ tool, text }) => {
        asked.push(tool)
        return text
      }, stream)
      return asked
    }
    const stream = fixture('every-block.sse')
    expect(await askedFor(stream)).toEqual([])
    expect(await askedFor(stream.replaceAll(/(?:server|mcp)_tool_use/g, 'tool_use'))).toEqual([
      'web_search',
      'echo',
    ])
  })

  test('errors and other kinds of content', async () => {
    const chunk = Buffer.from(fixture('sequential-tools.sse'))
    const create = anthropicRewriter(restoreInWrite)
    expect((await rewritten(create, events, [chunk], 529)).bytes).toEqual(chunk)
    expect((await rewritten(create, 'text/plain', [chunk])).bytes).toEqual(chunk)
    expect((await rewritten(create, events, [chunk])).bytes).not.toEqual(chunk)
  })

  test('an invalid stream passes unchanged', async () => {
    const stream =
      'data: {\n\ndata: [1]\n\ndata: null\n\nevent: x\n\ndata: {"type":"content_block_delta"}\n\ndata: {"type":7}'
    expect((await rewrite(restoreInWrite, stream)).bytes.toString()).toBe(stream)
  })
})

test('a failed restore ends the response', async () => {
  const failing: RestoreInput = () => Promise.reject(new Error('cannot be stored'))
  await expect(rewrite(failing, fixture('sequential-tools.sse'))).rejects.toThrow('cannot be stored')
})

describe('a whole response', () => {
  const json = (restore: RestoreInput, text: string) =>
    rewritten(anthropicRewriter(restore), 'application/json', bytesOf(text))

  test('passes byte for byte if nothing is restored, even if it is not a message', async () => {
    const deep = '['.repeat(1000) + ']'.repeat(1000)
    for (const text of [
      fixture('message.json'),
      '',
      'no JSON',
      '{"content":7}',
      '{"content":[null,{"type":"tool_use"}]}',
      deep,
    ])
      expect((await json(asIs, text)).bytes.toString()).toBe(text)
  })

  test("contains values in the inputs of the client's tools, and is otherwise unchanged", async () => {
    const text = fixture('message.json')
    const { bytes, report } = await json(restoreInWrite, text)
    expect(bytes.toString()).toBe(text.replace('A=[SECRET_1]', String.raw`A=\"va\nlue\"`))
    expect(report).toEqual({
      model: 'claude-sonnet-4-5-20250929',
      usage: { input: 10, output: 25, cacheRead: 4, cacheWrite: 3 },
    })
  })
})

test('reports the model and the latest usage', async () => {
  const stream = fixture('every-block.sse')
  const { report } = await rewrite(asIs, stream)
  expect(report).toEqual({
    model: 'claude-sonnet-4-5-20250929',
    usage: { input: 472, output: 189, cacheRead: 18000, cacheWrite: 120 },
  })
  expect(
    (await rewrite(asIs, stream.slice(0, stream.indexOf('event: message_delta')))).report.usage?.output,
  ).toBe(2)
  expect((await rewrite(asIs, '')).report).toEqual({})
})
