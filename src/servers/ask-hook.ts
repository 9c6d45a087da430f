import type { Json, JsonObject } from '../core/json.ts'
import { clientSocket, resolvePaths } from '../platform/paths.ts'
import { askDaemon } from './hook-socket.ts'

/** After this long whoever is asked counts as one that does not answer. */
const patienceMs = 15_000

/** Asks the MCP server that the client runs, then the daemon. Throws where neither answers. */
export async function askHook(request: JsonObject): Promise<Json> {
  const paths = resolvePaths()
  const client = Number(process.env.CLAUDE_PID ?? process.ppid)
  const asked = { method: 'hook', ...request }
  try {
    return await askDaemon(clientSocket(paths, client), asked, patienceMs)
  } catch {
    return askDaemon(paths.hookSocket, asked, patienceMs)
  }
}
