import { expect, test } from 'vitest'

import { scanSource } from './scan.ts'
import { sourceOf } from './text/source.ts'

const scanOf = (text: string): ReturnType<typeof scanSource> => scanSource(sourceOf(text))

test('records every long run once, at any offset', () => {
  for (let before = 0; before < 12; before++) {
    for (const run of ['a'.repeat(16), 'aU+bcdefghijklmno', 'Ab3/'.repeat(500)]) {
      const { runs } = scanOf(`${' '.repeat(before)}${run} and more`)
      expect(runs).toHaveLength(1)
      expect(runs[0]).toBeGreaterThanOrEqual(before)
      expect(runs[0]).toBeLessThanOrEqual(before + run.length - 12)
    }
  }
})

test('records every list of bytes, at any offset', () => {
  const lists = [
    '67 68 70 5f 61 62 63 64',
    '67:68:70:5f:61:62:63:64',
    '103, 104, 112, 95, 97, 98',
    '0x67, 0x68, 0x70, 0x5f',
  ]
  for (let before = 0; before < 12; before++) {
    for (const list of lists) {
      const { lists: found } = scanOf(`${'.'.repeat(before)}${list}. and more`)
      expect(found.length).toBeGreaterThan(0)
    }
  }
})

test('records nothing in ordinary text', () => {
  const text = `import { a } from './b.ts'\n\nexport function sum(list: number[]): number {\n  return list.reduce((a, b) => a + b, 0)\n}\n`
  const { edits, runs, lists, wrappedNumbers } = scanOf(text.repeat(20))
  expect([edits.starts, runs, lists, wrappedNumbers]).toEqual([[], [], [], []])
})

test('does not record indentation or hashes as lists', () => {
  const { lists } = scanOf(`${' '.repeat(40)}return\n${'0123456789abcdef'.repeat(8)}\n`)
  expect(lists).toEqual([])
})

test('escaped line breaks alone are not significant', () => {
  const { edits } = scanOf('print("one\\n")\nprint("two\\n")\n'.repeat(50))
  expect(edits.significant.some(Boolean)).toBe(false)
})
