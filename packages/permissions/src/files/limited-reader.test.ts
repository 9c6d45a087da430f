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

function read(limit: number, times: number, head?: string): { kinds: string[]; told: string[] } {
  const told: string[] = []
  const reader = limitedReader(({ message }) => told.push(message), limit)
  const kinds = Array.from({ length: times }, () => {
    const { kind } = reader.read(file)
    if (head !== undefined) reader.count(readFrontmatter(head))
    return kind
  })
  return { kinds, told }
}

it('reads what fits, and tells once what does not', () => {
  expect(read(50_000, 3)).toEqual({ kinds: ['bytes', 'bytes', 'bytes'], told: [] })
  expect(read(40_000, 5)).toEqual({
    kinds: ['bytes', 'bytes', 'missing', 'missing', 'missing'],
    told: ['Agents and skills are more than contextd reads: this file and all after it were not looked at.'],
  })
})

it('counts more for what a parser has to read', () => {
  const plain = `---\nname: ${'a'.repeat(500)}\n---\n`
  const commented = `---\nname: ${'a'.repeat(500)} # why\n---\n`
  expect(read(40_000, 2, plain).kinds).toEqual(['bytes', 'bytes'])
  expect(read(40_000, 2, commented).kinds).toEqual(['bytes', 'missing'])
})

it('ends with empty files too, when there are too many', () => {
  writeFileSync(file, '')
  expect(read(10_000, 3).kinds).toEqual(['bytes', 'bytes', 'missing'])
})
