import { existsSync } from 'node:fs'

import type { Json, JsonObject } from '@contextd/shared/json/value'
import { clientSocket, resolvePaths } from '../../platform/files/paths.ts'
import { askDaemon } from '../local/hook-socket.ts'

/** Asks the MCP server that the client runs, then the daemon. Throws where neither answers. */
export async function askHook(request: JsonObject): Promise<Json> {
  const paths = resolvePaths()
  const client = Number(process.env.CLAUDE_PID ?? process.ppid)
  const asked = { method: 'hook', ...request }
  const own = clientSocket(paths, client)
  try {
    // To be told that nobody is there takes longer than to look.
    if (existsSync(own)) return await askDaemon(own, asked)
  } catch {
    // It has ended, or is an older one.
  }
  return askDaemon(paths.hookSocket, asked)
}
