/** The names that clients give to contextd's own tools. */

/** Claude Code, for the server that `contextd init` adds and for that of the plugin. */
export const settingsPrefix = 'mcp__contextd__'
export const pluginPrefix = 'mcp__plugin_contextd_contextd__'
const openCodePrefix = 'contextd_'

/** Our pipeline decides about tokens in the inputs of these tools. */
export function isOwnTool(name: string): boolean {
  return (
    name.startsWith(openCodePrefix) ||
    [settingsPrefix, pluginPrefix].some(
      (prefix) => name.startsWith(prefix) && isTool(name.slice(prefix.length)),
    )
  )
}

/** A server named `contextd__other` has our prefix too; names of our own tools have no `__` in them. */
const isTool = (rest: string): boolean => rest !== '' && !rest.includes('__')

/** The same for the matcher of a hook. */
export const ownToolPattern = (prefix: string): string => `${prefix}(?:(?!__).)+`
