import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { createFileReader } from './written-file.ts'

test('a pipe is neither opened nor waited for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-written-'))
  try {
    execFileSync('mkfifo', [join(folder, 'pipe')])
    symlinkSync('pipe', join(folder, 'link'))
    expect(await createFileReader(folder)('pipe')).toBeUndefined()
    expect(await createFileReader(folder)('link')).toBeUndefined()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
