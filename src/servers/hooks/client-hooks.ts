/**
 * The MCP server that a client runs answers that client's hooks too: it is there for as long as they are, and a hook that
 * has to start contextd by itself keeps the client waiting several times as long.
 */

import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import type { Runtime } from '../../compose.ts'
import { clientSocket } from '../../platform/files/paths.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { isAlive } from '@contextd/shared/process'

/** Answers how to stop. `client` is the client's process, under whose number its hooks look for us. */
export async function serveClientHooks(runtime: Runtime, client: number): Promise<() => void> {
  const [{ serveHookSocket }, { hookMethod }] = await Promise.all([
    import('../local/hook-socket.ts'),
    import('./hook-calls.ts'),
  ])
  const { run } = runtime.paths
  ensurePrivateFolder(run)
  removeDead(run)
  const server = await serveHookSocket(clientSocket(runtime.paths, client), { hook: hookMethod(runtime) })
  return () => server.close()
}

/** What servers left behind that were killed. */
function removeDead(run: string): void {
  for (const name of readdirSync(run)) {
    const pid = /^client-(\d+)\.sock$/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(run, name), { force: true })
  }
}
