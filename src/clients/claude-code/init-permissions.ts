/** Claude Code permission rules, in forms that it was observed to apply: no parentheses for MCP tools. */

/** Our skill and our tools, the latter in two forms because some versions ignored one of them. */
export const allowRules = ['mcp__contextd', 'mcp__contextd__*', 'Skill(contextd)']

/**
 * Denies reading agents' transcripts, which any agent could otherwise read, and our own folders. Large outputs
 * (`tool-results`) stay readable: the hooks know their owner and scrub them.
 */
export const denyRules = [
  'Read(//**/subagents/**)',
  'Read(//**/tasks/*.output)',
  'Read(~/.config/contextd/**)',
  'Edit(~/.config/contextd/**)',
  'Read(~/.local/state/contextd/**)',
  'Edit(~/.local/state/contextd/**)',
]

/** A bare name removes the tool, from subagents too. */
export const strictRules = ['Bash', 'Edit', 'Monitor', 'NotebookEdit', 'Read', 'Write']
