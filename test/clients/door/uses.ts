/** The tools of Claude Code as a script uses them. */

import type { ToolUse } from '../scripted-model.ts'

export const bash = (id: string, command: string, background = false): ToolUse => ({
  id,
  tool: 'Bash',
  input: { command, ...(background && { run_in_background: true }) },
})
export const read = (id: string, file: string): ToolUse => ({ id, tool: 'Read', input: { file_path: file } })
export const write = (id: string, file: string, content: string): ToolUse => ({
  id,
  tool: 'Write',
  input: { file_path: file, content },
})
export const edit = (id: string, file: string, from: string, to: string): ToolUse => ({
  id,
  tool: 'Edit',
  input: { file_path: file, old_string: from, new_string: to },
})
