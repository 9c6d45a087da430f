/** What an agent should know about contextd. Kept short, because it is in every conversation. */

import { ownFile, type ClientFile } from './client-file.ts'

/** In every version of the Markdown files that are entirely ours, and in nobody else's. */
export const ownFileMark = '<!-- written by contextd init -->'

/** For AGENTS.md and similar files. */
export const guidance = `## contextd

Prefer the tools of the MCP server \`contextd\` to your own: \`safe_bash\`, \`safe_read\`, \`safe_write\`, \`safe_edit\`, \`safe_glob\` and \`safe_grep\`.

- A secret reads \`[SECRET_n]\`. Write it back unchanged in files that have it: contextd restores the value.
- A truncated result names a ref: \`read_more\` returns the rest.
- Tools of other MCP servers: \`find_tools\`, then \`execute_tool\`.
- A refusal names its rule. Tell the user; do not work around it.`

/** The same as a file that is entirely ours. */
export function guidanceFile(path: string): ClientFile {
  return ownFile(path, () => `${ownFileMark}\n${guidance}\n`, ownFileMark)
}

/** For an agent whose client does not report the caller. */
export function declaration(agent: string): string {
  return `Give \`agent_id: ${JSON.stringify(agent)}\` with every contextd tool call.`
}
