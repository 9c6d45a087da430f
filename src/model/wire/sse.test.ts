import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { ResponseTooLarge } from './response-too-large.ts'
import { createSseReader, withData, type SseEvent } from './sse.ts'

function readAll(chunks: readonly Buffer[], maxBytes?: number): SseEvent[] {
  const reader = createSseReader(maxBytes)
  return [...chunks.flatMap((chunk) => reader.read(chunk)), ...reader.end()]
}

const dataOf = (events: readonly SseEvent[]) =>
  events.flatMap(({ data }) => (data === undefined ? [] : [data]))

const rawOf = (events: readonly SseEvent[]): Buffer => Buffer.concat(events.map(({ raw }) => raw))

describe('events', () => {
  test.each([
    ['line feeds', 'event: a\ndata: 1\n\ndata: 2\n\n'],
    ['carriage returns and line feeds', 'event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n'],
    ['carriage returns', 'event: a\rdata: 1\r\rdata: 2\r\r'],
    ['all of them', 'event: a\rdata: 1\r\n\ndata: 2\n\r\n'],
    ['no empty line at the end', 'event: a\ndata: 1\n\ndata: 2'],
    ['no blank behind the colon', 'event:a\ndata:1\n\ndata:2\n\n'],
    ['a byte order mark', '\ufeffevent: a\ndata: 1\n\ndata: 2\n\n'],
    [
      'comments, other fields and empty lines',
      '\n\n: hi\n\nevent: a\nid: 7\ndata: 1\n\nretry: 5\n\n\ndata: 2\n\n',
    ],
  ])('with %s, cut at every byte', (_, text) => {
    const bytes = Buffer.from(text)
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const events = readAll([bytes.subarray(0, cut), bytes.subarray(cut)])
      expect(dataOf(events)).toEqual(['1', '2'])
      expect(rawOf(events)).toEqual(bytes)
    }
  })

  test('are returned as soon as their last byte arrives', () => {
    for (const end of ['\n\n', '\r\r', '\r\n\r']) {
      const reader = createSseReader()
      expect(reader.read(Buffer.from(`data: 1${end}`.slice(0, -1)))).toEqual([])
      expect(dataOf(reader.read(Buffer.from(end.slice(-1))))).toEqual(['1'])
    }
  })

  test('may have several data lines', () => {
    expect(dataOf(readAll([Buffer.from('data: 1\ndata\ndata:  2\n\n')]))).toEqual(['1\n\n 2'])
  })

  test('are the same for any chunks, even inside multi-byte characters', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme' }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
      fc.constantFrom('event: ünï', ': 💥', 'id: 1', '', ''),
    )
    const ended = fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(ended), fc.array(fc.nat(200)), (lines, cuts) => {
        const bytes = Buffer.from(lines.join(''))
        const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
        const chunks = places.slice(1).map((place, index) => bytes.subarray(places[index], place))
        const events = readAll(chunks)
        expect(rawOf(events)).toEqual(bytes)
        expect(dataOf(events)).toEqual(dataOf(readAll([bytes])))
      }),
    )
  })
})

test('an oversized event is an error, even in pieces; one within the limit passes', () => {
  const large = Buffer.from(`data: ${'x'.repeat(100)}\n\n`)
  expect(() => readAll([large], 50)).toThrow(ResponseTooLarge)
  expect(() =>
    readAll(
      Array.from(large, (byte) => Buffer.from([byte])),
      50,
    ),
  ).toThrow(ResponseTooLarge)
  expect(rawOf(readAll([large, large], large.length))).toEqual(Buffer.concat([large, large]))
})

describe('replaced data', () => {
  const changed = (text: string, data: string): string =>
    withData(readAll([Buffer.from(text)])[0]!, data).toString()

  test('replaces the data lines', () => {
    expect(changed('event: a\ndata: 1\ndata: 2\nid: 3\n\n', '{}')).toBe('event: a\ndata: {}\nid: 3\n\n')
    expect(changed('event: a\r\ndata: 1\r\n\r\n', '{}')).toBe('event: a\r\ndata: {}\r\n\r\n')
    expect(changed('data:1', '{}')).toBe('data: {}\n\n')
  })

  test('with several lines is read back unchanged', () => {
    expect(dataOf(readAll([Buffer.from(changed('data: 1\n\n', 'a\n\nb'))]))).toEqual(['a\n\nb'])
  })
})
