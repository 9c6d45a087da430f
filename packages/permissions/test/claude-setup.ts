/** A Claude Code setup built in memory. */

import type { JsonObject } from '@contextd/shared/json/value'
import type {
  AgentFile,
  ClaudeSetup,
  Entry,
  HookEntry,
  Level,
  McpServer,
  RuleEntry,
  SettingsFile,
} from '../src/claude-code/setup/setup.ts'
import { levels } from '../src/claude-code/setup/setup.ts'
import { fullServerName, claudeServerPrefix } from '../src/claude-code/rules/tool-names.ts'
import { parseJson } from '@contextd/shared/json/json-source'

export type Lists = Readonly<Partial<Record<RuleEntry['list'], readonly string[]>>>

export interface Parts extends Partial<Omit<ClaudeSetup, 'settings'>> {
  /** Rules by level. */
  readonly rules?: Readonly<Partial<Record<Level, Lists>>>
  /** Other settings by level. */
  readonly values?: Readonly<Partial<Record<Level, JsonObject>>>
}

/** A setup with these rules by level. */
export function setupWith(rules: Parts['rules'], parts: Omit<Parts, 'rules'> = {}): ClaudeSetup {
  const { values = {}, ...rest } = parts
  return {
    project: '/home/me/project',
    home: '/home/me',
    config: '/home/me/.claude',
    addedFolders: [],
    isTrusted: true,
    isUsed: true,
    servers: [],
    plugins: [],
    missingPlugins: [],
    agents: [],
    skills: [],
    hooks: [],
    problems: [],
    documents: () => [],
    textOf: () => '',
    scriptStateAt: () => 'program',
    namesOf: (path) => ({ all: [path], isLink: false, isThere: true }),
    secretsIn: () => [],
    ...rest,
    settings: levels
      .filter((level) => rules?.[level] !== undefined || values[level] !== undefined)
      .map((level) => settingsFile(level, rules?.[level] ?? {}, values[level] ?? {})),
  }
}

function settingsFile(level: Level, lists: Lists, value: JsonObject): SettingsFile {
  const file = `${level}.json`
  const text = JSON.stringify(value)
  const document = parseJson(text)
  if (!document.ok) throw new Error(document.message)
  const names: readonly RuleEntry['list'][] = ['allow', 'ask', 'deny']
  const rules = names.flatMap((list) =>
    (lists[list] ?? []).map((one, index): RuleEntry => ({
      level,
      list,
      text: one,
      path: ['permissions', list, index],
      file,
      line: index + 1,
      column: 1,
    })),
  )
  return { level, file, text, document, value, rules }
}

export function serverOf(name: string, more: Partial<McpServer> = {}): McpServer {
  const plugin = more.source === 'plugin' ? more.owner : undefined
  return {
    name,
    source: 'project',
    prefix: claudeServerPrefix(name, plugin),
    fullName: fullServerName(name, plugin),
    definition: {},
    file: '.mcp.json',
    line: 1,
    column: 1,
    ...more,
  }
}

export function entryOf(text: string, file: string): Entry {
  return { text, file, line: 3, column: 8, start: 0, end: text.length }
}

export type AgentParts = Partial<Omit<AgentFile, 'tools' | 'disallowedTools' | 'permissionMode'>> & {
  readonly tools?: readonly string[]
  readonly disallowedTools?: readonly string[]
  readonly permissionMode?: string
}

export function agentOf(
  name: string,
  { tools, disallowedTools, permissionMode, ...more }: AgentParts = {},
): AgentFile {
  const file = `${name}.md`
  const entries = (texts: readonly string[]): Entry[] => texts.map((text) => entryOf(text, file))
  return {
    name,
    source: 'project',
    file,
    text: '',
    keys: new Map([['tools', entryOf('', file)]]),
    frontmatter: {},
    body: 0,
    ...(tools !== undefined && { tools: entries(tools) }),
    ...(disallowedTools !== undefined && { disallowedTools: entries(disallowedTools) }),
    ...(permissionMode !== undefined && { permissionMode: entryOf(permissionMode, file) }),
    ...more,
  }
}

export function hookOf(event: string, matcher: string | undefined, more: Partial<HookEntry> = {}): HookEntry {
  return {
    event,
    source: 'user',
    hook: { type: 'command', command: 'true' },
    file: 'user.json',
    line: 1,
    column: 1,
    ...(matcher !== undefined && { matcher }),
    ...more,
  }
}
