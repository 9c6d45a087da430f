import type { ClaudeSetup, McpServer } from '../claude-code/setup/setup.ts'

/** Names of tools, by `serverKey` of their server. */
export type QueriedTools = ReadonlyMap<string, readonly string[]>

/** Agents may each define their own server with the same name. */
export function serverKey({ fullName, file, line, column }: McpServer): string {
  return JSON.stringify([fullName, file, line, column])
}

export function withTools(setup: ClaudeSetup, queried: QueriedTools): ClaudeSetup {
  const servers = setup.servers.map((server) => {
    const tools = queried.get(serverKey(server))
    return tools === undefined || server.off !== undefined ? server : { ...server, tools }
  })
  return { ...setup, servers }
}
