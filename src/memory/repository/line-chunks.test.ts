import { describe, expect, test } from 'vitest'

import { lineChunks } from './line-chunks.ts'
import { markdownChunks } from './markdown-chunks.ts'

const shown = (chunks: readonly { firstLine: number; lastLine: number; name: string }[]): string[] =>
  chunks.map(({ firstLine, lastLine, name }) => `${firstLine}-${lastLine} ${name}`.trim())

const method = (name: string, length: number): string[] => [
  `def ${name}():`,
  ...Array.from({ length: length - 2 }, (_, at) => `    step(${at})`),
  '',
]

describe('splitting by lines', () => {
  test('keeps a short file in one chunk, without surrounding blank lines', () => {
    expect(shown(lineChunks(['', 'a', '', 'b', '']))).toEqual(['2-4'])
    expect(lineChunks([])).toEqual([])
    expect(lineChunks(['', ' '])).toEqual([])
  })

  test('splits before unindented lines, and names chunks after their declarations', () => {
    const lines = [...method('load', 30), ...method('save', 30), ...method('drop', 30)]
    expect(shown(lineChunks(lines))).toEqual(['1-59 load, save', '61-89 drop'])
  })

  test('covers every line exactly once, whatever the text', () => {
    const lines = Array.from(
      { length: 500 },
      (_, at) => ' '.repeat((at * 7) % 13) + (at % 11 === 0 ? '' : `line ${at}`),
    )
    const covered = lineChunks(lines).flatMap(({ firstLine, lastLine }) =>
      Array.from({ length: lastLine - firstLine + 1 }, (_, at) => firstLine + at),
    )
    expect(new Set(covered).size).toBe(covered.length)
    const missing = lines.filter((line, at) => line.trim() !== '' && !covered.includes(at + 1))
    expect(missing).toEqual([])
  })

  test('makes short chunks of long lines, and a separate one of a very long line', () => {
    const chunks = lineChunks(Array.from({ length: 10 }, () => 'x'.repeat(1500)))
    expect(chunks.every(({ firstLine, lastLine }) => lastLine - firstLine < 2)).toBe(true)
    expect(shown(lineChunks(['x'.repeat(9000), 'y']))).toEqual(['1-1', '2-2'])
  })
})

describe('Markdown', () => {
  test('is split at its headings, each named with its parents', () => {
    const text =
      '# Guide\n\nHello.\n\n## Install ##\n\nRun it.\n\n### On *Linux*\n\napt\n\n## [Use](x.md)\n\nSo.'
    expect(shown(markdownChunks(text.split('\n')))).toEqual([
      '1-3 Guide',
      '5-7 Guide > Install',
      '9-11 Guide > Install > On Linux',
      '13-15 Guide > Use',
    ])
  })

  test('recognizes underlined headings, and ignores code that looks like one', () => {
    const text = 'Title\n=====\n\ntext\n\n```sh\n# no heading\n```\n\nPart\n----\n\n| a |\n|---|\n'
    expect(shown(markdownChunks(text.split('\n')))).toEqual(['1-8 Title', '10-14 Title > Part'])
  })

  test('includes text before the first heading, and splits long sections', () => {
    const long = Array.from({ length: 150 }, (_, at) => (at % 10 === 9 ? '' : `sentence ${at}`))
    const chunks = markdownChunks(['intro', '', '# Long', ...long])
    expect(chunks[0]).toEqual({ name: '', firstLine: 1, lastLine: 1 })
    expect(chunks.length).toBeGreaterThan(3)
    expect(chunks.slice(1).every(({ name }) => name === 'Long')).toBe(true)
  })
})
