import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { readMessages } from './message-reader.ts'

function readAll(chunks: readonly (string | Buffer)[], maxBytes = 1000) {
  const messages: unknown[] = []
  const onUnreadable: [unknown, string][] = []
  const over: string[] = []
  const read = readMessages(maxBytes, {
    message: (value) => messages.push(value),
    onUnreadable: (id, why) => onUnreadable.push([id, why]),
    onInvalidStream: (why) => over.push(why),
  })
  for (const chunk of chunks) read(Buffer.from(chunk as string))
  return { messages, onUnreadable, over }
}

test('messages do not depend on chunk boundaries', () => {
  const value = fc.array(fc.record({ id: fc.integer(), text: fc.string({ unit: 'grapheme' }) }), {
    maxLength: 5,
  })
  fc.assert(
    fc.property(value, fc.array(fc.nat(400), { maxLength: 6 }), (values, cuts) => {
      const all = Buffer.from(values.map((each) => `${JSON.stringify(each)}\n`).join(''))
      const at = [0, ...cuts.sort((a, b) => a - b), all.length].map((cut) => Math.min(cut, all.length))
      const chunks = at.slice(1).map((end, index) => all.subarray(at[index], end))
      expect(readAll(chunks)).toEqual({ messages: values, onUnreadable: [], over: [] })
    }),
  )
})

test('splits batches and ignores empty lines', () => {
  expect(readAll(['[{"a":1},{"a":2}]\r\n', '\n \n', '{"a":3}\n']).messages).toEqual([
    { a: 1 },
    { a: 2 },
    { a: 3 },
  ])
})

test('accepts a line up to the byte limit', () => {
  const line = (length: number): string => `{"x":"${'x'.repeat(length - 8)}"}`
  expect(readAll([`${line(100)}\n`], 100)).toMatchObject({ messages: [{}], over: [] })
  const tooLong = { messages: [], over: ['it sent a message of more than 100 bytes'] }
  expect(readAll([`${line(101)}\n`], 100)).toMatchObject(tooLong)
  // Detected before the line ends.
  expect(readAll(['x'.repeat(60), 'x'.repeat(60)], 100)).toMatchObject(tooLong)
  expect(readAll([`${'x'.repeat(60)}\n`, 'x'.repeat(60)], 100)).toMatchObject({ over: [] })
})

test('reads nothing after the stream was declared invalid', () => {
  const { messages, over } = readAll([`{"a":1}\n${'x'.repeat(200)}\n{"a":2}\n`, '{"a":3}\n'], 100)
  expect([messages, over.length]).toEqual([[{ a: 1 }], 1])
})

test('skips invalid lines, but not a thousand in a row', () => {
  const nonsense = (count: number): string => 'Listening on stdio …\n'.repeat(count)
  const fine = readAll([nonsense(999), '{"a":1}\n', nonsense(999), '{"a":2}\n'])
  expect(fine).toMatchObject({ messages: [{ a: 1 }, { a: 2 }], over: [] })
  expect(readAll([nonsense(1000), '{"a":1}\n'])).toMatchObject({
    messages: [],
    over: ['it sent 1000 lines that are not messages'],
  })
  expect(readAll(['1\n"text"\ntrue\n'])).toMatchObject({ messages: [], over: [] })
})

test('reports unreadable messages with their id', () => {
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`
  const { onUnreadable } = readAll([
    `{"jsonrpc":"2.0","id":7,"result":${deep}}\n`,
    Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":8,"result":"'),
      Buffer.from([0xff]),
      Buffer.from('"}\n'),
    ]),
    '{"jsonrpc":"2.0","id":9,"result":\n',
    `{"params":{"id":10},"result":${deep}}\n`,
  ])
  expect(onUnreadable).toEqual([
    [7, 'it nests deeper than 100 levels'],
    [8, 'it is not UTF-8'],
    [9, 'it is not JSON'],
  ])
})
