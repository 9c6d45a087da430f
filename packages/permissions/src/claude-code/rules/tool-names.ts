/** How Claude Code names the tools of MCP servers, and how to parse such a name. */

/** The model API rejects longer names; the client itself does not check. */
export const maxToolNameLength = 64

/** The client replaces every character not allowed in a tool name with `_`. */
export function rewrittenName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_')
}

/** The name of a server in hooks and agents: its own name, or `plugin:<plugin>:<server>`. */
export function fullServerName(server: string, plugin?: string): string {
  return plugin === undefined ? server : `plugin:${plugin}:${server}`
}

/** The prefix of a server's tool names, without the double underscore after it. */
export function claudeServerPrefix(server: string, plugin?: string): string {
  return `mcp__${rewrittenName(fullServerName(server, plugin))}`
}

export function fullToolName(prefix: string, tool: string): string {
  return `${prefix}__${rewrittenName(tool)}`
}

export interface ToolNameParts {
  /** `mcp__plugin_broker_ctx`. */
  readonly prefix: string
  /** `plugin_broker_ctx`. */
  readonly server: string
  /** Undefined if the name is that of a whole server. */
  readonly tool?: string
}

/** The server name ends at the first double underscore. Undefined if it is not an MCP name. */
export function parseToolName(name: string): ToolNameParts | undefined {
  const parts = /^mcp__(.+?)(?:__(.*))?$/s.exec(name)
  if (parts === null) return undefined
  const server = parts[1]!
  return { prefix: `mcp__${server}`, server, ...(parts[2] !== undefined && { tool: parts[2] }) }
}
