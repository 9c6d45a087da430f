import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Json, JsonObject } from '@contextd/shared/json/value'
import { pngOf } from '../../../test/support/document-files.ts'
import { answer, RESULT_META, type Answer, type Block } from '../../core/result.ts'
import { estimateTokens } from './estimate.ts'
import type { CutRef } from './fit-json.ts'
import type { FitOptions, FittedAnswer } from './fit-own.ts'
import { fitAnswer } from './fit-result.ts'
import { loadTokenizer } from './tokenizer.ts'

interface OwnStructured {
  data: Json
  refs?: CutRef[]
  tokens_used: number
  has_more?: boolean
  truncated?: boolean
}

const text = (words: string): Block => ({ type: 'text', text: words })
const lines = (many: number, word = 'line'): string =>
  Array.from({ length: many }, (_, index) => `${word} ${index}\n`).join('')
const foreign = (parts: Partial<Answer>): Answer => ({ kind: 'answer', own: false, content: [], ...parts })

function fit(
  given: Answer,
  limit: number,
  options: Partial<Pick<FitOptions, 'keep' | 'count' | 'left' | 'textOnly' | 'renderText'>> = {},
) {
  const { keep = 'head', count = estimateTokens, left = Infinity, ...form } = options
  const kept = new Map<string, string>()
  const fitted = fitAnswer(given, {
    limit,
    left,
    count,
    keep,
    ...form,
    save(body) {
      const ref = `ref_${String(kept.size).padStart(22, 'xQ7')}`
      kept.set(ref, body)
      return ref
    },
  })
  return {
    ...fitted,
    kept,
    own: fitted.answer.structured as unknown as OwnStructured,
    shown: shownText(fitted),
  }
}

const textOf = (block: Block): string => (typeof block.text === 'string' ? block.text : '')

function shownText({ answer: { content } }: FittedAnswer): string {
  return content.map(textOf).join('')
}

/** The missing part according to the ref. */
function missing(kept: ReadonlyMap<string, string>, { ref, next, until }: CutRef): string {
  return Buffer.from(kept.get(ref) ?? '')
    .subarray(next, until)
    .toString()
}

describe('our own answers', () => {
  test('a small one gets its text and accounting, and nothing is stored', () => {
    const { answer: fitted, tokens, truncated, kept } = fit(answer({ exit_code: 0, stdout: 'ok' }), 2000)
    expect(fitted).toEqual({
      kind: 'answer',
      own: true,
      content: [text('exit_code: 0\nstdout: ok')],
      structured: { data: { exit_code: 0, stdout: 'ok' }, tokens_used: tokens },
    })
    expect(truncated).toBe(false)
    expect(kept.size).toBe(0)
  })

  test('a note is in both of its forms, and counted', () => {
    const noted: Answer = { ...answer('ok'), structured: { data: 'ok', note: 'Mind this.' } }
    const { answer: small, tokens } = fit(noted, 2000)
    expect(small).toMatchObject({
      content: [text('ok\nMind this.')],
      structured: { data: 'ok', note: 'Mind this.', tokens_used: tokens },
    })
    expect(tokens).toBeGreaterThan(fit(answer('ok'), 2000).tokens)
    const long: Answer = { ...noted, structured: { data: lines(2000), note: 'Mind this.' } }
    const { own, shown, tokens: ofLong } = fit(long, 500)
    expect(own).toMatchObject({ note: 'Mind this.', truncated: true })
    expect(shown.endsWith('\nMind this.')).toBe(true)
    expect(ofLong).toBeLessThanOrEqual(500)
    // With hardly any room for the answer, there is none for the note.
    expect(fit(long, 150).own).not.toHaveProperty('note')
  })

  test('long texts are shortened, while short ones and the shape stay', () => {
    const stdout = lines(2000)
    const { own, shown, kept, truncated } = fit(answer({ exit_code: 1, stdout, stderr: 'no such file' }), 500)
    const data = own.data as JsonObject
    const [ref] = own.refs ?? []
    expect(truncated).toBe(true)
    expect(own).toMatchObject({
      has_more: true,
      truncated: true,
      refs: [{ field: 'data.stdout', until: stdout.length }],
    })
    expect(data).toMatchObject({ exit_code: 1, stderr: 'no such file' })
    expect(data.stdout).toMatch(
      /^line 0\n[\s\S]*\nline \d+\n\[… 1,\d{3} lines, about \d+,\d{3} tokens cut; read_more ref_[\w-]+ offset \d+\]$/,
    )
    expect(shown).toContain(`tokens cut; read_more ${ref?.ref} offset ${ref?.next}]\nstderr: no such file`)
    expect(ref && stdout.slice(0, ref.next) + missing(kept, ref)).toBe(stdout)
  })

  test('keeps head and tail if the tool requests it', () => {
    const { own, kept } = fit(answer(lines(2000)), 500, { keep: 'head-and-tail' })
    expect(own.data).toMatch(
      /^line 0\n[\s\S]*tokens cut; read_more ref_[\w-]+ offset \d+\]\n[\s\S]*line 1999\n$/,
    )
    const [ref] = own.refs ?? []
    expect(ref && missing(kept, ref).startsWith('line ')).toBe(true)
    expect(ref?.until).toBeLessThan(lines(2000).length)
  })

  test('several long texts get the same room', () => {
    const { own } = fit(answer({ a: lines(2000, 'first'), b: 'short', c: lines(2000, 'second') }), 600)
    expect(own.refs?.map(({ field }) => field)).toEqual(['data.a', 'data.c'])
    const { a, b, c } = own.data as Record<string, string>
    expect(b).toBe('short')
    expect(Math.abs(estimateTokens(a ?? '') - estimateTokens(c ?? ''))).toBeLessThan(40)
  })

  test('long arrays keep their first items, and the ref contains all as JSON lines', () => {
    const items = Array.from({ length: 400 }, (_, index) => ({ path: `src/file-${index}.ts`, line: index }))
    const { own, shown, kept } = fit(answer({ found: 400, items }), 500)
    const left = (own.data as { items: JsonObject[] }).items
    const [ref] = own.refs ?? []
    expect(left.length).toBeGreaterThan(10)
    expect(left).toEqual(items.slice(0, left.length))
    expect(ref).toMatchObject({ field: 'data.items', items: 400 - left.length })
    const rest =
      ref &&
      missing(kept, ref)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Json)
    expect(rest).toEqual(items.slice(left.length))
    expect(shown).toContain(`[${400 - left.length} more in items; read_more ${ref?.ref} offset ${ref?.next}]`)
  })

  test('a single oversized item keeps its start', () => {
    const items = Array.from({ length: 20 }, () => ({ body: lines(3000) }))
    const { own } = fit(answer({ items }), 400)
    expect(own.data).toMatchObject({
      items: [{ body: expect.stringContaining('tokens cut; read_more ref_') }],
    })
    expect(own.refs?.map(({ field }) => field)).toEqual(['data.items', 'data.items[0].body'])
  })

  test('data without long texts and arrays is cut as text', () => {
    const data = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key_${index}`, index]))
    const { own, kept } = fit(answer(data), 300)
    expect(own.data).toMatch(/^\{"key_0":0,"key_1":1[\s\S]*tokens cut; read_more ref_[\w-]+ offset \d+\]$/)
    expect(kept.get(own.refs?.[0]?.ref ?? '')).toBe(JSON.stringify(data))
  })

  test('other blocks stay next to the text; images are counted and never cut', () => {
    const picture = { type: 'image', data: 'A'.repeat(50_000), mimeType: 'image/png' }
    const { answer: fitted, tokens, truncated } = fit(answer('done', { blocks: [picture] }), 200)
    expect(fitted.content).toEqual([text('done'), picture])
    expect(tokens).toBeGreaterThan(1500)
    expect(truncated).toBe(false)
  })

  test("a tool's text block is shortened too", () => {
    const { answer: fitted, own } = fit(answer('done', { blocks: [text(lines(900))] }), 400)
    expect(fitted.content).toHaveLength(2)
    expect(own).toMatchObject({ data: 'done', truncated: true, refs: [{ field: 'content[0].text' }] })
  })

  test('an error stays an error', () => {
    expect(fit(answer(lines(900), { isError: true }), 200).answer.isError).toBe(true)
  })
})

describe('the text that a tool renders', () => {
  const renderText = ({ stdout }: JsonObject): string => `> ${stdout as string}`

  test('is the text of small and of shortened answers; notes follow it', () => {
    const noted: Answer = { ...answer('x'), structured: { data: { stdout: 'ok' }, note: 'Mind this.' } }
    expect(fit(noted, 500, { renderText }).shown).toBe('> ok\nMind this.')
    const { shown } = fit(answer({ stdout: lines(2000) }), 500, { renderText, keep: 'head-and-tail' })
    expect(shown).toMatch(/^> line 0\n[^]*cut; read_more ref_\w+ offset \d+\]\n[^]*line 1999\n$/)
  })

  test('is not asked for data without a shape, such as text that was cut', () => {
    const data = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key_${index}`, index]))
    expect(fit(answer(data), 300, { renderText }).shown).toMatch(/^\{"key_0":0/)
  })

  test('alone has to fit where the client gets nothing else', () => {
    const quotes = { stdout: '"\\"\t"\n'.repeat(400) }
    const both = fit(answer(quotes), 1000, { renderText })
    const alone = fit(answer(quotes), 1000, { renderText, textOnly: true })
    const count = ({ shown }: { shown: string }): number => estimateTokens(shown)
    expect(count(alone)).toBeLessThanOrEqual(1000)
    expect(alone.tokens).toBe(count(alone))
    expect(count(alone)).toBeGreaterThan(1.2 * count(both))
    expect(estimateTokens(JSON.stringify(both.own))).toBeLessThanOrEqual(1000)
    // A small one too is counted as what is shown.
    expect(fit(answer({ stdout: 'ok' }), 500, { renderText, textOnly: true }).tokens).toBe(
      estimateTokens('> ok'),
    )
  })

  test('is what a marker with the ref stands in, however little is left', () => {
    for (const limit of [100, 120, 150, 200, 400]) {
      const { shown, kept, tokens } = fit(answer({ stdout: lines(2000) }), limit, {
        renderText,
        textOnly: true,
      })
      const [ref] = kept.keys()
      expect(shown).toContain(`read_more ${ref} offset`)
      expect(tokens).toBeLessThanOrEqual(limit)
    }
  })
})

describe('a slice of a ref', () => {
  const body = lines(1000)
  const slice = (from: number, to: number): Answer =>
    answer(body.slice(from, to), { slice: { ref: 'ref_source', from, to, total: body.length } })

  test('says where the next one starts', () => {
    const { own, answer: fitted, truncated } = fit(slice(0, 35), 500)
    expect(own).toMatchObject({
      data: body.slice(0, 35),
      has_more: true,
      refs: [{ ref: 'ref_source', field: 'data', next: 35 }],
    })
    expect(fitted.content).toEqual([text(`${body.slice(0, 35)}\n[more: read_more ref_source offset 35]`)])
    expect(truncated).toBe(false)
    expect(fitted).not.toHaveProperty('slice')
  })

  test('says nothing at the end', () => {
    const { own } = fit(slice(body.length - 9, body.length), 500)
    expect(Object.keys(own)).toEqual(['data', 'tokens_used'])
  })

  test('that is too long continues behind the same ref', () => {
    const { own, kept, truncated } = fit(slice(0, body.length), 300)
    const [ref] = own.refs ?? []
    expect(kept.size).toBe(0)
    expect(truncated).toBe(false)
    expect(own.data).toBe(body.slice(0, ref?.next))
    expect(ref).toMatchObject({ ref: 'ref_source', until: body.length })
  })

  test('whose text was changed gets its own ref, in addition to the old one', () => {
    const changed = { ...slice(0, 7000), structured: { data: `${body.slice(0, 7000)} and more` } }
    const { own, kept } = fit(changed, 300)
    expect(own.refs?.map(({ ref }) => ref)).toEqual(['ref_source', ...kept.keys()])
    expect(own.refs?.[0]?.next).toBe(7000)
  })
})

describe('answers of other servers', () => {
  test('a small one passes unchanged, with our accounting in its _meta', () => {
    const given = foreign({
      content: [text('hello')],
      structured: { a: [1] },
      meta: { theirs: true },
      isError: true,
    })
    const { answer: fitted, tokens } = fit(given, 2000)
    expect(fitted).toEqual({ ...given, meta: { theirs: true, [RESULT_META]: { tokens_used: tokens } } })
  })

  test('long text blocks are shortened in place and name their ref', () => {
    const {
      answer: fitted,
      kept,
      truncated,
    } = fit(foreign({ content: [text('first'), { ...text(lines(2000)), annotations: {} }] }), 500)
    const [ref] = [...kept.keys()]
    expect(truncated).toBe(true)
    expect(fitted.content[0]).toEqual(text('first'))
    expect(fitted.content[1]).toMatchObject({
      annotations: {},
      text: expect.stringMatching(new RegExp(`tokens cut; read_more ${ref} offset \\d+\\]$`)),
    })
    expect(fitted.meta?.[RESULT_META]).toMatchObject({
      truncated: true,
      refs: [{ ref, field: 'content[1].text' }],
    })
  })

  test('the text of embedded resources is counted, and their bytes count as an image', () => {
    const resource = { type: 'resource', resource: { uri: 'file:///a', text: lines(2000) } }
    const blob = { type: 'resource', resource: { uri: 'file:///b', blob: 'A'.repeat(9000) } }
    const { answer: fitted, tokens } = fit(foreign({ content: [resource, blob] }), 500)
    expect(fitted.content[0]).toMatchObject({
      type: 'resource',
      resource: { uri: 'file:///a', text: expect.stringContaining('tokens cut') },
    })
    expect(fitted.content[1]).toEqual(blob)
    expect(tokens).toBeGreaterThan(1500)
    expect(tokens).toBeLessThan(2000)
  })

  const junk = 'hidden words '.repeat(40_000)
  test.each<[string, Block]>([
    ['uri', { type: 'resource', resource: { uri: junk, text: 'short' } }],
    ['uri of bytes', { type: 'resource', resource: { uri: junk, blob: 'QUJD' } }],
    ['annotations', { ...text('short'), annotations: { note: junk } }],
    ['extra member', { ...text('short'), more: junk }],
    ['_meta of a block', { ...text('short'), _meta: { junk } }],
    ['text of a picture', { type: 'image', data: 'QUJD', mimeType: 'image/png', text: junk }],
    ['text in the place of bytes', { type: 'image', data: junk, mimeType: 'image/png' }],
    ['text in the place of a blob', { type: 'resource', resource: { uri: 'file:///a', blob: junk } }],
    ['type', { type: junk }],
  ])('text hidden in the %s is shortened, with the rest behind a ref', (_, block) => {
    const { answer: fitted, kept, tokens, truncated } = fit(foreign({ content: [block] }), 500)
    expect(truncated).toBe(true)
    expect(tokens).toBeLessThanOrEqual(500)
    expect(JSON.stringify(fitted).length).toBeLessThan(10_000)
    expect(fitted.content).toEqual([text(expect.stringMatching(/read_more ref_/) as string)])
    expect([...kept.values()].join('')).toContain(junk)
  })

  test.each<Block>([
    { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'short' } },
    { ...text('short'), annotations: { audience: ['user'], priority: 1 }, _meta: { id: 7 } },
    { type: 'image', data: 'QUJD', mimeType: 'image/png', annotations: { audience: ['user'] } },
    { type: 'resource_link', uri: 'file:///a', name: 'a' },
  ])('metadata of a block is kept and counted: %j', (block) => {
    const { answer: fitted, tokens, truncated } = fit(foreign({ content: [block] }), 500)
    expect(fitted.content).toEqual([block])
    expect(tokens).toBeGreaterThan(10)
    expect(truncated).toBe(false)
  })

  test('_meta is counted, and dropped as a whole if it is too long', () => {
    const meta = { 'example.org/trace': 'x7 '.repeat(100_000) }
    const { answer: fitted, kept, truncated } = fit(foreign({ content: [text('hello')], meta }), 500)
    const [ref] = [...kept.keys()]
    expect(truncated).toBe(true)
    expect(Object.keys(fitted.meta ?? {})).toEqual([RESULT_META])
    expect(fitted.meta?.[RESULT_META]).toMatchObject({ truncated: true, refs: [{ ref, field: '_meta' }] })
    expect(kept.get(ref ?? '')).toBe(JSON.stringify(meta))
    const short = { content: [text('hello')], meta: { 'example.org/trace': 'x7' } }
    expect(fit(foreign(short), 500).tokens).toBeGreaterThan(
      fit(foreign({ content: short.content }), 500).tokens,
    )
  })

  const picture: Block = { type: 'image', data: 'QUJD', mimeType: 'image/png' }
  const pictures = (many: number) =>
    foreign({ content: [text('look'), ...Array.from({ length: many }, () => picture)] })

  test('images beyond the remaining budget are replaced by a note', () => {
    const { answer: fitted, tokens, kept, truncated } = fit(pictures(500), 500, { left: 4000 })
    expect(fitted.content).toEqual([
      text('look'),
      picture,
      picture,
      text(`[… 498 pictures or sounds left out; described in read_more ${[...kept.keys()][0]} offset 0]`),
    ])
    expect(tokens).toBeGreaterThan(3000)
    expect(tokens).toBeLessThanOrEqual(4000)
    expect(truncated).toBe(true)
    expect(fit(pictures(2), 500, { left: 4000 }).answer.content).toEqual(pictures(2).content)
  })

  test('an image is charged by its size, and a short answer of ours leaves it the room', () => {
    const image = (width: number, height: number): Block => ({
      type: 'image',
      data: pngOf(width, height).toString('base64'),
      mimeType: 'image/png',
    })
    const tokensOf = (block: Block, left = Infinity) =>
      fit(answer({ type: 'image/png' }, { blocks: [block] }), 2000, { left })
    const small = tokensOf(image(75, 100)).tokens
    expect(tokensOf(image(750, 100)).tokens).toBe(small + 90)
    expect(tokensOf(image(7500, 800)).tokens).toBe(small - 10 + 4800)
    // A damaged one costs as much as an average one.
    expect(tokensOf(picture).tokens).toBe(small - 10 + 1500)
    const kinds = (left: number) => tokensOf(image(750, 100), left).answer.content.map(({ type }) => type)
    expect(kinds(400)).toEqual(['text', 'image'])
    expect(kinds(150)).toEqual(['text', 'text'])
  })

  test('truncation is visible even in the smallest answer', () => {
    const content = [text(lines(2000)), ...pictures(9).content]
    const { shown } = fit(foreign({ content, meta: { theirs: 'some words' } }), 100, { left: 100 })
    expect(shown).toMatch(/tokens cut; read_more ref_\S+ offset \d+\]\[… 9 pictures/)
  })

  test('contain at most eight media', () => {
    const kinds = (many: number) => fit(pictures(many), 500).answer.content.map(({ type }) => type)
    expect(kinds(8)).toEqual(['text', ...Array.from({ length: 8 }, () => 'image')])
    expect(kinds(9)).toEqual(['text', ...Array.from({ length: 8 }, () => 'image'), 'text'])
  })

  test('empty blocks are not free', () => {
    expect(
      fit(foreign({ content: Array.from({ length: 5000 }, () => text('')) }), 500).answer.content.length,
    ).toBeLessThan(500)
    expect(fit(foreign({ content: Array.from({ length: 400 }, () => text('')) }), 500).truncated).toBe(false)
  })

  test('of many blocks, the first stay and the others are joined', () => {
    const content = Array.from({ length: 300 }, (_, index) => text(`block number ${index} says something`))
    const { answer: fitted, kept } = fit(foreign({ content }), 500)
    expect(fitted.content.length).toBeGreaterThan(10)
    expect(fitted.content.slice(0, 10)).toEqual(content.slice(0, 10))
    expect(fitted.content.at(-1)?.text).toMatch(/read_more ref_/)
    expect([...kept.values()][0]).toContain('block number 299')
  })

  test('structured content keeps its types, and its texts say what was cut', () => {
    const structured = { title: 'Log', body: lines(2000), rows: [1, 2, 3] }
    const { answer: fitted, kept } = fit(foreign({ structured }), 600)
    const left = fitted.structured as typeof structured
    expect(left).toMatchObject({ title: 'Log', rows: [1, 2, 3] })
    expect(left.body).toMatch(/read_more ref_/)
    expect(kept.size).toBe(1)
  })

  test('arrays in structured content are not shortened, because clients would not show that', () => {
    const structured = { rows: Array.from({ length: 900 }, (_, index) => index) }
    const alone = fit(foreign({ structured }), 600)
    expect(alone.answer).not.toHaveProperty('structured')
    expect(alone.shown).toMatch(/^\{"rows":\[0,1,[\s\S]*read_more ref_/)
    const asText = fit(foreign({ structured, content: [text(JSON.stringify(structured))] }), 600)
    expect(asText.answer).not.toHaveProperty('structured')
    expect(asText.answer.content).toHaveLength(1)
    expect(asText.shown).toMatch(/^\{"rows":\[0,1,[\s\S]*read_more ref_/)
  })

  test('structured content that cannot be shortened is dropped, and shown as text if there is no other', () => {
    const structured = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key_${index}`, index]))
    const alone = fit(foreign({ structured }), 300)
    expect(alone.answer).not.toHaveProperty('structured')
    expect(alone.shown).toMatch(/^\{"key_0":0[\s\S]*read_more ref_/)
    const beside = fit(foreign({ structured, content: [text('500 keys')] }), 300)
    expect(beside.answer.content).toEqual([
      text('500 keys'),
      text(expect.stringMatching(/^\[structured content left out; read_more ref_\S+ offset 0\]$/)),
    ])
    expect(beside.answer.meta?.[RESULT_META]).toMatchObject({
      truncated: true,
      refs: [{ field: 'structuredContent', next: 0 }],
    })
  })
})

describe('any answer', () => {
  const anyJson = fc.jsonValue({ maxDepth: 4 }).map((value) => value as Json)
  const anyLong = fc.oneof(
    fc
      .tuple(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.integer({ min: 1, max: 300 }))
      .map(([part, times]) => part.repeat(times)),
    fc.array(anyJson, { maxLength: 200 }),
    fc.dictionary(fc.string({ maxLength: 60 }), fc.oneof(anyJson, fc.string({ maxLength: 3000 })), {
      maxKeys: 40,
    }),
  ) as fc.Arbitrary<Json>
  const anyLimit = fc.integer({ min: 100, max: 900 })

  test('of our own fits as text and as JSON, and reports its usage', () => {
    fc.assert(
      fc.property(anyLong, anyLimit, (data, limit) => {
        const { own, shown, tokens, truncated } = fit(answer(data), limit)
        const used = Math.max(estimateTokens(shown), estimateTokens(JSON.stringify(own)))
        expect(used).toBeLessThanOrEqual(limit)
        expect(own.tokens_used).toBe(tokens)
        expect(tokens).toBeGreaterThanOrEqual(used)
        if (!truncated) expect(own.data).toEqual(data)
      }),
      { numRuns: 200 },
    )
  })

  test('fits with an exact tokenizer too', async () => {
    const count = await loadTokenizer('o200k')
    fc.assert(
      fc.property(anyLong, anyLimit, (data, limit) => {
        const { own, shown } = fit(answer(data), limit, { count })
        expect(Math.max(count(shown), count(JSON.stringify(own)))).toBeLessThanOrEqual(limit)
      }),
      { numRuns: 40 },
    )
  })

  test('fits with a counter for which the whole costs more than its parts', () => {
    const count = (words: string): number => Math.ceil(words.length ** 1.2 / 10)
    for (const given of [
      answer({ a: lines(800), b: lines(900) }),
      answer(lines(900), { slice: { ref: 'ref_source', from: 0, to: lines(900).length, total: 99_999 } }),
    ]) {
      for (let limit = 300; limit < 900; limit += 50) {
        const { own, shown } = fit(given, limit, { count })
        expect(Math.max(count(shown), count(JSON.stringify(own)))).toBeLessThanOrEqual(limit)
        expect(own.refs?.length).toBeGreaterThan(0)
      }
    }
  })

  const anyMember = fc.oneof(anyJson, fc.string({ maxLength: 3000 }), anyLong)
  const anyJunk = fc.dictionary(
    fc.oneof(
      fc.constantFrom('annotations', '_meta', 'uri', 'blob', 'text', 'data', '__proto__'),
      fc.string(),
    ),
    anyMember,
    { maxKeys: 3 },
  )
  const anyBytes = fc.integer({ min: 0, max: 400 }).map((many) => 'QUJD'.repeat(many))
  const anyWords = fc.string({ maxLength: 2000 })
  const anyBlock = fc
    .record({
      type: fc.oneof(fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link'), fc.string()),
      members: fc.oneof(
        fc.record({ text: anyWords }),
        fc.record({ data: fc.oneof(anyBytes, anyWords) }),
        fc.record({ resource: fc.record({ text: anyWords, uri: anyMember }, { requiredKeys: [] }) }),
        fc.record({ resource: fc.record({ blob: anyBytes, uri: anyMember }, { requiredKeys: ['blob'] }) }),
      ),
      junk: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, anyJunk),
    })
    .map(({ type, members, junk }) => Object.assign({}, junk, members, { type }) as Block)

  /** Everything in a block except the bytes of media, calculated independently of the code. */
  const costOf = (block: Block): { text: number; media: number } => {
    const bytes = block.type === 'resource' ? (block.resource as JsonObject | undefined)?.blob : block.data
    const isMedium =
      ['image', 'audio', 'resource'].includes(block.type) &&
      typeof bytes === 'string' &&
      /^[A-Za-z0-9+/=_\r\n-]*$/.test(bytes)
    if (isMedium) return { text: 0, media: 1500 }
    const { type: _, text: words, ...others } = block
    if (block.type === 'text' && typeof words === 'string' && Object.keys(others).length === 0)
      return { text: estimateTokens(words), media: 0 }
    return { text: shortest(block), media: 0 }
  }
  /** Only long texts and names: the minimum cost of a block. */
  const shortest = (value: Json): number => {
    if (typeof value === 'string') return value.length > 40 ? estimateTokens(value) : 0
    if (typeof value !== 'object' || value === null) return 0
    const parts = Array.isArray(value) ? value : [...Object.keys(value), ...Object.values(value)]
    return parts.reduce<number>((sum, part) => sum + shortest(part), 0)
  }

  test('of other servers fits as text and as JSON, with metadata, and within the remaining budget', () => {
    fc.assert(
      fc.property(
        fc.array(anyBlock, { maxLength: 12 }),
        fc.option(anyLong, { nil: undefined }),
        fc.option(anyJunk, { nil: undefined }),
        anyLimit,
        fc.integer({ min: 0, max: 9000 }),
        (content, structured, meta, limit, more) => {
          const left = limit + more
          const given = foreign({
            content,
            ...(structured !== undefined && { structured }),
            ...(meta !== undefined && { meta }),
          })
          const { answer: fitted, truncated, tokens } = fit(given, limit, { left })
          const costs = fitted.content.map(costOf)
          const texts = costs.reduce((sum, cost) => sum + cost.text, 0)
          const media = costs.reduce((sum, cost) => sum + cost.media, 0)
          const { [RESULT_META]: ours, ...theirs } = fitted.meta ?? {}
          const metaTokens = Object.keys(theirs).length === 0 ? 0 : estimateTokens(JSON.stringify(theirs))
          const json = fitted.structured === undefined ? 0 : estimateTokens(JSON.stringify(fitted.structured))
          expect(Math.max(texts, json) + metaTokens).toBeLessThanOrEqual(limit)
          expect(Math.max(texts, json) + metaTokens + media).toBeLessThanOrEqual(tokens)
          expect(tokens).toBeLessThanOrEqual(left)
          expect(ours).toMatchObject({ tokens_used: tokens })
          if (!truncated) expect({ ...fitted, meta: theirs }).toEqual({ ...given, meta: meta ?? {} })
        },
      ),
      { numRuns: 300 },
    )
  })
})
