import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { ContextdError } from '../../core/errors/errors.ts'
import { provideInstalled, type Install } from './install-driver.ts'
import { installedPackages, packageIn } from './sqlite.ts'

let root: string
let runs: number
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'contextd-driver-'))
  runs = 0
  mkdirSync(place('shipped'))
  writeFileSync(join(place('shipped'), 'package.json'), '{"dependencies":{}}')
  writeFileSync(join(place('shipped'), 'package-lock.json'), '{}')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const place = (name: string): string => join(root, name)
const folder = (): string => installedPackages(place('data'))
const lock = (): string => `${folder()}.lock`

/** Puts a package there that says which run it is from. */
const install: Install = async (into) => {
  runs += 1
  await new Promise((resolve) => setImmediate(resolve))
  mkdirSync(packageIn(into), { recursive: true })
  writeFileSync(join(packageIn(into), 'run'), String(runs))
}

const provide = (how: Install = install): Promise<void> =>
  provideInstalled({ shipped: place('shipped'), data: place('data'), state: place('state') }, how)

/** What a program of ours finds, by way of the state folder. */
const found = (): string => readFileSync(join(packageIn(installedPackages(place('state'))), 'run'), 'utf8')

describe('the package is installed', () => {
  test('once, and found in the state folder from then on', async () => {
    await provide()
    await provide()
    expect([runs, found()]).toEqual([1, '1'])
    expect(readdirSync(place('data'))).toEqual(['packages'])
    expect(readdirSync(place('state'))).toEqual(['packages'])
  })

  test.each(['package.json', 'package-lock.json'])('again when %s differs in one byte', async (file) => {
    await provide()
    writeFileSync(join(place('shipped'), file), '{"dependencies":{} }')
    await provide()
    expect([runs, found()]).toEqual([2, '2'])
    expect(readdirSync(place('data'))).toEqual(['packages'])
  })

  test('again when it was lost, its manifest alone remaining', async () => {
    await provide()
    rmSync(packageIn(folder()), { recursive: true })
    await provide()
    expect([runs, found()]).toEqual([2, '2'])
  })

  test.each([
    ['a link to nowhere', () => symlinkSync('/nowhere/at/all', lock())],
    ['a folder', () => mkdirSync(lock())],
    [
      'an old empty file',
      () => {
        writeFileSync(lock(), '')
        utimesSync(lock(), Date.now() / 1000 - 60, Date.now() / 1000 - 60)
      },
    ],
  ])('past a lock that is %s', async (_, put) => {
    mkdirSync(place('data'))
    put()
    await provide()
    expect([runs, found()]).toEqual([1, '1'])
  })

  test('again when the folder of the plugin moved', async () => {
    await provide()
    const moved = { shipped: place('shipped'), data: place('elsewhere'), state: place('state') }
    await provideInstalled(moved, install)
    expect(realpathSync(installedPackages(place('state')))).toBe(
      realpathSync(installedPackages(place('elsewhere'))),
    )
    expect(found()).toBe('2')
  })

  test('by one of many that start at the same time', async () => {
    await Promise.all(Array.from({ length: 8 }, () => provide()))
    expect([runs, found()]).toEqual([1, '1'])
    expect(existsSync(lock())).toBe(false)
  })
})

describe('an installation that fails', () => {
  const failing: Install = async (into) => {
    mkdirSync(packageIn(into), { recursive: true })
    throw new ContextdError('STORE_UNAVAILABLE', { cause: 'no registry' })
  }

  test('is told, leaves nothing behind, and the next one works', async () => {
    await expect(provide(failing)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(readdirSync(place('data'))).toEqual([])
    await provide()
    expect(found()).toBe('1')
  })

  test('leaves what was there', async () => {
    await provide()
    writeFileSync(join(place('shipped'), 'package.json'), '{"other":1}')
    await expect(provide(failing)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(found()).toBe('1')
  })

  test('is also one that brings no package', async () => {
    await expect(provide(async () => {})).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(existsSync(folder())).toBe(false)
  })
})

describe('a lock', () => {
  /** No process has it: larger than any number the kernel gives. */
  const nobody = 0x7ffffff0

  test('whose process is gone is thrown away, with what it had begun', async () => {
    mkdirSync(join(place('data'), 'packages-abandoned'), { recursive: true })
    writeFileSync(lock(), String(nobody))
    await provide()
    expect(found()).toBe('1')
    expect(readdirSync(place('data'))).toEqual(['packages'])
  })

  test('that is older than any installation is thrown away, whoever has its number now', async () => {
    mkdirSync(place('data'))
    writeFileSync(lock(), String(process.pid))
    utimesSync(lock(), 0, 0)
    await provide()
    expect(found()).toBe('1')
  })

  test.each([
    ['of a process that lives', String(process.pid)],
    ['that is just being made', ''],
  ])('%s is waited for', async (_, content) => {
    mkdirSync(place('data'))
    writeFileSync(lock(), content)
    let isDone = false
    const waiting = provide().then(() => (isDone = true))
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect([isDone, runs]).toEqual([false, 0])
    rmSync(lock())
    await waiting
    expect(found()).toBe('1')
  })
})
