import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  asIs,
  bytesOf,
  cutAt,
  cutsEverywhere,
  fixture,
  restoreFirst,
  secretValue,
} from '../../../test/support/model-streams.ts'
import { rewritten } from '../../../test/support/rewritten.ts'
import { derivedId } from '../wire/derived-ids.ts'
import type { RestoreInput, ToolInput } from '../wire/dialect.ts'
import { geminiRewriter } from './rewriter.ts'

const events = fixture('gemini/stream.sse')
const array = fixture('gemini/array-stream.txt')
const whole = fixture('gemini/response.json')

const formats = [
  ['events', 'stream', 'text/event-stream', events],
  ['an array', 'stream', 'application/json; charset=UTF-8', array],
  ['a whole response', 'content', 'application/json; charset=UTF-8', whole],
] as const

const rewrite = (
  restore: RestoreInput,
  shape: string,
  type: string,
  chunks: readonly Buffer[],
  status = 200,
) =>
  rewritten(geminiRewriter({ kind: 'generate', shape, model: 'gemini-pro' }, restore), type, chunks, status)

/** With values in the arguments of function calls and nowhere else. */
function withValues(text: string): string {
  const value = JSON.stringify(secretValue).slice(1, -1)
  return text
    .split(/(?<="args":)/)
    .map((part, index) => {
      const end = part.indexOf('}')
      const inputs = part.slice(0, end).replaceAll('[SECRET_1]', () => value)
      return index === 0 ? part : inputs + part.slice(end)
    })
    .join('')
}

describe.each(formats)('%s', (_, shape, type, text) => {
  test('pass byte for byte if nothing is restored, cut at every byte', async () => {
    for (const chunks of cutsEverywhere(text)) {
      expect((await rewrite(asIs, shape, type, chunks)).bytes.toString()).toBe(text)
    }
    expect((await rewrite(asIs, shape, type, bytesOf(text))).bytes.toString()).toBe(text)
  })

  test('contain values in the arguments of function calls, for any chunks', async () => {
    // If a chunk ends inside a two-character line end, a changed event may have a different one.
    const lines = (one: string): string[] => one.split(/[\r\n]+/)
    const expected = lines(withValues(text))
    expect(expected).not.toEqual(lines(text))
    for (const chunks of cutsEverywhere(text)) {
      expect(lines((await rewrite(restoreFirst(), shape, type, chunks)).bytes.toString())).toEqual(expected)
    }
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(Buffer.byteLength(text))), async (cuts) => {
        const chunks = cutAt(text, ...cuts.toSorted((one, other) => one - other))
        expect(lines((await rewrite(restoreFirst(), shape, type, chunks)).bytes.toString())).toEqual(expected)
      }),
      { numRuns: 50 },
    )
  })

  test('are unchanged if the provider failed', async () => {
    const { bytes } = await rewrite(restoreFirst(), shape, type, [Buffer.from(text)], 503)
    expect(bytes.toString()).toBe(text)
  })

  test('pass if they are incomplete', async () => {
    for (let length = 0; length < text.length; length += 101) {
      const cut = text.slice(0, length)
      const { bytes } = await rewrite(asIs, shape, type, [Buffer.from(cut)])
      expect(bytes.toString()).toBe(cut)
    }
  })
})

test('an array element passes once it is complete', async () => {
  const ends = [...array.matchAll(/\n\}(?=,|\n\])/g)].map(({ index }) =>
    Buffer.byteLength(array.slice(0, index + 2)),
  )
  const { received } = await rewrite(asIs, 'stream', 'application/json', cutAt(array, ...ends))
  expect(ends).toHaveLength(5)
  expect(received.slice(0, -1)).toEqual(cutAt(array, ...ends).map(String))
})

test('brackets and quotes in strings do not end an element', async () => {
  const nasty = ['"}]', '\\', '{"', '[[{', '\\"}', '"']
  const elements = nasty.map((text) => ({
    candidates: [
      { content: { parts: [{ text }, { functionCall: { name: 'run', args: { [text]: '[SECRET_1]' } } }] } },
    ],
  }))
  const text = JSON.stringify(elements)
  const restored = text.replaceAll('[SECRET_1]', () => JSON.stringify(secretValue).slice(1, -1))
  for (const chunks of cutsEverywhere(text)) {
    const { bytes } = await rewrite(restoreFirst(), 'stream', 'application/json', chunks)
    expect(bytes.toString()).toBe(restored)
  }
})

test('an oversized element ends the response', async () => {
  const create = geminiRewriter({ kind: 'generate', shape: 'stream' }, asIs)
  const rewriter = create({ status: 200, contentType: 'application/json' })
  await rewriter.write(Buffer.from('[{"a":"'))
  const chunk = Buffer.alloc(16 << 20, 'a')
  await rewriter.write(chunk)
  await expect(rewriter.write(chunk)).rejects.toThrow('over')
})

test("calls have the provider's id, or one derived from what the client receives", async () => {
  const asked: ToolInput[] = []
  const { bytes } = await rewrite(restoreFirst(asked), 'content', 'application/json', [Buffer.from(whole)])
  const [first, second] = asked
  expect(asked.map(({ tool, form }) => [tool, form])).toEqual([
    ['write_file', 'json'],
    ['replace', 'json'],
  ])
  expect(second).toMatchObject({ id: 'fc-2' })
  expect(second?.idOf).toBeUndefined()
  const { candidates } = JSON.parse(bytes.toString()) as {
    candidates: { content: { parts: { functionCall: { args: object } }[] } }[]
  }
  const [part] = candidates[0]!.content.parts
  // The client serializes the arguments differently.
  const sentBack = JSON.stringify(part!.functionCall.args)
  const restored = await restoreFirst()(first!)
  expect(sentBack).not.toBe(restored)
  expect(first?.idOf?.(restored)).toBe(derivedId('write_file', sentBack))
  expect(first?.id).not.toBe(derivedId('write_file', sentBack))
})

test.each(formats)('the usage is read from %s', async (_, shape, type, text) => {
  const { report } = await rewrite(asIs, shape, type, [Buffer.from(text)])
  const output = shape === 'content' ? 84 : 96
  expect(report).toEqual({
    model: 'gemini-3-pro',
    usage: { input: 176, output, cacheRead: 1024, cacheWrite: 0 },
  })
})

test('the model defaults to the one in the path', async () => {
  const { report } = await rewrite(asIs, 'content', 'application/json', [Buffer.from('{}')])
  expect(report).toEqual({ model: 'gemini-pro' })
})
