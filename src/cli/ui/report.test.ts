import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { processIo } from './output.ts'
import { writeReport } from './report.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-report-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (file: string): void => writeReport(file, ({ stdout }) => stdout.write('said'), processIo())

describe('writeReport', () => {
  it('puts what was said into the file', () => {
    write(join(folder, 'report'))
    expect(readFileSync(join(folder, 'report'), 'utf8')).toBe('said')
  })

  it.skipIf(process.platform === 'win32')('sends it through a pipe, which stays one', () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const end = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      write(pipe)
      const read = Buffer.alloc(16)
      expect(read.toString('utf8', 0, readSync(end, read))).toBe('said')
    } finally {
      closeSync(end)
    }
    expect(lstatSync(pipe).isFIFO()).toBe(true)
  })

  it('says that it cannot write where a folder is', () => {
    expect(() => write(folder)).toThrow(expect.objectContaining({ code: 'STORE_UNAVAILABLE' }))
  })
})
