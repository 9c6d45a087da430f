import { expect, test } from 'vitest'

import { createOutputLog, type OutputLog } from './output-log.ts'

const logOf = (maxBytes = 1000, aroundBytes = 20): OutputLog => createOutputLog({ maxBytes, aroundBytes })
const write = (log: OutputLog, text: string, stream: 'stdout' | 'stderr' = 'stdout'): void =>
  log.append(stream, Buffer.from(text))

test('is read in whole lines, from any offset', () => {
  const log = logOf()
  write(log, 'one\ntwo\nthr')
  expect(log.read(0, 100)).toMatchObject({ from: 0, next: 8, end: 8, text: 'one\ntwo\n' })
  expect(log.read(8, 100)).toMatchObject({ from: 8, next: 8, text: '' })
  write(log, 'ee\n')
  expect(log.read(8, 100)).toMatchObject({ from: 8, next: 14, text: 'three\n' })
  // In the middle of a line, and beyond the end.
  expect(log.read(5, 100)).toMatchObject({ from: 4, text: 'two\nthree\n' })
  expect(log.read(999, 100)).toMatchObject({ from: 14, next: 14, text: '' })
})

test('a part ends with a line, and contains at least one', () => {
  const log = logOf()
  write(log, 'one\ntwo\na very long line\nend\n')
  expect(log.read(0, 9)).toMatchObject({ next: 8, end: 29, text: 'one\ntwo\n' })
  expect(log.read(8, 9)).toMatchObject({ next: 25, text: 'a very long line\n' })
  expect(log.read(25, 9)).toMatchObject({ next: 29, text: 'end\n' })
})

test('an unfinished line is shown when nothing follows, and the streams do not cut lines of each other', () => {
  const log = logOf()
  write(log, 'out')
  write(log, 'err\n', 'stderr')
  write(log, 'put')
  expect(log.read(0, 100).text).toBe('err\n')
  log.end()
  expect(log.read(0, 100).text).toBe('err\noutput')
})

test('a line that is too long to be held is not cut by the other stream', () => {
  const log = logOf(1 << 20)
  write(log, `${'a'.repeat(70_000)}-start`)
  write(log, 'err 1\nerr', 'stderr')
  write(log, '-end\nnext')
  write(log, ' 2\n', 'stderr')
  log.end()
  const { text } = log.read(0, 1 << 20)
  expect(text.replace(/^a+/, '')).toBe('-start-end\nerr 1\nerr 2\nnext')
})

test('the other stream waits only until it has too much', () => {
  const log = logOf(1 << 20)
  write(log, 'a'.repeat(70_000))
  write(log, `${'b'.repeat(70_000)}\n`, 'stderr')
  expect(log.read(0, 1 << 20).end).toBe(140_001)
})

test('the oldest output is dropped, and stays only to check what follows it', () => {
  const log = logOf(40, 20)
  for (let index = 100; index < 200; index++) write(log, `line ${index}\n`)
  const part = log.read(0, 1000)
  expect(part.next).toBe(900)
  expect(part.text).toMatch(/^line 19\d\n/)
  expect(part.text).toMatch(/line 199\n$/)
  expect(part.text.length).toBeLessThanOrEqual(40)
  expect(part.from).toBe(900 - part.text.length)
  expect(part.around.length).toBeGreaterThan(part.text.length)
})

test('a key of several lines is held back until it is complete', () => {
  const log = logOf(1000, 200)
  write(log, 'before\n-----BEGIN PRIVATE KEY-----\nAAAA\n')
  expect(log.read(0, 1000).text).toBe('before\n')
  write(log, '-----END PRIVATE KEY-----\n')
  expect(log.read(0, 1000).text).toMatch(/END PRIVATE KEY-----\n$/)
  // The twin: what is no key, or has no end.
  const other = logOf(1000, 200)
  write(other, `-----BEGIN\n${'x\n'.repeat(150)}`)
  expect(other.read(0, 1000).text).toMatch(/^-----BEGIN\n/)
})
