import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { readSmallFile } from './small-file.ts'

it('does not block on a pipe in place of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-files-'))
  try {
    execFileSync('mkfifo', [join(folder, 'pipe')])
    expect(readSmallFile(join(folder, 'pipe'))).toEqual({ kind: 'unreadable', why: 'is not a regular file' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
