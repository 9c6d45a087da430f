import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createDiskMeter } from './disk-use.ts'
import type { FolderSize } from './folder-size.ts'

const limit = { bytes: 1000, files: 100 }
let folder: string
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'contextd-disk-'))))
afterAll(() => rmSync(folder, { recursive: true }))

/** A simulated disk and clock. */
function setUp(folders: readonly string[] = [folder]) {
  const state = { now: 0, used: 50_000, files: 3000 as number | undefined, walks: 0, walkMs: 0 }
  let size: FolderSize = {
    all: { bytes: 20_000, files: 2000 },
    recent: { bytes: 0, files: 0 },
    complete: true,
  }
  const meter = createDiskMeter(folders, limit, {
    now: () => state.now,
    used: () => ({ bytes: state.used, files: state.files }),
    measure: async () => {
      state.walks++
      state.now += state.walkMs
      return size
    },
  })
  return {
    state,
    /** The command writes into the folder. */
    write(bytes: number) {
      state.used += bytes
      const { all, recent } = size
      size = {
        ...size,
        all: { ...all, bytes: all.bytes + bytes },
        recent: { ...recent, bytes: recent.bytes + Math.abs(bytes) },
      }
    },
    /** The command creates or deletes empty files. */
    make(files: number) {
      if (state.files !== undefined) state.files += files
      const { all, recent } = size
      size = {
        ...size,
        all: { ...all, files: all.files + files },
        recent: { ...recent, files: recent.files + Math.max(files, 0) },
      }
    },
    /** Other processes write or delete elsewhere on the same disk. */
    others(bytes: number) {
      state.used += bytes
    },
    othersMake(files: number) {
      state.files = (state.files ?? 0) + files
    },
    lockFolder() {
      size = { all: { bytes: 0, files: 0 }, recent: { bytes: 0, files: 0 }, complete: false }
    },
    grown: async () => (await meter.grown(0, new AbortController().signal)).bytes,
    grownFiles: async () => (await meter.grown(0, new AbortController().signal)).files,
  }
}

test('nothing is walked while the disk hardly fills up', async () => {
  const disk = setUp()
  for (let second = 0; second < 4; second++) {
    disk.state.now = second * 1000
    disk.write(200)
    await disk.grown()
  }
  expect(disk.state.walks).toBe(0)
})

test('finds what fills up the disk', async () => {
  const disk = setUp()
  disk.write(1500)
  expect(await disk.grown()).toBe(1500)
  expect(disk.state.walks).toBe(1)
})

test('writes of others are not counted, and only occasionally cost a walk', async () => {
  const disk = setUp()
  disk.write(100)
  disk.others(90_000)
  expect(await disk.grown()).toBe(100)
  disk.others(500)
  expect(await disk.grown()).toBe(100)
  expect(disk.state.walks).toBe(1)
  disk.others(90_000)
  expect(await disk.grown()).toBe(100)
  expect(disk.state.walks).toBe(2)
})

test('deletions of others cannot hide writes for long', async () => {
  const disk = setUp()
  disk.state.now = 5000
  await disk.grown()
  disk.write(1500)
  disk.others(-5000)
  disk.state.now = 6000
  expect(await disk.grown()).toBe(0)
  disk.state.now = 20_000
  expect(await disk.grown()).toBe(1500)
})

test('replacing files is not growth', async () => {
  const disk = setUp()
  disk.write(-15_000)
  disk.state.now = 5000
  expect(await disk.grown()).toBe(-15_000)
  disk.write(15_000)
  disk.state.now = 20_000
  expect(await disk.grown()).toBe(0)
  disk.write(1001)
  expect(await disk.grown()).toBe(1001)
})

test('a small change of a large old file is not growth', async () => {
  const disk = setUp()
  disk.write(9000)
  disk.others(-9000)
  disk.others(10)
  disk.state.now = 5000
  expect(await disk.grown()).toBe(10)
})

test("uses the disk's figures if the folder cannot be walked", async () => {
  const disk = setUp()
  disk.lockFolder()
  disk.others(1500)
  expect(await disk.grown()).toBe(1500)
  disk.others(-1000)
  disk.state.now = 20_000
  expect(await disk.grown()).toBe(500)
})

test('slow walks are rare', async () => {
  const disk = setUp()
  disk.state.walkMs = 10_000
  disk.others(2000)
  await disk.grown()
  disk.others(2000)
  disk.state.now += 40_000
  await disk.grown()
  expect(disk.state.walks).toBe(1)
  disk.state.now += 10_000
  await disk.grown()
  expect(disk.state.walks).toBe(2)
})

test('a nested or duplicate folder is counted once', async () => {
  const disk = setUp([folder, folder, join(folder, 'below')])
  disk.write(1500)
  expect(await disk.grown()).toBe(1500)
})

test('a missing folder has no usage', async () => {
  const disk = setUp([join(folder, 'none')])
  disk.others(5000)
  expect(await disk.grown()).toBe(0)
})

test('empty files are found by their number, without walks while they are few', async () => {
  const disk = setUp()
  disk.make(90)
  expect(await disk.grownFiles()).toBe(0)
  expect(disk.state.walks).toBe(0)
  disk.make(30)
  expect(await disk.grownFiles()).toBe(120)
  expect(disk.state.walks).toBe(1)
})

test('files created by others or replaced are not counted', async () => {
  const disk = setUp()
  disk.make(10)
  disk.othersMake(5000)
  expect(await disk.grownFiles()).toBe(10)
  disk.make(-500)
  disk.make(500)
  disk.state.now = 20_000
  expect(await disk.grownFiles()).toBe(10)
})

test("uses the disk's number of files if the folder cannot be walked", async () => {
  const disk = setUp()
  disk.lockFolder()
  disk.othersMake(150)
  expect(await disk.grownFiles()).toBe(150)
})

test('walks more often if the file system does not count files', async () => {
  const disk = setUp()
  disk.state.files = undefined
  disk.make(120)
  disk.state.now = 1000
  expect(await disk.grownFiles()).toBe(0)
  disk.state.now = 2000
  expect(await disk.grownFiles()).toBe(120)
  disk.make(30)
  disk.state.now = 4000
  expect(await disk.grownFiles()).toBe(150)
})
