import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { probeSandbox } from './probe.ts'

function fakeBwrap(script: string): { path: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-bwrap-'))
  const path = join(folder, 'bwrap')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return { path, remove: () => rmSync(folder, { recursive: true }) }
}

test.runIf(existsSync('/usr/bin/bwrap'))('the real bubblewrap confines a process', async () => {
  expect(await probeSandbox()).toMatchObject({
    available: true,
    version: expect.stringContaining('bubblewrap'),
  })
})

test('without bubblewrap it says what to install', async () => {
  expect(await probeSandbox(['/nonexistent/bwrap'])).toMatchObject({
    available: false,
    fix: expect.stringContaining('bubblewrap'),
  })
})

test('a program that cannot start anything is no sandbox', async () => {
  const broken = fakeBwrap('echo "no permission" >&2; exit 1')
  expect(await probeSandbox([broken.path])).toMatchObject({
    available: false,
    cause: expect.stringContaining('no permission'),
  })
  broken.remove()
})

test('a program that confines nothing is no sandbox', async () => {
  // Runs what stands behind `--`, unconfined but for the one write the probe tries, which lands in /dev/null.
  const leaky = fakeBwrap(
    'while [ "$1" != "--" ]; do shift; done; shift; [ "$3" = "echo inside" ] && echo inside || sh -c "$(echo "$3" | sed s,/contextd-probe,/dev/null,)"',
  )
  expect(await probeSandbox([leaky.path])).toMatchObject({
    available: false,
    cause: expect.stringContaining('could write'),
  })
  leaky.remove()
})
