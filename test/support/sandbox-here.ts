import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openBubblewrap } from '../../src/sandbox/bubblewrap.ts'

/** Whether commands can be confined on this machine by whoever runs the tests, found out as contextd does. */
export const sandboxHere: boolean = await findOut()

/** What `ctxd` asks the user to look at, without the notice that every test sees on a machine without a sandbox. */
export function withoutSandboxNotice<Notice extends { readonly problem: string }>(
  attention: readonly Notice[],
): Notice[] {
  return attention.filter(
    ({ problem }) => sandboxHere || !problem.startsWith('tools that run code are disabled'),
  )
}

async function findOut(): Promise<boolean> {
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
