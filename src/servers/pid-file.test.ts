import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { readPid, takePidFile } from './pid-file.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'contextd-pid-'))))
afterEach(() => rmSync(folder, { recursive: true }))

test('one holder at a time', () => {
  const path = join(folder, 'pid')
  const release = takePidFile(path)
  expect(readPid(path)).toBe(process.pid)
  expect(() => takePidFile(path)).toThrow(expect.objectContaining({ code: 'DAEMON_ALREADY_RUNNING' }))
  release()
  expect(existsSync(path)).toBe(false)
  takePidFile(path)()
})

test.each(['999999999\n', 'not a number', ''])(
  'a file left by a dead daemon (%j) is taken over',
  (content) => {
    const path = join(folder, 'pid')
    writeFileSync(path, content)
    takePidFile(path)
    expect(readPid(path)).toBe(process.pid)
  },
)
