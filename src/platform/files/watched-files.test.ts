import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { watchFiles } from './watched-files.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'watched-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string): string => join(folder, name)

it("reads the user's first existing file, and stops at an unreadable one", () => {
  const files = watchFiles('user', [at('a'), at('b')], () => false)
  expect(files.read()).toEqual({ kind: 'none' })
  writeFileSync(at('b'), 'text')
  expect(files.read()).toEqual({ kind: 'found', path: at('b'), bytes: Buffer.from('text') })
  mkdirSync(at('a'))
  expect(files.read()).toEqual({ kind: 'unreadable', path: at('a'), why: 'is not a regular file' })
  expect(files.untrusted()).toEqual([])
})

it('skips untrusted project files', () => {
  const files = watchFiles('project', [at('a'), at('b'), at('c')], (_, bytes) => String(bytes) === 'good')
  mkdirSync(at('a'))
  writeFileSync(at('b'), 'evil')
  expect(files.read()).toEqual({ kind: 'none' })
  writeFileSync(at('c'), 'good')
  expect(files.read()).toMatchObject({ kind: 'found', path: at('c') })
  expect(files.untrusted()).toEqual([at('a'), at('b')])
})

it('reports a change once it has settled, until the file is read', () => {
  const files = watchFiles('user', [at('a')], () => false)
  files.read()
  expect([files.hasChanged(), files.hasChanged()]).toEqual([false, false])
  writeFileSync(at('a'), '1')
  expect([files.hasChanged(), files.hasChanged(), files.hasChanged()]).toEqual([false, true, true])
  files.read()
  expect(files.hasChanged()).toBe(false)
})

it('reports a file that becomes trusted, unless that cannot be determined', () => {
  let isTrusted = (): boolean => false
  writeFileSync(at('a'), '1')
  const files = watchFiles('project', [at('a')], () => isTrusted())
  files.read()
  expect([files.hasChanged(), files.hasChanged()]).toEqual([false, false])
  isTrusted = () => true
  expect(files.hasChanged()).toBe(true)
  isTrusted = () => {
    throw new Error('no store')
  }
  expect(files.hasChanged()).toBe(false)
})
