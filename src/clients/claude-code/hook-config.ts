/** Which of our hooks Claude Code runs when. The plugin's hooks.json and the settings that `contextd init` writes come from here. */

import type { JsonObject } from '@contextd/shared/json/value'
import { ownToolPattern } from '../../core/own-tools.ts'

export interface HookRegistration {
  /** Our MCP server as hooks address it: `contextd` from a settings file, `plugin:contextd:contextd` from the plugin. */
  readonly server: string
  /** What the names of our own tools begin with: `settingsPrefix` or `pluginPrefix`. */
  readonly matcherPrefix: string
  /** The program and arguments that stand for `contextd hook`; names of hooks are put behind them. No shell reads them. */
  readonly command: readonly [string, ...string[]]
  /** The model door scrubs the requests, so no hook has to; hooks stop a client that bypasses it. */
  readonly door: boolean
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

export function hookConfig({ server, matcherPrefix, command, door }: HookRegistration): HookConfig {
  const [file, ...args] = command
  const tell = (...words: string[]): JsonObject => ({
    type: 'command',
    command: file,
    args: [...args, ...words],
    timeout: tellingSeconds,
  })
  const run = (...words: string[]): JsonObject => ({
    ...tell(...words),
    timeout: timeoutSeconds,
    // The client goes on with the call where a hook fails, unless told otherwise.
    onFailure: 'block',
  })
  const everythingElse = `^(?!${ownToolPattern(matcherPrefix)}$)`
  const guard = run('protect', '--door')
  return {
    SessionStart: door
      ? [{ hooks: [tell('session-start', '--door')] }]
      : [{ hooks: [run('scrub')] }, { hooks: [tell('session-start')] }],
    // The first prompt tells what the session is about, and goes to the model before any tool is used.
    UserPromptSubmit: [
      { hooks: [announce(server)] },
      ...(door ? [{ hooks: [guard] }] : []),
      { hooks: [tell('session-start')] },
    ],
    // Before its first request, by which the door has to know whose it is.
    SubagentStart: [{ hooks: [announce(server)] }],
    // Changed settings take effect at once, also in the middle of a turn.
    ...(door && { ConfigChange: [{ hooks: [guard] }] }),
    PreCompact: [{ hooks: [tell('pre-compact')] }],
    PreToolUse: [
      { matcher: `${matcherPrefix}.*`, hooks: [attest(server)] },
      // Of a fork the client does not say whose it is, so the server has to know who starts agents.
      { matcher: 'Agent|Task', hooks: [attest(server, { subagent_type: '${tool_input.subagent_type}' })] },
      // One process for all: to start it costs more than what it does.
      {
        matcher: everythingElse,
        hooks: [door ? run('protect', 'block-builtin', '--door') : run('protect', 'block-builtin', 'scrub')],
      },
    ],
    ...(!door && { PostToolUse: [{ matcher: everythingElse, hooks: [run('scrub')] }] }),
  }
}

/** Over the pipe of our own server, which no model can write to; the server refuses what it was not told about. */
function attest(server: string, more: JsonObject = {}): JsonObject {
  return callAttest(server, ['tool_use_id', 'agent_id', 'agent_type', 'session_id', 'tool_name'], more)
}

/** The same about an agent that is about to begin, and not about one use of a tool. */
function announce(server: string): JsonObject {
  return callAttest(server, ['hook_event_name', 'agent_id', 'agent_type', 'session_id'])
}

function callAttest(server: string, fields: readonly string[], more: JsonObject = {}): JsonObject {
  return {
    type: 'mcp_tool',
    server,
    tool: 'attest',
    input: { ...Object.fromEntries(fields.map((field) => [field, `\${${field}}`])), ...more },
  }
}
