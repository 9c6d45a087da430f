/** All configuration of Claude Code that decides what an agent may do, as read from its files: the input of explain and lint. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import type { JsonFile, TextFile, FileProblem } from '../../files/client-files.ts'
import type { ExplainedHook } from '../../findings/explanation.ts'
import type { Place } from '../../findings/finding.ts'
import type { SecretsIn } from '../../findings/masked.ts'

/** In order of precedence; `cli` are the client's command-line flags. */
export const levels = ['managed', 'cli', 'local', 'project', 'user'] as const
export type Level = (typeof levels)[number]

export const modes = ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const
export type Mode = (typeof modes)[number]

export interface ClaudeSetup {
  /** Real paths: the project, the user's home, and the client's own folder (`~/.claude`, or CLAUDE_CONFIG_DIR). */
  readonly project: string
  readonly home: string
  readonly config: string
  /** From `--add-dir`; folders added in settings are in `settings`. */
  readonly addedFolders: readonly string[]
  /** Whether Claude Code was ever started here; if not (on a build machine), the user's servers and trust are unknown. */
  readonly isUsed: boolean
  /** Whether the user accepted this workspace; until then the client ignores allow rules of the project. */
  readonly isTrusted: boolean
  /** The settings that apply, in the order of `levels`; later managed files override earlier ones. */
  readonly settings: readonly SettingsFile[]
  readonly servers: readonly McpServer[]
  /** Enabled plugins. */
  readonly plugins: readonly Plugin[]
  /** Names of enabled plugins that cannot be found or used here: their contents are unknown. */
  readonly missingPlugins: readonly string[]
  /** In order of precedence, for agents with the same name. */
  readonly agents: readonly AgentFile[]
  /** In order of precedence, for skills with the same name; without the client's built-in skills. */
  readonly skills: readonly SkillFile[]
  /** Of settings, plugins, agents and skills. */
  readonly hooks: readonly HookEntry[]
  /** Files that the client cannot read completely, or reads differently than a user would. */
  readonly problems: readonly FileProblem[]
  /** Documents of the project, which may mention MCP tools; read lazily. */
  readonly documents: () => Iterable<Document>
  /** Text of a hook's script; read lazily, empty if it does not exist. */
  readonly textOf: (file: string) => string
  /** What is at the path of such a script; checked lazily. */
  readonly scriptStateAt: (path: string) => ScriptState
  /** All names of an absolute path; resolved lazily. */
  readonly namesOf: (path: string) => FileNames
  readonly secretsIn: SecretsIn
}

export interface Document extends TextFile {
  /** Set on the last one if there are too many: it and all after it were not read. */
  readonly isLeftOut?: true
}

/** The paths of one file, of which there are several if links are involved. */
export interface FileNames {
  /** The given path, the target of each link that it is, and finally the real path. */
  readonly all: readonly string[]
  /** Whether the path itself is a link; its parent folders may be links in any case. */
  readonly isLink: boolean
  /** False if it does not exist, such as a dangling link. */
  readonly isThere: boolean
}

/** `plain`: a file that is not executable. */
export type ScriptState = 'nothing' | 'folder' | 'plain' | 'program'

export interface SettingsFile extends JsonFile {
  readonly level: Level
  readonly rules: readonly RuleEntry[]
}

/** One entry of a list of permissions. */
export interface RuleEntry extends Place {
  readonly level: Level
  readonly list: 'allow' | 'ask' | 'deny'
  /** As written in the file. */
  readonly text: string
  /** Its path in the file; empty for flags. */
  readonly path: JsonPath
}

/** An MCP server as the client would start it. */
export interface McpServer extends Place {
  /** The name in its definition. */
  readonly name: string
  readonly source: 'managed' | 'local' | 'project' | 'user' | 'plugin' | 'agent'
  /** Name of the plugin or agent that defines it. */
  readonly owner?: string
  /** Prefix of its tool names, without the double underscore: `mcp__plugin_broker_ctx`. */
  readonly prefix: string
  /** The name that hooks and `mcpServers:` of agents use: `plugin:broker:ctx`. */
  readonly fullName: string
  /** Why the client does not start it (disabled, not allowed by the managed settings, …). */
  readonly off?: string
  /** If known without starting the server, or queried with `--connect`. */
  readonly tools?: readonly string[]
  readonly definition: JsonObject
}

/** Its place is the setting that enables it, or its manifest if it needs no such setting. */
export interface Plugin extends Place {
  /** From its manifest: part of the names of its tools and agents. */
  readonly name: string
  /** `broker@market`; the name before the `@` may differ from the manifest. */
  readonly id: string
  readonly folder: string
  readonly manifest: JsonObject
  /** The client supports few of them; `agent` makes the main conversation run as that agent. */
  readonly settings?: JsonObject
  /** It is in a skills folder, so its `SKILL.md` is a skill as well. */
  readonly isAmongSkills?: true
}

/** A value in frontmatter, with its place. */
export interface Entry extends Place {
  readonly text: string
  /** Offsets in the file. */
  readonly start: number
  readonly end: number
}

export interface AgentFile extends TextFile {
  /** At runtime: `scanner`, or `broker:scanner` in a plugin. */
  readonly name: string
  readonly source: 'managed' | 'project' | 'user' | 'plugin'
  readonly plugin?: string
  /** Undefined without such a key: every tool, as with `*`. Empty if the key has no value: no tools. */
  readonly tools?: readonly Entry[]
  readonly disallowedTools?: readonly Entry[]
  readonly permissionMode?: Entry
  /** Names, or the keys of servers defined in place. */
  readonly mcpServers?: readonly Entry[]
  /** By frontmatter key: its value as text. Line and column are those of the key, the offsets those of the value. */
  readonly keys: ReadonlyMap<string, Entry>
  readonly frontmatter: JsonObject
  /** Offset of the body. */
  readonly body: number
}

/** A skill, or a command, which the client treats as one: the model runs it with `Skill(name)`, a user with `/name`. */
export interface SkillFile extends TextFile {
  /** From its folder or file: `deploy`, `git:undo` in a folder of commands, `broker:scan` in a plugin. */
  readonly name: string
  /** Names in its frontmatter: the client resolves these too if nothing else has that name. */
  readonly aliases: readonly string[]
  readonly kind: 'skill' | 'command'
  readonly source: 'managed' | 'project' | 'user' | 'plugin'
  readonly plugin?: string
  /** Rules that allow once it runs; undefined without such a key, or if the client ignores it. */
  readonly allowedTools?: readonly Entry[]
  /** Rules that deny once it runs. */
  readonly disallowedTools?: readonly Entry[]
  /** Whether it defines hooks that the client recognizes. */
  readonly hasHooks: boolean
  /** Whether it runs in its own agent: its rules and hooks do not apply to the conversation. */
  readonly isForked: boolean
  /** By frontmatter key, as for an agent. */
  readonly keys: ReadonlyMap<string, Entry>
  readonly frontmatter: JsonObject
}

export interface HookEntry extends ExplainedHook {
  readonly source: Level | 'plugin' | 'agent' | 'skill'
  /** The plugin that defines it, itself or in a skill. */
  readonly plugin?: string
  /** Value of `CLAUDE_PLUGIN_ROOT` in it; undefined if that is not substituted. */
  readonly root?: string
  /** Its path in the file; undefined for frontmatter. */
  readonly path?: JsonPath
}
