import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createDiskMeter } from './disk-use.ts'
import type { FolderSize } from './folder-size.ts'

const limit = 1000
let folder: string
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'contextd-disk-'))))
afterAll(() => rmSync(folder, { recursive: true }))

/** A disk and a clock to play with. */
function setUp(folders: readonly string[] = [folder]) {
  const state = { now: 0, used: 50_000, walks: 0, walkMs: 0 }
  let size: FolderSize = { bytes: 20_000, changedBytes: 0, complete: true }
  const meter = createDiskMeter(folders, limit, {
    now: () => state.now,
    used: () => state.used,
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
      size = { ...size, bytes: size.bytes + bytes, changedBytes: size.changedBytes + Math.abs(bytes) }
    },
    /** Others write, or delete, elsewhere on the same disk. */
    others(bytes: number) {
      state.used += bytes
    },
    lockFolder() {
      size = { bytes: 0, changedBytes: 0, complete: false }
    },
    grown: () => meter.grown(0, new AbortController().signal),
  }
}

test('while the disk hardly fills up, nothing is walked through', async () => {
  const disk = setUp()
  for (let second = 0; second < 4; second++) {
    disk.state.now = second * 1000
    disk.write(200)
    await disk.grown()
  }
  expect(disk.state.walks).toBe(0)
})

test('what fills up the disk is found', async () => {
  const disk = setUp()
  disk.write(1500)
  expect(await disk.grown()).toBe(1500)
  expect(disk.state.walks).toBe(1)
})

test('others who fill up the disk do not count, and cost a walk only now and then', async () => {
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

test('others who delete cannot hide for long what is written', async () => {
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

test('replacing what is there is no growth', async () => {
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

test('a large old file that was changed a little is no growth', async () => {
  const disk = setUp()
  disk.write(9000)
  disk.others(-9000)
  disk.others(10)
  disk.state.now = 5000
  expect(await disk.grown()).toBe(10)
})

test('where the folder cannot be walked through, the disk decides', async () => {
  const disk = setUp()
  disk.lockFolder()
  disk.others(1500)
  expect(await disk.grown()).toBe(1500)
  disk.others(-1000)
  disk.state.now = 20_000
  expect(await disk.grown()).toBe(500)
})

test('walks that take long are rare', async () => {
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

test('a folder in another one, or named twice, counts once', async () => {
  const disk = setUp([folder, folder, join(folder, 'below')])
  disk.write(1500)
  expect(await disk.grown()).toBe(1500)
})

test('a folder that is not there counts nothing', async () => {
  const disk = setUp([join(folder, 'none')])
  disk.others(5000)
  expect(await disk.grown()).toBe(0)
})
