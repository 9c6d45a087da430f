/** What the oracle asks the real client, and `explain`: scenes to be read at a glance. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { StartMode } from '../../src/claude-code/explain/session-mode.ts'

/** One call that the scripted model wants, and how a person would ask `explain` about it. */
export interface Probe {
  /** `Bash(touch x)`, `Read(./.env)`, `mcp__a__b`: also the name of the cell within its scene. */
  readonly asked: string
  readonly tool: string
  readonly input: JsonObject
  /** Below the project: is there afterwards if, and only if, the client let the call through. */
  readonly leaves?: string
  /** Why the client's documentation does not promise what it does here. */
  readonly undocumented?: string | undefined
}

/** One configuration. The client is started once in it and tries everything; each probe is a cell. */
export interface Scene {
  /** Says what it is about, and is unique: `user allow, project deny`. */
  readonly name: string
  /** Below the root: `project/…`, `home/…`, `managed/managed-settings.json`, `plugins/…`. See `fillIn`. */
  readonly files: Readonly<Record<string, string | JsonObject>>
  /** Symbolic links, below the root like files, and where they lead. */
  readonly links?: Readonly<Record<string, string>>
  readonly probes: readonly Probe[]
  readonly isUntrusted?: boolean
  readonly mode?: StartMode
  readonly cliAllow?: readonly string[]
  readonly cliDeny?: readonly string[]
  /** The probes are made by a subagent of this type. */
  readonly agent?: string
  /** The main conversation is this agent. */
  readonly runAs?: string
  /** Who makes the probes runs this skill before, which has to be allowed. */
  readonly after?: string
  /** Every hook of it refuses, by `refusingHook`: what any of them is asked about is denied. */
  readonly hooksRefuse?: true
  /** Folders below the root that the client is given as plugins. */
  readonly plugins?: readonly string[]
  /** The folder below the root that the client is started in, as a person goes there; `project` unless given. */
  readonly startedIn?: string
  /** As they stand behind `--add-dir`. */
  readonly addDirs?: readonly string[]
  /** For all of its probes. */
  readonly undocumented?: string | undefined
}

export type Outcome = 'allow' | 'ask' | 'deny' | 'no such tool'

/** For a frontmatter. */
export const refusingGroups = `[{ matcher: Bash, hooks: [{ type: command, command: "echo refused by a hook >&2; exit 2" }] }]`
export const refusingHook = `hooks: { PreToolUse: ${refusingGroups} }`

/** A server with these tools, as `.mcp.json` and plugins define one. */
export const server = (...tools: string[]): JsonObject => ({
  command: '$NODE',
  args: ['$SERVER', '$ROOT/calls.txt', ...tools],
})

/** Servers of the project, by name. */
export const mcpJson = (servers: Readonly<Record<string, readonly string[]>>): JsonObject => ({
  mcpServers: Object.fromEntries(Object.entries(servers).map(([name, tools]) => [name, server(...tools)])),
})

/** `$PROJECT`, `$HOME`, `$ROOT`, `$NODE` and `$SERVER` stand for what is only known when a scene is played. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$(PROJECT|HOME|ROOT|NODE|SERVER)\b/g, (whole, name: string) => values[name] ?? whole)
}

/** Nobody promised what the client does here, where a reason is given why not. */
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

/** By a command that nothing allows by itself. */
export const touches = (file: string): Probe => runs(`touch ${file}`, file)

/** Paths are as `explain` is asked about them: `./a.txt`, `//etc/hosts`, `/$ROOT/a.txt`, `~/a.txt`. */
export const reads = (path: string): Probe => ({
  asked: `Read(${path})`,
  tool: 'Read',
  input: { file_path: wholePath(path) },
})

export const writes = (path: string): Probe => ({
  asked: `Write(${path})`,
  tool: 'Write',
  input: { file_path: wholePath(path), content: 'written' },
  ...(path.startsWith('./') && { leaves: path }),
})

export const edits = (path: string): Probe => ({
  asked: `Edit(${path})`,
  tool: 'Edit',
  input: { file_path: wholePath(path), old_string: 'before', new_string: 'after' },
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

/** The client wants whole paths. */
function wholePath(path: string): string {
  if (path.startsWith('~/')) return `$HOME/${path.slice(2)}`
  if (path.startsWith('//') || path.startsWith('/$')) return path.slice(1)
  return `$PROJECT/${path.replace(/^\.\//, '')}`
}
