import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

test('one holder at a time', async () => {
  const release = await takePidFile(path, silent)
  expect(readPid(path)).toBe(process.pid)
  await expect(takePidFile(path, serves)).rejects.toMatchObject({ code: 'DAEMON_ALREADY_RUNNING' })
  release()
  expect(existsSync(path)).toBe(false)
  const again = await takePidFile(path, serves)
  again()
})

test.each(['999999999\n', 'not a number', ''])(
  'a file left by a dead daemon (%j) is taken over',
  async (content) => {
    writeFileSync(path, content)
    await takePidFile(path, serves)
    expect(readPid(path)).toBe(process.pid)
  },
)

test('a number that belongs to another program by now is taken over', async () => {
  writeFileSync(path, `${process.ppid}\n`)
  await takePidFile(path, silent)
  expect(readPid(path)).toBe(process.pid)
})
