/** Names of our tools that were added to the lists in agent files. */

const listed = /,[ ]mcp__contextd__\w+|\n[ \t]*-[ \t]+mcp__contextd__\w+(?=\r?\n)/g

/** Removes the names that the original does not contain, from the frontmatter only. */
export function withoutAgentTools(now: string, before: string): string {
  const end = now.indexOf('\n---', 3)
  if (end === -1) return now
  const head = now.slice(0, end + 1)
  const isOurs = (found: string): boolean => !before.includes(found.replace(/^[\s,-]+/, ''))
  return head.replaceAll(listed, (found) => (isOurs(found) ? '' : found)) + now.slice(end + 1)
}
