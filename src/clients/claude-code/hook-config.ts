/** Which of our hooks Claude Code runs when. The plugin's hooks.json and the settings that `contextd init` writes come from here. */

import type { JsonObject } from '../../core/json.ts'
import { replacedBy } from './hooks/block-builtin.ts'

export interface HookPlace {
  /** Our MCP server as hooks address it: `contextd` from a settings file, `plugin:contextd:contextd` from the plugin. */
  readonly server: string
  /** What the names of our own tools begin with: `mcp__contextd__`, `mcp__plugin_contextd_contextd__`. */
  readonly matcherPrefix: string
  /** The program and arguments that stand for `contextd hook`; the hook's name is put behind them. No shell reads them. */
  readonly command: readonly [string, ...string[]]
}

export interface HookGroup {
  readonly matcher?: string
  readonly hooks: readonly JsonObject[]
}

export type HookConfig = Readonly<Record<string, readonly HookGroup[]>>

/** Without a daemon a hook starts contextd by itself, on a busy machine too; some bring megabytes of output. */
const timeoutSeconds = 60
/** Nobody wants to wait longer for what is only good to know. */
const tellingSeconds = 30

export function hookConfig({ server, matcherPrefix, command }: HookPlace): HookConfig {
  const [file, ...args] = command
  const tell = (name: string): JsonObject => ({
    type: 'command',
    command: file,
    args: [...args, name],
    timeout: tellingSeconds,
  })
  const run = (name: string): JsonObject => ({
    ...tell(name),
    timeout: timeoutSeconds,
    // The client goes on with the call where a hook fails, unless told otherwise.
    onFailure: 'block',
  })
  // A server named `contextd__other` has our prefix too; names of our own tools have no `__` in them.
  const everythingElse = `^(?!${matcherPrefix}(?:(?!__).)+$)`
  return {
    SessionStart: [{ hooks: [run('scrub')] }, { hooks: [tell('session-start')] }],
    // The first prompt tells what the session is about.
    UserPromptSubmit: [{ hooks: [tell('session-start')] }],
    PreCompact: [{ hooks: [tell('pre-compact')] }],
    PreToolUse: [
      { matcher: `${matcherPrefix}.*`, hooks: [attest(server)] },
      // Of a fork the client does not say whose it is, so the server has to know who starts agents.
      { matcher: 'Agent|Task', hooks: [attest(server, { subagent_type: '${tool_input.subagent_type}' })] },
      { matcher: everythingElse, hooks: [run('protect'), run('scrub')] },
      { matcher: Object.keys(replacedBy).join('|'), hooks: [run('block-builtin')] },
    ],
    PostToolUse: [{ matcher: everythingElse, hooks: [run('scrub')] }],
  }
}

/** Over the pipe of our own server, which no model can write to; the server refuses what it was not told about. */
function attest(server: string, more: JsonObject = {}): JsonObject {
  const fields = ['tool_use_id', 'agent_id', 'agent_type', 'session_id', 'tool_name']
  return {
    type: 'mcp_tool',
    server,
    tool: 'attest',
    input: { ...Object.fromEntries(fields.map((field) => [field, `\${${field}}`])), ...more },
  }
}
