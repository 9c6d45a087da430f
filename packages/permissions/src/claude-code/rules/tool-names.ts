/** How Claude Code names the tools of MCP servers, and what a name tells. */

/** Longer names were refused by the model's side; the client itself does not check. */
export const maxToolNameLength = 64

/** The client writes `_` for every character that a tool's name must not have. */
export function rewrittenName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_')
}

/** How hooks and agents call a server: its own name, or `plugin:<plugin>:<server>`. */
export function fullServerName(server: string, plugin?: string): string {
  return plugin === undefined ? server : `plugin:${plugin}:${server}`
}

/** What the names of a server's tools begin with, up to the double underscore. */
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
  /** Undefined where the name is that of a whole server. */
  readonly tool?: string
}

/** The server ends at the first double underscore; undefined for what is no name of an MCP server or tool. */
export function parseToolName(name: string): ToolNameParts | undefined {
  const parts = /^mcp__(.+?)(?:__(.*))?$/s.exec(name)
  if (parts === null) return undefined
  const server = parts[1]!
  return { prefix: `mcp__${server}`, server, ...(parts[2] !== undefined && { tool: parts[2] }) }
}
