import { existsSync } from 'node:fs'

import type { Json, JsonObject } from '@contextd/shared/json/value'
import { clientSocket, resolvePaths } from '../../platform/files/paths.ts'
import { askDaemon } from '../local/hook-socket.ts'

/** Asks the MCP server started by the client, then the daemon. Throws if neither answers. */
export async function askHook(request: JsonObject): Promise<Json> {
  const paths = resolvePaths()
  const client = Number(process.env.CLAUDE_PID ?? process.ppid)
  const asked = { method: 'hook', ...request }
  const own = clientSocket(paths, client)
  try {
    // Checking for the file is faster than a failed connection.
    if (existsSync(own)) return await askDaemon(own, asked)
  } catch {
    // The server has ended or is an older version.
  }
  return askDaemon(paths.hookSocket, asked)
}
