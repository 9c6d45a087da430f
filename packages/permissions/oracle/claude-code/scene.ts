/** Building blocks of scenes: configurations and calls that the oracle tries with the real client and with `explain`. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { StartMode } from '../../src/claude-code/explain/session-mode.ts'

/** A call of the scripted model, and the equivalent question for `explain`. */
export interface Probe {
  /** `Bash(touch x)`, `Read(./.env)`, `mcp__a__b`: also the name of the cell within its scene. */
  readonly asked: string
  readonly tool: string
  readonly input: JsonObject
  /** A file in the project that exists afterwards if and only if the client allowed the call. */
  readonly leaves?: string
  /** Why this behaviour is not documented by the client. */
  readonly undocumented?: string | undefined
}

/** A configuration, in which the client is started once and tries all probes; each probe is a cell. */
export interface Scene {
  /** Descriptive and unique: `user allow, project deny`. */
  readonly name: string
  /** Relative to the root: `project/…`, `home/…`, `managed/managed-settings.json`, `plugins/…`. See `fillIn`. */
  readonly files: Readonly<Record<string, string | JsonObject>>
  /** Targets of symbolic links, by path relative to the root. */
  readonly links?: Readonly<Record<string, string>>
  readonly probes: readonly Probe[]
  readonly isUntrusted?: boolean
  readonly mode?: StartMode
  readonly cliAllow?: readonly string[]
  readonly cliDeny?: readonly string[]
  /** A subagent of this type runs the probes. */
  readonly agent?: string
  /** The main conversation is this agent. */
  readonly runAs?: string
  /** A skill that runs before the probes, and must be allowed. */
  readonly after?: string
  /** All hooks of the scene are `refusingHook`s: calls that match any of them are denied. */
  readonly hooksRefuse?: true
  /** Plugin folders on the command line, relative to the root. */
  readonly plugins?: readonly string[]
  /** The folder that the client is started in, relative to the root, possibly through a link; `project` by default. */
  readonly startedIn?: string
  /** Arguments of `--add-dir`. */
  readonly addDirs?: readonly string[]
  /** Applies to all probes. */
  readonly undocumented?: string | undefined
}

export type Outcome = 'allow' | 'ask' | 'deny' | 'no such tool'

/** As frontmatter. */
export const refusingGroups = `[{ matcher: Bash, hooks: [{ type: command, command: "echo refused by a hook >&2; exit 2" }] }]`
export const refusingHook = `hooks: { PreToolUse: ${refusingGroups} }`

/** Definition of a server with these tools, for `.mcp.json` and plugins. */
export const server = (...tools: string[]): JsonObject => ({
  command: '$NODE',
  args: ['$SERVER', '$ROOT/calls.txt', ...tools],
})

/** Servers of the project, by name. */
export const mcpJson = (servers: Readonly<Record<string, readonly string[]>>): JsonObject => ({
  mcpServers: Object.fromEntries(Object.entries(servers).map(([name, tools]) => [name, server(...tools)])),
})

/** Replaces `$PROJECT`, `$HOME`, `$ROOT`, `$NODE` and `$SERVER`, whose values are known only when a scene is played. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$(PROJECT|HOME|ROOT|NODE|SERVER)\b/g, (whole, name: string) => values[name] ?? whole)
}

/** Marks a probe as undocumented if there is a reason. */
export const unpromised = (probe: Probe, undocumented: string | undefined): Probe => ({
  ...probe,
  undocumented,
})

export const calls = (tool: string): Probe => ({ asked: tool, tool, input: {} })

export const runs = (command: string, leaves?: string): Probe => ({
  asked: `Bash(${command})`,
  tool: 'Bash',
  input: { command, description: 'part of the test' },
  ...(leaves !== undefined && { leaves }),
})

/** With a command that is not allowed by default. */
export const touches = (file: string): Probe => runs(`touch ${file}`, file)

/** Paths are in the form of questions: `./a.txt`, `//etc/hosts`, `/$ROOT/a.txt`, `~/a.txt`. */
export const reads = (path: string): Probe => ({
  asked: `Read(${path})`,
  tool: 'Read',
  input: { file_path: absolutePathOf(path) },
})

export const writes = (path: string): Probe => ({
  asked: `Write(${path})`,
  tool: 'Write',
  input: { file_path: absolutePathOf(path), content: 'written' },
  ...(path.startsWith('./') && { leaves: path }),
})

export const edits = (path: string): Probe => ({
  asked: `Edit(${path})`,
  tool: 'Edit',
  input: { file_path: absolutePathOf(path), old_string: 'before', new_string: 'after' },
})

export const startsAgent = (type: string): Probe => ({
  asked: `Agent(${type})`,
  tool: 'Agent',
  input: {
    description: 'part of the test',
    prompt: 'Say ok.',
    subagent_type: type,
    run_in_background: false,
  },
})

export const runsSkill = (name: string): Probe => ({
  asked: `Skill(${name})`,
  tool: 'Skill',
  input: { skill: name },
})

/** The client requires absolute paths. */
function absolutePathOf(path: string): string {
  if (path.startsWith('~/')) return `$HOME/${path.slice(2)}`
  if (path.startsWith('//') || path.startsWith('/$')) return path.slice(1)
  return `$PROJECT/${path.replace(/^\.\//, '')}`
}
