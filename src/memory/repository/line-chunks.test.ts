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

describe('by lines', () => {
  test('a short file is one chunk, without the blank lines around it', () => {
    expect(shown(lineChunks(['', 'a', '', 'b', '']))).toEqual(['2-4'])
    expect(lineChunks([])).toEqual([])
    expect(lineChunks(['', ' '])).toEqual([])
  })

  test('cuts before what begins far left, and calls chunks after what they declare', () => {
    const lines = [...method('load', 30), ...method('save', 30), ...method('drop', 30)]
    expect(shown(lineChunks(lines))).toEqual(['1-59 load, save', '61-89 drop'])
  })

  test('nothing is lost and nothing twice, whatever the text', () => {
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

  test('long lines make short chunks, and a very long one stands alone', () => {
    const chunks = lineChunks(Array.from({ length: 10 }, () => 'x'.repeat(1500)))
    expect(chunks.every(({ firstLine, lastLine }) => lastLine - firstLine < 2)).toBe(true)
    expect(shown(lineChunks(['x'.repeat(9000), 'y']))).toEqual(['1-1', '2-2'])
  })
})

describe('Markdown', () => {
  test('is cut at its headings, each named with those above it', () => {
    const text =
      '# Guide\n\nHello.\n\n## Install ##\n\nRun it.\n\n### On *Linux*\n\napt\n\n## [Use](x.md)\n\nSo.'
    expect(shown(markdownChunks(text.split('\n')))).toEqual([
      '1-3 Guide',
      '5-7 Guide > Install',
      '9-11 Guide > Install > On Linux',
      '13-15 Guide > Use',
    ])
  })

  test('knows underlined headings, and code that only looks like one', () => {
    const text = 'Title\n=====\n\ntext\n\n```sh\n# no heading\n```\n\nPart\n----\n\n| a |\n|---|\n'
    expect(shown(markdownChunks(text.split('\n')))).toEqual(['1-8 Title', '10-14 Title > Part'])
  })

  test('what stands before the first heading is found, and a long section is cut', () => {
    const long = Array.from({ length: 150 }, (_, at) => (at % 10 === 9 ? '' : `sentence ${at}`))
    const chunks = markdownChunks(['intro', '', '# Long', ...long])
    expect(chunks[0]).toEqual({ name: '', firstLine: 1, lastLine: 1 })
    expect(chunks.length).toBeGreaterThan(3)
    expect(chunks.slice(1).every(({ name }) => name === 'Long')).toBe(true)
  })
})
