/** Permission rules of Claude Code in the forms that it was seen to obey: without parentheses for tools of MCP servers. */

/** Our tools, in two forms because either alone was once ignored by some version, and our skill. */
export const allowRules = ['mcp__contextd', 'mcp__contextd__*', 'Skill(contextd)']

/**
 * What agents said and were told, which the client keeps where any agent could read it, and our own folders. Large
 * outputs (`tool-results`) stay readable: the hooks know whose they are, and scrub what is read.
 */
export const denyRules = [
  'Read(//**/subagents/**)',
  'Read(//**/tasks/*.output)',
  'Read(~/.config/contextd/**)',
  'Edit(~/.config/contextd/**)',
  'Read(~/.local/state/contextd/**)',
  'Edit(~/.local/state/contextd/**)',
]

/** A bare name takes the tool away, from subagents too. */
export const strictRules = ['Bash', 'Edit', 'Monitor', 'NotebookEdit', 'Read', 'Write']
