import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { readPid, takePidFile } from './pid-file.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-pid-'))
  path = join(folder, 'pid')
})
afterEach(() => rmSync(folder, { recursive: true }))

const serves = async (): Promise<boolean> => true
const silent = async (): Promise<boolean> => false

test('has one holder at a time', async () => {
  const release = await takePidFile(path, silent)
  expect(readPid(path)).toBe(process.pid)
  await expect(takePidFile(path, serves)).rejects.toMatchObject({ code: 'DAEMON_ALREADY_RUNNING' })
  release()
  expect(existsSync(path)).toBe(false)
  const again = await takePidFile(path, serves)
  again()
  expect(readdirSync(folder)).toEqual([])
})

test.each(['999999999\n', 'not a number', ''])(
  'a file left by a dead daemon (%j) is taken over',
  async (content) => {
    writeFileSync(path, content)
    await takePidFile(path, serves)
    expect(readPid(path)).toBe(process.pid)
    expect(readdirSync(folder)).toEqual(['pid'])
  },
)

test('replaces a pid that another program has reused', async () => {
  writeFileSync(path, `${process.ppid}\n`)
  utimesSync(path, 1, 1)
  await takePidFile(path, silent)
  expect(readPid(path)).toBe(process.pid)
})

test('waits for a daemon that is starting, and reports it', async () => {
  await takePidFile(path, silent)
  let asked = 0
  const servesInTheEnd = async (): Promise<boolean> => (asked += 1) > 3
  await expect(takePidFile(path, servesInTheEnd, process.ppid)).rejects.toMatchObject({
    code: 'DAEMON_ALREADY_RUNNING',
    details: { pid: process.pid },
  })
  expect(readPid(path)).toBe(process.pid)
})

test('a daemon releases only its own pid file', async () => {
  const release = await takePidFile(path, silent)
  writeFileSync(path, `${process.ppid}\n`)
  release()
  expect(readPid(path)).toBe(process.ppid)
})
