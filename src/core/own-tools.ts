/** The names of contextd's own tools as clients see them. */

/** Claude Code, for the server that `ctxd init` adds and for the plugin's server. */
export const settingsPrefix = 'mcp__contextd__'
export const pluginPrefix = 'mcp__plugin_contextd_contextd__'
const openCodePrefix = 'contextd_'

/** Tokens in the inputs of these tools are handled by our own pipeline. */
export function isOwnTool(name: string): boolean {
  return (
    name.startsWith(openCodePrefix) ||
    [settingsPrefix, pluginPrefix].some(
      (prefix) => name.startsWith(prefix) && isTool(name.slice(prefix.length)),
    )
  )
}

/** A server named `contextd__other` has the same prefix; names of our own tools contain no `__`. */
const isTool = (rest: string): boolean => rest !== '' && !rest.includes('__')

/** The same check as a pattern for a hook's matcher. */
export const ownToolPattern = (prefix: string): string => `${prefix}(?:(?!__).)+`

/** The name of a tool without its server, as Claude Code writes both; undefined for its own tools. */
export function withoutServerName(name: string): string | undefined {
  return /^mcp__(?:(?!__).)+__(.+)$/s.exec(name)?.[1]
}
