import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { countLines, sliceLines, type LineRange, type LineSlice, type LineSource } from './line-slice.ts'

interface Watched extends LineSource {
  /** Bytes that were read. */
  readonly taken: { bytes: number }
}

function sourceOf(bytes: Buffer): Watched {
  const taken = { bytes: 0 }
  return {
    size: bytes.length,
    taken,
    async read(offset, length) {
      const part = bytes.subarray(offset, offset + length)
      taken.bytes += part.length
      return part
    },
  }
}

const slice = (source: LineSource, range: Partial<LineRange>): Promise<LineSlice> =>
  sliceLines(source, { offset: 1, limit: Infinity, maxBytes: 65_536, ...range }, () => {})

test('agrees with splitting the whole text', async () => {
  const lines = fc.array(fc.constantFrom('', 'a', 'bb', 'ü'), { maxLength: 8 })
  const number = fc.integer({ min: 1, max: 10 })
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.boolean(),
      number,
      number,
      fc.boolean(),
      async (texts, ends, offset, limit, back) => {
        const text = texts.join('\n') + (ends && texts.length > 0 ? '\n' : '')
        const all = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
        const bytes = Buffer.from(text)
        const found = await slice(sourceOf(bytes), { offset: back ? -offset : offset, limit })
        const expected = (back ? all.slice(-offset) : all.slice(offset - 1)).slice(0, limit)
        expect(bytes.subarray(found.start, found.end).toString()).toBe(expected.join(''))
        expect(found.lines).toBe(expected.length)
        if (found.total !== undefined) expect(found.total).toBe(all.length)
        if (found.first !== undefined && found.lines > 0) expect(all[found.first - 1]).toBe(expected[0])
        expect(countLines(bytes)).toBe(all.length)
      },
    ),
  )
})

const log = Buffer.from(Array.from({ length: 200_000 }, (_, n) => `line ${n + 1} of the log\n`).join(''))

test('the first and the last lines cost no more than themselves', async () => {
  for (const offset of [1, -20]) {
    const source = sourceOf(log)
    const { start, end, lines } = await slice(source, { offset, limit: 20 })
    expect(lines).toBe(20)
    expect(log.subarray(start, end).toString()).toContain(offset === 1 ? 'line 1 of' : 'line 200000 of')
    expect(source.taken.bytes).toBeLessThan(400_000)
  }
})

test('lines in the middle are found in one pass', async () => {
  const source = sourceOf(log)
  const { start, first } = await slice(source, { offset: 100_000, limit: 1 })
  expect(first).toBe(100_000)
  expect(log.toString('utf8', start, start + 18)).toBe('line 100000 of the')
  expect(source.taken.bytes).toBeLessThan(log.length)
})

test('no more than asked for is taken at once, at the end of a line', async () => {
  const found = await slice(sourceOf(log), { maxBytes: 1000 })
  expect(found.end).toBeLessThanOrEqual(1000)
  expect(log[found.end - 1]).toBe(0x0a)
  expect(found).not.toHaveProperty('total')
})

test('a line longer than that is cut, and said to be', async () => {
  const bytes = Buffer.from(`short\n${'x'.repeat(5000)}\nlast`)
  expect(await slice(sourceOf(bytes), { maxBytes: 1000 })).toMatchObject({ lines: 1, end: 6, isCut: false })
  expect(await slice(sourceOf(bytes), { maxBytes: 1000, offset: 2 })).toMatchObject({
    start: 6,
    end: 1006,
    first: 2,
    isCut: true,
  })
})

test('behind the end there are no lines, and it is known how many there are', async () => {
  expect(await slice(sourceOf(Buffer.from('a\nb')), { offset: 9 })).toMatchObject({ lines: 0, total: 2 })
  expect(await slice(sourceOf(Buffer.from('')), {})).toMatchObject({ lines: 0, total: 0 })
})

test('a caller who has gone is not read for', async () => {
  const gone = (): never => {
    throw new Error('gone')
  }
  await expect(sliceLines(sourceOf(log), { offset: 1000, limit: 1, maxBytes: 1000 }, gone)).rejects.toThrow(
    'gone',
  )
})
