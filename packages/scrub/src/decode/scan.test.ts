import { expect, test } from 'vitest'

import { scanSource } from './scan.ts'
import { sourceOf } from './text/source.ts'

const scanOf = (text: string): ReturnType<typeof scanSource> => scanSource(sourceOf(text))

test('every long run is noted once, wherever it begins', () => {
  for (let before = 0; before < 12; before++) {
    for (const run of ['a'.repeat(16), 'aU+bcdefghijklmno', 'Ab3/'.repeat(500)]) {
      const { runs } = scanOf(`${' '.repeat(before)}${run} and more`)
      expect(runs).toHaveLength(1)
      expect(runs[0]).toBeGreaterThanOrEqual(before)
      expect(runs[0]).toBeLessThanOrEqual(before + run.length - 12)
    }
  }
})

test('every list of bytes is noted, wherever it begins', () => {
  const lists = [
    '67 68 70 5f 61 62 63 64',
    '67:68:70:5f:61:62:63:64',
    '103, 104, 112, 95, 97, 98',
    '0x67, 0x68, 0x70, 0x5f',
  ]
  for (let before = 0; before < 12; before++) {
    for (const list of lists) {
      const { lists: noted } = scanOf(`${'.'.repeat(before)}${list}. and more`)
      expect(noted.length).toBeGreaterThan(0)
    }
  }
})

test('ordinary text gives nothing to do', () => {
  const text = `import { a } from './b.ts'\n\nexport function sum(list: number[]): number {\n  return list.reduce((a, b) => a + b, 0)\n}\n`
  const { edits, runs, lists, dressed } = scanOf(text.repeat(20))
  expect([edits.starts, runs, lists, dressed]).toEqual([[], [], [], []])
})

test('indentation and hashes are no lists', () => {
  const { lists } = scanOf(`${' '.repeat(40)}return\n${'0123456789abcdef'.repeat(8)}\n`)
  expect(lists).toEqual([])
})

test('written line breaks alone tell nothing', () => {
  const { edits } = scanOf('print("one\\n")\nprint("two\\n")\n'.repeat(50))
  expect(edits.telling.some(Boolean)).toBe(false)
})
