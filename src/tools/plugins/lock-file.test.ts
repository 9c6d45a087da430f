import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { temporaryFolder } from '../../../test/support/audit.ts'
import { changeLock, formatLock, lockFileOf, parseLock, readLock } from './lock-file.ts'

const tool = (source: string) => ({
  source,
  revision: 'v1',
  sha256: 'ab'.repeat(32),
  installed_at: '2026-11-15T10:00:00.000Z',
})

function project(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '.contextd'))
  return folder
}

describe('the lock file', () => {
  it('is the same text for the same tools, in whatever order they came', () => {
    const [one, other] = [
      new Map([
        ['a', tool('x')],
        ['b', tool('y')],
      ]),
      new Map([
        ['b', tool('y')],
        ['a', tool('x')],
      ]),
    ]
    expect(formatLock(one)).toBe(formatLock(other))
    expect(parseLock(Buffer.from(formatLock(one)))).toEqual(one)
  })

  it('gets one tool, loses one, and is gone with the last', () => {
    const folder = project()
    changeLock(folder, 'b', tool('y'))
    changeLock(folder, 'a', tool('x'))
    expect([...readLock(folder).lock.keys()]).toEqual(['a', 'b'])
    const before = readFileSync(lockFileOf(folder), 'utf8')
    changeLock(folder, 'c', undefined)
    expect(readFileSync(lockFileOf(folder), 'utf8')).toBe(before)
    changeLock(folder, 'a', undefined)
    changeLock(folder, 'b', undefined)
    expect(existsSync(lockFileOf(folder))).toBe(false)
  })

  it.each([
    ['{\n  "version": 1,\n  "tools": {,}\n}', '.contextd/tools.lock.json:3:13: '],
    ['{ "version": 2, "tools": {} }', '.contextd/tools.lock.json:1:14: version: '],
    ['{ "version": 1, "tools": {\n "Bad Name": {} } }', '.contextd/tools.lock.json:2:2: '],
    ['{ "version": 1, "tools": {\n "a": { "source": "x" } } }', '.contextd/tools.lock.json:2:7: tools.a'],
    ['{ "version": 1, "tools": {}, "tools": {} }', '.contextd/tools.lock.json:1:30: '],
    ['', '.contextd/tools.lock.json:1:1: '],
  ])('that is broken is an error with its place, and stays as it is: %j', (text, place) => {
    const folder = project()
    writeFileSync(lockFileOf(folder), text)
    let said = ''
    try {
      changeLock(folder, 'a', tool('x'))
    } catch (error) {
      said = (error as Error).message
      expect(error).toMatchObject({ code: 'TOOLS_LOCK_INVALID' })
    }
    expect(said.slice(0, place.length)).toBe(place)
    expect(readFileSync(lockFileOf(folder), 'utf8')).toBe(text)
  })

  it('that is a link is replaced, and what it leads to is left alone', () => {
    const folder = project()
    const elsewhere = join(folder, 'elsewhere')
    writeFileSync(elsewhere, formatLock(new Map([['b', tool('y')]])))
    symlinkSync(elsewhere, lockFileOf(folder))
    const before = readFileSync(elsewhere, 'utf8')
    changeLock(folder, 'a', tool('x'))
    expect(readFileSync(elsewhere, 'utf8')).toBe(before)
    expect([...readLock(folder).lock.keys()]).toEqual(['a', 'b'])
  })
})
