import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openBubblewrap } from '../../src/sandbox/bubblewrap.ts'

/** Whether the tests can sandbox commands on this machine, determined like contextd does. */
export const sandboxHere: boolean = await detectSandbox()

/** The notices that `ctxd` prints, without the one about a missing sandbox. */
export function withoutSandboxNotice<Notice extends { readonly problem: string }>(
  attention: readonly Notice[],
): Notice[] {
  return attention.filter(
    ({ problem }) => sandboxHere || !problem.startsWith('tools that run code are disabled'),
  )
}

async function detectSandbox(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-here-'))
  const sandbox = await openBubblewrap({ folder })
  try {
    const state = await sandbox.state()
    if (!state.available) {
      process.stderr.write(`Tests that need a sandbox are skipped: ${state.cause} (${state.fix})\n`)
    }
    return state.available
  } finally {
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
