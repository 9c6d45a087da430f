import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { makeChanges } from './change.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-change-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('makes every change', () => {
  const [one, other] = [join(folder, 'one'), join(folder, 'skills', 'other')]
  writeFileSync(one, 'a')
  makeChanges([
    { path: one, from: 'a', to: undefined },
    { path: other, from: undefined, to: 'b' },
  ])
  expect([existsSync(one), readFileSync(other, 'utf8')]).toEqual([false, 'b'])
})

it('rolls back earlier changes if a later one fails', () => {
  const [one, fresh, file] = [join(folder, 'one'), join(folder, 'skills', 'fresh'), join(folder, 'file')]
  writeFileSync(one, 'a')
  writeFileSync(file, '')
  const failing = { path: join(file, 'below'), from: undefined, to: 'x' }
  const changes = [{ path: one, from: 'a', to: 'b' }, { path: fresh, from: undefined, to: 'c' }, failing]
  expect(() => makeChanges(changes, undefined, new Set(['skills']))).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining('below') as string }),
  )
  expect([readFileSync(one, 'utf8'), existsSync(join(folder, 'skills'))]).toEqual(['a', false])
})

it('names the files it could not roll back', () => {
  const [one, other, file] = [join(folder, 'one'), join(folder, 'other'), join(folder, 'file')]
  for (const path of [one, other, file]) writeFileSync(path, 'a')
  const changes = [
    { path: other, from: 'a', to: 'b' },
    // A folder replaces the file before the rollback.
    { path: one, from: 'a', to: undefined },
    { path: join(one, 'below'), from: undefined, to: 'b' },
    { path: join(file, 'below'), from: undefined, to: 'b' },
  ]
  expect(() => makeChanges(changes)).toThrow(/file\/below cannot be written, .* rolled back: \S+\/one$/)
  expect(readFileSync(other, 'utf8')).toBe('a')
})

it('changes nothing if a file was changed in the meantime', () => {
  const [one, other] = [join(folder, 'one'), join(folder, 'other')]
  writeFileSync(other, 'changed meanwhile')
  const changes = [
    { path: one, from: undefined, to: 'b' },
    { path: other, from: 'a', to: 'b' },
  ]
  expect(() => makeChanges(changes)).toThrow(/changed in the meantime; nothing was written/)
  expect(existsSync(one)).toBe(false)
})
