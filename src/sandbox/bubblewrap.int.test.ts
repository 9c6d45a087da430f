import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, describe, expect, test } from 'vitest'

import { sandboxHere } from '../../test/support/sandbox-here.ts'
import { confinedTo } from '../../test/sandbox/confined-to.ts'
import { sandboxContract } from '../../test/sandbox/contract.ts'
import { tempFolder } from '../../test/sandbox/scratch.ts'
import { openBubblewrap } from './bubblewrap.ts'
import { createUnconfined } from './unconfined.ts'

describe.runIf(sandboxHere)('bubblewrap', () => {
  sandboxContract('bubblewrap', (folder) => openBubblewrap({ folder }))
})
sandboxContract('mode "off"', (folder) => createUnconfined({ folder }))

const scratch = tempFolder()
afterAll(() => scratch.remove())

function fakeBwrap(name: string, script: string): string {
  const path = join(scratch.path, name)
  writeFileSync(path, `#!/bin/bash\nif [ "$1" = --version ]; then echo fake; exit; fi\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

async function stateWith(...places: string[]) {
  const sandbox = await openBubblewrap({ folder: join(scratch.path, 'state'), places })
  try {
    const workspace = join(scratch.path, 'ws')
    mkdirSync(workspace, { recursive: true })
    const run = sandbox.run({ run: 'true', cwd: workspace, env: {} }, confinedTo(workspace))
    await expect(run).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' })
    return await sandbox.state()
  } finally {
    await sandbox.close()
  }
}

test.runIf(sandboxHere)('output that is passed on is read at a limited rate, and completely', async () => {
  const workspace = join(scratch.path, 'output')
  mkdirSync(workspace, { recursive: true })
  const sandbox = await openBubblewrap({ folder: join(scratch.path, 'state') })
  try {
    let bytes = 0
    const began = performance.now()
    const command = { run: 'head -c 3M /dev/zero; head -c 1M /dev/zero >&2', cwd: workspace, env: {} }
    const ended = await sandbox.run(command, confinedTo(workspace), {
      onOutput: (_, chunk) => void (bytes += chunk.length),
    })
    expect(ended.exitCode).toBe(0)
    expect(bytes).toBe(4 << 20)
    // At most 512 KiB and two chunks per 100 ms; a slower machine only takes longer.
    expect(performance.now() - began).toBeGreaterThan(500)
  } finally {
    await sandbox.close()
  }
})

test('without bubblewrap, nothing runs, and the error says what to install', async () => {
  expect(await stateWith('/nonexistent/bwrap')).toMatchObject({
    available: false,
    cause: 'bubblewrap is not installed',
    fix: expect.stringContaining('apt-get install bubblewrap'),
  })
})

test.runIf(sandboxHere)(
  'a bubblewrap that fails is not used as a sandbox, and its error is reported',
  async () => {
    const broken = fakeBwrap(
      'broken',
      'cat <&5 >/dev/null; echo "no permission to make namespaces" >&2; exit 1',
    )
    expect(await stateWith(broken)).toMatchObject({
      available: false,
      cause: expect.stringContaining('no permission to make namespaces'),
      fix: expect.stringContaining('user namespaces'),
    })
  },
)

test.runIf(sandboxHere)('a bubblewrap that confines nothing is not used as a sandbox', async () => {
  // Runs everything after `--` directly; the probe's writes fail or add nothing.
  const leaky = fakeBwrap(
    'leaky',
    'cat <&5 >/dev/null; while [ "$1" != -- ]; do shift; done; shift; exec 5<&- 6<&-; exec "$@"',
  )
  expect(await stateWith(leaky)).toMatchObject({
    available: false,
    cause: expect.stringMatching(/is not secure: .*no seccomp filter/),
  })
})
