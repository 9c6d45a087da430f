/**
 * Which of our hooks Claude Code runs for which event. The plugin's hooks.json and the settings that `ctxd init`
 * writes are generated from this.
 */

import type { JsonObject } from '@contextd/shared/json/value'
import { ownToolPattern } from '../../core/own-tools.ts'
import type { Sharing } from '../init/layout.ts'
import { sharedCommand, type WhereMissing } from './shared-hooks.ts'

export interface HookRegistration {
  /** The name of our MCP server in hooks: `contextd` in a settings file, `plugin:contextd:contextd` in the plugin. */
  readonly server: string
  /** Prefix of our own tools' names: `settingsPrefix` or `pluginPrefix`. */
  readonly matcherPrefix: string
  /** Program and arguments that run `contextd hook`; hook names are appended. No shell is involved. */
  readonly command: readonly [string, ...string[]]
  /** The model door scrubs requests, so hooks need not; they block clients that bypass it. */
  readonly door: boolean
  /** Set for hooks that are committed, which also run where contextd is not installed. */
  readonly sharing?: Sharing
}

export interface HookGroup {
  readonly matcher?: string
  readonly hooks: readonly JsonObject[]
}

export type HookConfig = Readonly<Record<string, readonly HookGroup[]>>

/** Without a daemon, a hook starts contextd itself, even on a busy machine; some payloads are megabytes of output. */
const timeoutSeconds = 60
/** Hooks that only add information must not delay the client for longer. */
const informTimeoutSeconds = 30

export function hookConfig({ server, matcherPrefix, command, door, sharing }: HookRegistration): HookConfig {
  const { greet, inform, run } = hookMaker(command, sharing)
  const otherTools = `^(?!${ownToolPattern(matcherPrefix)}$)`
  const guard = run('protect', '--door')
  return {
    SessionStart: door
      ? [{ hooks: [greet('session-start', '--door')] }]
      : [{ hooks: [run('scrub')] }, { hooks: [greet('session-start')] }],
    // The first prompt describes the task, and is sent to the model before any tool runs.
    UserPromptSubmit: [
      { hooks: [announce(server)] },
      ...(door ? [{ hooks: [guard] }] : []),
      { hooks: [inform('session-start')] },
    ],
    // Must precede the subagent's first request, because the door has to know which agent sent it.
    SubagentStart: [{ hooks: [announce(server)] }],
    // Changed settings take effect immediately, even in the middle of a turn.
    ...(door && { ConfigChange: [{ hooks: [guard] }] }),
    PreCompact: [{ hooks: [inform('pre-compact')] }],
    PreToolUse: [
      { matcher: `${matcherPrefix}.*`, hooks: [attest(server)] },
      // The client does not report the agent type of a fork, so the server must know which agents were started.
      { matcher: 'Agent|Task', hooks: [attest(server, { subagent_type: '${tool_input.subagent_type}' })] },
      // One process for all three, because starting it costs more than running them.
      {
        matcher: otherTools,
        hooks: [door ? run('protect', 'block-builtin', '--door') : run('protect', 'block-builtin', 'scrub')],
      },
    ],
    ...(!door && { PostToolUse: [{ matcher: otherTools, hooks: [run('scrub')] }] }),
  }
}

type MakeHook = (...words: string[]) => JsonObject

function hookMaker(
  command: HookRegistration['command'],
  sharing?: Sharing,
): { greet: MakeHook; inform: MakeHook; run: MakeHook } {
  const [file, ...args] = command
  const make = (words: readonly string[], missing: WhereMissing): JsonObject => ({
    type: 'command',
    ...(sharing === undefined
      ? { command: file, args: [...args, ...words] }
      : { command: sharedCommand([...command, ...words], sharing, missing) }),
    timeout: informTimeoutSeconds,
  })
  const inform: MakeHook = (...words) => make(words, 'quiet')
  const run: MakeHook = (...words) => ({
    ...make(words, words.includes('protect') ? 'refuses' : 'quiet'),
    timeout: timeoutSeconds,
    // By default, the client continues with the call if a hook fails.
    onFailure: 'block',
  })
  return { greet: (...words) => make(words, 'says so'), inform, run }
}

/** Sent over our own server's pipe, which no model can write to; the server refuses calls without an attestation. */
function attest(server: string, more: JsonObject = {}): JsonObject {
  return callAttest(server, ['tool_use_id', 'agent_id', 'agent_type', 'session_id', 'tool_name'], more)
}

/** The same for an agent that is about to start, without a tool call. */
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
