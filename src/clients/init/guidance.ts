/** What an agent should know of us, in few words: it stands in every conversation. */

/** For AGENTS.md and the like. */
export const guidance = `## contextd

Commands, files and other MCP servers of this project are reached through the MCP server \`contextd\`.

- Prefer \`safe_bash\`, \`safe_read\` and \`safe_write\` to your own tools of that kind.
- A secret reads \`[SECRET_n]\`. Write it back as it is in files that have it: contextd restores the value.
- An answer that was cut names a ref: \`read_more\` has the rest.
- Tools of other servers: \`find_tools\`, then \`execute_tool\`.
- A refusal names its rule. Tell the user; do not look for a way around it.`

/** For an agent whose client does not tell us who is calling. */
export function declaration(agent: string): string {
  return `Give \`agent_id: ${JSON.stringify(agent)}\` with every call of a tool of contextd.`
}
