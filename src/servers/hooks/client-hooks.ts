/**
 * A client's MCP server also answers that client's hooks: it runs as long as they do, and a hook that starts
 * contextd itself takes several times as long.
 */

import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import type { Runtime } from '../../compose.ts'
import { clientSocket } from '../../platform/files/paths.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { isAlive } from '@contextd/shared/process'

/** Returns a function that stops it. `client` is the client's process id, by which its hooks find us. */
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

/** Removes the sockets of servers that were killed. */
function removeDead(run: string): void {
  for (const name of readdirSync(run)) {
    const pid = /^client-(\d+)\.sock$/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(run, name), { force: true })
  }
}
