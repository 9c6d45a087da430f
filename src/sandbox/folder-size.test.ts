import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { measureFolders, type DiskAmount, type FolderSize, type MeasureOptions } from './folder-size.ts'

const megabyte = 1 << 20
let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'contextd-size-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function measure(
  options: Partial<MeasureOptions> = {},
  folders: readonly string[] = [folder],
): Promise<FolderSize> {
  const keepAlive = setInterval(() => {}, 1000)
  try {
    const size = await measureFolders(folders, {
      device: statSync(folder).dev,
      since: 0,
      holders: [],
      signal: new AbortController().signal,
      ...options,
    })
    return size!
  } finally {
    clearInterval(keepAlive)
  }
}

async function growthBy(change: () => void): Promise<number> {
  return (await changeBy(change)).bytes
}

async function changeBy(change: () => void): Promise<DiskAmount> {
  const { all } = await measure()
  change()
  const after = await measure()
  expect(after.complete).toBe(true)
  return { bytes: after.all.bytes - all.bytes, files: after.all.files - all.files }
}

const file = (name: string): string => join(folder, name)
const empty: FolderSize = { all: { bytes: 0, files: 0 }, recent: { bytes: 0, files: 0 }, complete: true }
const content = Buffer.alloc(megabyte, 'x')

test('counts files at every depth', async () => {
  const grown = await growthBy(() => {
    mkdirSync(file('a/b/c'), { recursive: true })
    for (const name of ['1', 'a/2', 'a/b/c/3']) writeFileSync(file(name), content)
  })
  expect(grown).toBeGreaterThanOrEqual(3 * megabyte)
  expect(grown).toBeLessThan(3.5 * megabyte)
})

test('counts empty files', async () => {
  const { bytes, files } = await changeBy(() => {
    for (let number = 0; number < 256; number++) writeFileSync(file(`empty-${number}`), '')
  })
  expect(bytes).toBeGreaterThanOrEqual(megabyte)
  expect(files).toBe(256)
})

test('measures disk usage rather than file length', async () => {
  const grown = await growthBy(() => {
    writeFileSync(file('hole'), '')
    truncateSync(file('hole'), 1024 * megabyte)
  })
  expect(grown).toBeLessThan(megabyte)
})

test('counts a hard link once', async () => {
  writeFileSync(file('one'), content)
  const { bytes, files } = await changeBy(() => linkSync(file('one'), file('two')))
  expect(bytes).toBeLessThan(megabyte)
  expect(files).toBe(0)
})

test('does not follow links', async () => {
  mkdirSync(file('inside'))
  mkdirSync(file('outside'))
  writeFileSync(file('outside/large'), content)
  const { all } = await measure({}, [file('inside')])
  symlinkSync(file('outside'), file('inside/folder'))
  symlinkSync(file('outside/large'), file('inside/file'))
  symlinkSync('..', file('inside/loop'))
  const after = await measure({}, [file('inside')])
  expect(after.all.bytes - all.bytes).toBeLessThan(megabyte / 2)
  expect(after.all.files - all.files).toBe(3)
})

test('handles names that are not valid UTF-8', async () => {
  const grown = await growthBy(() => {
    const name = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xc3, 0x28])])
    mkdirSync(name)
    writeFileSync(Buffer.concat([name, Buffer.from('/ü')]), content)
  })
  expect(grown).toBeGreaterThanOrEqual(megabyte)
})

test('measures a single file', async () => {
  writeFileSync(file('one'), content)
  const { all, complete } = await measure({}, [file('one')])
  expect(all.bytes).toBeGreaterThanOrEqual(megabyte)
  expect(all.files).toBe(1)
  expect(complete).toBe(true)
})

test('distinguishes recently changed files', async () => {
  writeFileSync(file('old'), content)
  const later = statSync(file('old')).ctimeMs + 1
  while (Date.now() < later + 20) await new Promise((resolve) => setTimeout(resolve, 5))
  writeFileSync(file('new'), content)
  const { all, recent } = await measure({ since: later })
  expect(all.bytes).toBeGreaterThanOrEqual(2 * megabyte)
  expect(recent.bytes).toBeGreaterThanOrEqual(megabyte)
  expect(recent.bytes).toBeLessThan(2 * megabyte)
  // The folder itself was changed, not created.
  expect(all.files).toBe(3)
  expect(recent.files).toBe(1)
})

test('skips other file systems', async () => {
  writeFileSync(file('one'), content)
  expect(await measure({ device: statSync('/proc').dev })).toEqual(empty)
})

test('a path too deep to be named is reported as incomplete', async () => {
  // Created from the inside out, because no path may be that long.
  const name = 'd'.repeat(250)
  const depths = Array.from({ length: 20 }, (_, index) => index + 1)
  mkdirSync(file('0'))
  for (const depth of depths) {
    mkdirSync(file(String(depth)))
    renameSync(file(String(depth - 1)), join(file(String(depth)), name))
  }
  expect((await measure()).complete).toBe(false)
  for (const depth of depths.toReversed()) {
    renameSync(join(file(String(depth)), name), file(String(depth - 1)))
  }
  expect((await measure()).complete).toBe(true)
})

// Root may read everything.
test.runIf(process.getuid?.() !== 0)('an unreadable folder is reported as incomplete', async () => {
  mkdirSync(file('closed'))
  expect((await measure()).complete).toBe(true)
  chmodSync(file('closed'), 0o300)
  expect((await measure()).complete).toBe(false)
  chmodSync(file('closed'), 0o700)
})

test('a missing folder uses nothing', async () => {
  expect(await measure({}, [file('none')])).toEqual(empty)
})

test('a folder with too many entries is reported as incomplete', async () => {
  for (let number = 0; number < 10; number++) writeFileSync(file(String(number)), '')
  expect((await measure({ maxEntries: 9 })).complete).toBe(false)
  expect((await measure({ maxEntries: 10 })).complete).toBe(true)
})

test('stops when aborted', async () => {
  writeFileSync(file('one'), '')
  const signal = AbortSignal.abort()
  expect(await measure({ signal })).toBeUndefined()
})
