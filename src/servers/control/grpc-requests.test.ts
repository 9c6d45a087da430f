import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { createHeldBytes } from '../limits/held-bytes.ts'
import { keptBytes, withoutEndlessTimeout } from './grpc-requests.ts'

test.each([
  ['grpc-timeout', '99999999H', null],
  ['grpc-timeout', '597H', null],
  ['grpc-timeout', '596H', '596H'],
  ['grpc-timeout', '99999999m', '99999999m'],
  ['grpc-timeout', '0n', '0n'],
  ['grpc-timeout', 'soon', 'soon'],
  ['connect-timeout-ms', '2147483648', null],
  ['connect-timeout-ms', '2147483647', '2147483647'],
])('%s: %s is passed on as %s', (name, value, expected) => {
  expect(withoutEndlessTimeout(new Headers({ [name]: value })).get(name)).toBe(expected)
})

test("counts a caller's data until its stream is closed", async () => {
  const bytes = createHeldBytes(10)
  const streamOf = (size: number): Readable => Readable.from([Buffer.alloc(size)], { objectMode: false })
  const read = async (caller: string, stream: Readable): Promise<number> => {
    let length = 0
    for await (const part of keptBytes(bytes.open(caller), stream as never)) length += part.length
    return length
  }
  const first = streamOf(100)
  const closed = new Promise((resolve) => first.once('close', resolve))
  const kept = keptBytes(bytes.open('a'), first as never)[Symbol.asyncIterator]()
  expect((await kept.next()).value).toHaveLength(100)
  await expect(read('a', streamOf(100))).rejects.toThrow('160 bytes')
  expect(await read('b', streamOf(100))).toBe(100)
  await kept.next()
  first.destroy()
  await closed
  expect(await read('a', streamOf(100))).toBe(100)
})
