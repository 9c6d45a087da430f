/** What clients put in front of the names of contextd's own tools. Our pipeline decides about tokens in their inputs. */
const prefixes = ['mcp__contextd__', 'mcp__plugin_contextd_contextd__', 'contextd_']

export function isOwnTool(name: string): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix))
}
