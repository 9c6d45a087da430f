/** Built-in tools of the client, and our tools that replace them. */
const replacedBy: Readonly<Record<string, string>> = {
  Bash: 'safe_bash',
  PowerShell: 'safe_bash',
  Monitor: 'safe_bash',
  REPL: 'safe_bash',
  Eval: 'safe_bash',
  BashOutput: 'safe_bash',
  Read: 'safe_read',
  NotebookRead: 'safe_read',
  LSP: 'safe_read',
  Glob: 'safe_glob',
  Grep: 'safe_grep',
  LS: 'safe_bash',
  Write: 'safe_write',
  Edit: 'safe_edit',
  MultiEdit: 'safe_edit',
  NotebookEdit: 'safe_write',
  WebFetch: 'http_fetch',
}

/** Our tool that replaces a built-in one, without its prefix. */
export function ownToolFor(builtin: string): string | undefined {
  return Object.hasOwn(replacedBy, builtin) ? replacedBy[builtin] : undefined
}
