import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import { temporaryFolder } from './support/audit.ts'

const script = fileURLToPath(new URL('../scripts/system-packages.mjs', import.meta.url))
const isRoot = process.getuid?.() === 0
const install = 'apt-get update && apt-get install -y --no-install-recommends bubblewrap'

/** Runs the script with only `sh` and these programs, each of which records its calls. */
function runWith(...programs: string[]): { status: number | null; stderr: string; calls: string } {
  const folder = temporaryFolder()
  const record = join(folder, 'calls')
  symlinkSync('/bin/sh', join(folder, 'sh'))
  for (const name of programs) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho ${name} "$@" >>'${record}'\n`, { mode: 0o755 })
  }
  const options = { env: { PATH: folder }, encoding: 'utf8' } as const
  const { status, stderr } = spawnSync(process.execPath, [script], options)
  return { status, stderr, calls: existsSync(record) ? readFileSync(record, 'utf8') : '' }
}

describe.runIf(process.platform === 'linux')('npm start and npm test without bubblewrap', () => {
  test.skipIf(isRoot)('print the command to an ordinary user, and continue', () => {
    const { status, stderr, calls } = runWith('apt-get')
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining(`To install it: sudo sh -c '${install}'`),
    ])
    expect([status, calls]).toEqual([0, ''])
  })

  test.runIf(isRoot)('install it as root', () => {
    const { status, calls } = runWith('apt-get')
    expect(calls).toBe('apt-get update\napt-get install -y --no-install-recommends bubblewrap\n')
    expect(status).toBe(0)
  })

  test('name the package on systems with another package manager', () => {
    const { status, stderr } = runWith()
    expect(stderr).toContain('To install it: your system’s package `bubblewrap`')
    expect(status).toBe(0)
  })

  test('print nothing once it is installed', () => {
    expect(runWith('bwrap', 'apt-get')).toEqual({ status: 0, stderr: '', calls: '' })
  })
})
