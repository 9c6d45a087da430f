import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  writeFileSync,
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

const write = (file: string, env: NodeJS.ProcessEnv = {}): void =>
  writeReport(file, ({ stdout }) => stdout.write('said'), { ...processIo(), env })

describe('writeReport', () => {
  it('writes the output to the file', () => {
    write(join(folder, 'report'))
    expect(readFileSync(join(folder, 'report'), 'utf8')).toBe('said')
  })

  it.skipIf(process.platform === 'win32')('writes to a pipe without replacing it', () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const end = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      // Allowed in an agent too, since nothing is replaced.
      write(pipe, { CLAUDECODE: '1' })
      const read = Buffer.alloc(16)
      expect(read.toString('utf8', 0, readSync(end, read))).toBe('said')
    } finally {
      closeSync(end)
    }
    expect(lstatSync(pipe).isFIFO()).toBe(true)
  })

  it('refuses to write a file for an agent', () => {
    const file = join(folder, 'settings.json')
    writeFileSync(file, 'rules')
    const refused = expect.objectContaining({ code: 'OPERATOR_REQUIRED' }) as Error
    expect(() => write(file, { CLAUDECODE: '1' })).toThrow(refused)
    expect(() => write(join(folder, 'new'), { CLAUDECODE: '1' })).toThrow(refused)
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['rules', ['settings.json']])
    write(file)
    expect(readFileSync(file, 'utf8')).toBe('said')
  })

  it('reports an error if the path is a folder', () => {
    expect(() => write(folder)).toThrow(expect.objectContaining({ code: 'STORE_UNAVAILABLE' }))
  })
})
