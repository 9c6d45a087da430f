/** A skill for Claude Code: loaded on demand, so it may be longer than the section in AGENTS.md. */

import { ownFileMark } from '../init/guidance.ts'

export const skillText = `---
name: contextd
description: Use contextd's tools for commands, files, secrets in output, truncated results, lessons of earlier sessions, large searches and other MCP servers.
allowed-tools: mcp__contextd, mcp__contextd__*
---
${ownFileMark}

| to | call |
|---|---|
| run a command | \`mcp__contextd__safe_bash\` |
| find files, or lines in files | \`mcp__contextd__safe_glob\`, \`mcp__contextd__safe_grep\` |
| read, write or edit a file | \`mcp__contextd__safe_read\`, \`mcp__contextd__safe_write\`, \`mcp__contextd__safe_edit\` |
| fetch a page, where granted | \`mcp__contextd__http_fetch\` |
| read the rest of a truncated result | \`mcp__contextd__read_more\` with its ref |
| find and keep lessons | \`mcp__contextd__memory_search\`, \`memory_get\`, \`memory_store\`, \`memory_feedback\` |
| save the state of the work | \`mcp__contextd__checkpoint_save\`; \`checkpoint_restore\` later |
| keep a large search out of your context | \`mcp__contextd__branch\`, a subagent with the prompt and the branch id, \`return\` |
| find something in the repository | \`mcp__contextd__repo_search\` |
| find a tool of another server | \`mcp__contextd__find_tools\`, or \`list_servers\` and \`get_server_tools\` |
| call it | \`mcp__contextd__execute_tool\` with server, tool and args |
| load context that is meant for you alone | \`mcp__contextd__load_context\` |

- Commands run in a sandbox: the project is there, the network is not unless it was granted.
- A secret reads \`[SECRET_n]\`. Write it back unchanged in files that have it: contextd restores the value.
- \`[PRIVATE]\` masks another agent's private context. Do not ask that agent for it.
- A refusal names its rule. Tell the user; do not work around it.
- \`ctxd trust\`, \`ctxd config set\` and the like are for the user, never for you.
`
