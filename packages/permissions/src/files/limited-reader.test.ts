import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { readFrontmatter } from './frontmatter.ts'
import { limitedReader } from './limited-reader.ts'

let file: string

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-limited-'))
  file = join(folder, 'agent.md')
  writeFileSync(file, 'x'.repeat(10_000))
})
afterEach(() => rmSync(join(file, '..'), { recursive: true, force: true }))

function read(limit: number, times: number, head?: string): { kinds: string[]; problems: string[] } {
  const problems: string[] = []
  const reader = limitedReader(({ message }) => problems.push(message), limit)
  const kinds = Array.from({ length: times }, () => {
    const { kind } = reader.read(file)
    if (head !== undefined) reader.count(readFrontmatter(head))
    return kind
  })
  return { kinds, problems }
}

it('reads up to the limit, and reports once what exceeds it', () => {
  expect(read(50_000, 3)).toEqual({ kinds: ['bytes', 'bytes', 'bytes'], problems: [] })
  expect(read(40_000, 5)).toEqual({
    kinds: ['bytes', 'bytes', 'missing', 'missing', 'missing'],
    problems: ['Agents and skills exceed what contextd reads: this file and all after it were not checked.'],
  })
})

it('counts more for what has to be parsed', () => {
  const plain = `---\nname: ${'a'.repeat(500)}\n---\n`
  const commented = `---\nname: ${'a'.repeat(500)} # why\n---\n`
  expect(read(40_000, 2, plain).kinds).toEqual(['bytes', 'bytes'])
  expect(read(40_000, 2, commented).kinds).toEqual(['bytes', 'missing'])
})

it('also stops at too many empty files', () => {
  writeFileSync(file, '')
  expect(read(10_000, 3).kinds).toEqual(['bytes', 'bytes', 'missing'])
})
