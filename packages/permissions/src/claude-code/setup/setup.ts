/** Everything of Claude Code that decides what an agent may do, as it was read. Explaining and linting start here. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import type { JsonFile, TextFile, FileProblem } from '../../files/client-files.ts'
import type { ExplainedHook } from '../../findings/explanation.ts'
import type { Place } from '../../findings/finding.ts'
import type { SecretsIn } from '../../findings/masked.ts'

/** From the strongest to the weakest; `cli` are the flags the client is started with. */
export const levels = ['managed', 'cli', 'local', 'project', 'user'] as const
export type Level = (typeof levels)[number]

export const modes = ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const
export type Mode = (typeof modes)[number]

export interface ClaudeSetup {
  /** Real paths: the project, the user's home, and the client's own folder (`~/.claude`, or CLAUDE_CONFIG_DIR). */
  readonly project: string
  readonly home: string
  readonly config: string
  /** Beside the project, as the client is started (`--add-dir`); which ones the settings add stands there. */
  readonly addedFolders: readonly string[]
  /** Whether Claude Code was ever started here; where not (a build machine), servers and trust of the user are unknown. */
  readonly isUsed: boolean
  /** Whether the user accepted this workspace; until then the client ignores what the project allows. */
  readonly isTrusted: boolean
  /** Those that the client goes by, in the order of `levels`; of the managed ones the later has the last word. */
  readonly settings: readonly SettingsFile[]
  readonly servers: readonly McpServer[]
  /** Enabled ones. */
  readonly plugins: readonly Plugin[]
  /** Names of those that are enabled but cannot be found or used here: nobody knows what they would bring. */
  readonly missingPlugins: readonly string[]
  /** In the order in which the client prefers them where two have the same name. */
  readonly agents: readonly AgentFile[]
  /** In the order in which the client prefers them where two have the same name; those it brings itself are not here. */
  readonly skills: readonly SkillFile[]
  /** Of settings, plugins, agents and skills. */
  readonly hooks: readonly HookEntry[]
  /** Files that the client cannot read as a whole or reads otherwise than they look. */
  readonly problems: readonly FileProblem[]
  /** The project's own documents that name tools of MCP servers; read when asked for. */
  readonly documents: () => Iterable<Document>
  /** Of a script that a hook names; read when asked for, empty where there is none. */
  readonly textOf: (file: string) => string
  /** What stands at the path of such a script; looked at when asked for. */
  readonly scriptStateAt: (path: string) => ScriptState
  /** Of an absolute path; looked up when asked for. */
  readonly namesOf: (path: string) => FileNames
  readonly secretsIn: SecretsIn
}

export interface Document extends TextFile {
  /** Of the last one, where there are so many that it and all after it were not looked at. */
  readonly isLeftOut?: true
}

/** Where there are links, one file has several paths. */
export interface FileNames {
  /** As it was given, what each link in its place leads to, and at the end where it really stands. */
  readonly all: readonly string[]
  /** Whether a link stands in its place; folders on the way may be links all the same. */
  readonly isLink: boolean
  /** False where nothing is yet, as behind a link that leads nowhere. */
  readonly isThere: boolean
}

/** `plain`: a file that nobody may execute. */
export type ScriptState = 'nothing' | 'folder' | 'plain' | 'program'

export interface SettingsFile extends JsonFile {
  readonly level: Level
  readonly rules: readonly RuleEntry[]
}

/** One entry of a list of permissions. */
export interface RuleEntry extends Place {
  readonly level: Level
  readonly list: 'allow' | 'ask' | 'deny'
  /** As it is written. */
  readonly text: string
  /** Where it stands in its file; empty for flags. */
  readonly path: JsonPath
}

/** An MCP server as the client would start it. */
export interface McpServer extends Place {
  /** As it is named where it is defined. */
  readonly name: string
  readonly source: 'managed' | 'local' | 'project' | 'user' | 'plugin' | 'agent'
  /** The plugin's, or the agent's name. */
  readonly owner?: string
  /** What the names of its tools begin with, up to the double underscore: `mcp__plugin_broker_ctx`. */
  readonly prefix: string
  /** How hooks and `mcpServers:` of agents call it: `plugin:broker:ctx`. */
  readonly fullName: string
  /** Why the client does not start it (disabled, not allowed by the managed settings, …). */
  readonly off?: string
  /** Where they are known without starting it, or were asked for. */
  readonly tools?: readonly string[]
  readonly definition: JsonObject
}

/** Its place is where it is enabled; of one that nobody has to enable, its manifest. */
export interface Plugin extends Place {
  /** As its manifest says: part of the names of its tools and agents. */
  readonly name: string
  /** `broker@market`; the name before the `@` need not be that of the manifest. */
  readonly id: string
  readonly folder: string
  readonly manifest: JsonObject
  /** Of these the client goes by few; `agent` makes the main conversation run as that agent. */
  readonly settings?: JsonObject
  /** It stands in a folder of skills, where its `SKILL.md` is a skill of its own. */
  readonly isAmongSkills?: true
}

/** A value of a frontmatter, with where it stands. */
export interface Entry extends Place {
  readonly text: string
  /** Offsets in the file. */
  readonly start: number
  readonly end: number
}

export interface AgentFile extends TextFile {
  /** What it is called at runtime: `scanner`, or `broker:scanner` where a plugin brings it. */
  readonly name: string
  readonly source: 'managed' | 'project' | 'user' | 'plugin'
  readonly plugin?: string
  /** Undefined where there is no such key: then it has every tool, as it has with `*`. Empty where the key is: then none. */
  readonly tools?: readonly Entry[]
  readonly disallowedTools?: readonly Entry[]
  readonly permissionMode?: Entry
  /** Names, or the keys of what is defined in place. */
  readonly mcpServers?: readonly Entry[]
  /** By key of the frontmatter: its value as a text. Line and column are those of the key, the offsets those of the value. */
  readonly keys: ReadonlyMap<string, Entry>
  readonly frontmatter: JsonObject
  /** Offset at which the body begins. */
  readonly body: number
}

/** A skill, or a command, which the client takes for one: the model runs it by `Skill(name)`, a user by `/name`. */
export interface SkillFile extends TextFile {
  /** By its folder or file: `deploy`, `git:undo` of a folder of commands, `broker:scan` where a plugin brings it. */
  readonly name: string
  /** What it is called in its frontmatter: the client finds it by these too, where nothing has that name. */
  readonly aliases: readonly string[]
  readonly kind: 'skill' | 'command'
  readonly source: 'managed' | 'project' | 'user' | 'plugin'
  readonly plugin?: string
  /** Rules that allow from when it runs; undefined where there is no such key, or where the client does not heed it. */
  readonly allowedTools?: readonly Entry[]
  /** Rules that deny from when it runs. */
  readonly disallowedTools?: readonly Entry[]
  /** Whether it brings hooks; what the client takes for none does not count. */
  readonly hasHooks: boolean
  /** Whether it runs in its own agent: what it brings does not reach the conversation. */
  readonly isForked: boolean
  /** By key of the frontmatter, as of an agent. */
  readonly keys: ReadonlyMap<string, Entry>
  readonly frontmatter: JsonObject
}

export interface HookEntry extends ExplainedHook {
  readonly source: Level | 'plugin' | 'agent' | 'skill'
  /** The one that brings it, itself or by a skill. */
  readonly plugin?: string
  /** What `CLAUDE_PLUGIN_ROOT` means in it; undefined where nothing fills that in. */
  readonly root?: string
  /** Where it stands in its file; undefined for a frontmatter. */
  readonly path?: JsonPath
}
