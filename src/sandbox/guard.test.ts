import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { tempFolder } from '../../test/sandbox/scratch.ts'
import { guardAbsent } from './guard.ts'

let scratch: ReturnType<typeof tempFolder>
let workspace: string
beforeEach(() => {
  scratch = tempFolder()
  workspace = join(scratch.path, 'ws')
  mkdirSync(workspace)
})
afterEach(() => scratch.remove())

let stubborn = 0
const guard = (...paths: string[]) => {
  const guarded = paths.map((path) => join(workspace, path))
  return guardAbsent([workspace], guarded, () => stubborn++)
}

test('a file created at a guarded path is moved aside with all its content', () => {
  const guarding = guard('.mcp.json', '.claude')
  writeFileSync(join(workspace, '.mcp.json'), 'evil')
  mkdirSync(join(workspace, '.claude'))
  writeFileSync(join(workspace, 'fine'), '')
  const moved = guarding.end()
  expect(moved.map(({ path }) => path)).toEqual([join(workspace, '.mcp.json'), join(workspace, '.claude')])
  expect(readFileSync(moved[0]!.to, 'utf8')).toBe('evil')
  expect(existsSync(join(workspace, '.mcp.json'))).toBe(false)
  expect(existsSync(join(workspace, 'fine'))).toBe(true)
})

test('moving happens while the command runs, not only at its end', async () => {
  const guarding = guard('.mcp.json')
  const place = join(workspace, '.mcp.json')
  writeFileSync(place, 'evil')
  while (existsSync(place)) await new Promise((resolve) => setImmediate(resolve))
  expect(guarding.end()).toHaveLength(1)
})

test('existing paths stay, because they are mounted read-only', () => {
  writeFileSync(join(workspace, '.mcp.json'), 'mine')
  expect(guard('.mcp.json').end()).toEqual([])
  expect(readFileSync(join(workspace, '.mcp.json'), 'utf8')).toBe('mine')
})

test('a parent that is not a folder is moved aside, never followed', () => {
  const other = join(scratch.path, 'other')
  mkdirSync(join(other, 'hooks'), { recursive: true })
  const guarding = guard('.git/hooks')
  symlinkSync(other, join(workspace, '.git'))
  expect(guarding.end()).toMatchObject([{ path: join(workspace, '.git') }])
  expect(readdirSync(other)).toEqual(['hooks'])
})

test('a file in place of a parent folder is moved aside, because it could redirect', () => {
  const guarding = guard('.git/config')
  writeFileSync(join(workspace, '.git'), 'gitdir: elsewhere')
  expect(guarding.end()).toMatchObject([{ path: join(workspace, '.git') }])
})

test('a replaced link is restored', () => {
  const place = join(workspace, '.claude')
  symlinkSync('shared', place)
  const untouched = guard('.claude')
  expect(untouched.end()).toEqual([])
  const guarding = guard('.claude')
  rmSync(place)
  mkdirSync(place)
  expect(guarding.end()).toHaveLength(1)
  expect(readlinkSync(place)).toBe('shared')
})

test('a command that keeps recreating a path is stopped', async () => {
  stubborn = 0
  const guarding = guard('.mcp.json')
  const place = join(workspace, '.mcp.json')
  for (let round = 0; round < 21; round++) {
    expect(stubborn).toBe(0)
    writeFileSync(place, '')
    while (existsSync(place)) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(stubborn).toBeGreaterThan(0)
  guarding.end()
})
