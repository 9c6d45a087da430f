/** The files that `ctxd init` writes for Claude Code. */

import { join } from 'node:path'

import { canonicalJson, isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { settingsPrefix } from '../../core/own-tools.ts'
import { ownFile, type ClientFile } from '../init/client-file.ts'
import { guidance } from '../init/guidance.ts'
import { jsonFile } from '../init/json-file.ts'
import { WrongShape, withItems, type JsonEdit } from '@contextd/shared/json/json-edits'
import { sectionFile } from '../init/section.ts'
import { withoutUnsafeSettings } from '../init/server-entry.ts'
import { hookConfig, type HookConfig } from './hook-config.ts'
import { doorFiles, doorEdits, type DoorSettings } from './init-door.ts'
import { skillMark, skillText } from './init-skill.ts'

export interface ClaudeCodeSetup {
  /** A project, or the user's own folders. */
  readonly place:
    | { readonly project: string }
    /** `config` is the settings folder, `servers` the file with the MCP servers for all projects. */
    | { readonly config: string; readonly servers: string }
  /** The command line that runs contextd. */
  readonly program: readonly [string, ...string[]]
  readonly mode: 'friendly' | 'strict'
  /** Names of servers that are moved behind the gateway. */
  readonly moved: readonly string[]
  /** Absent if hooks scrub. */
  readonly door?: DoorSettings
  /** The text of a file, if it exists. */
  readonly read: (path: string) => string | undefined
}

export function claudeCodeFiles({ place, program, mode, moved, door, read }: ClaudeCodeSetup): ClientFile[] {
  const folder = 'project' in place ? join(place.project, '.claude') : place.config
  const hooks = hookConfig({
    server: 'contextd',
    matcherPrefix: settingsPrefix,
    command: [...program, 'hook'],
    door: door !== undefined,
  })
  const settings = [
    holdRules(allowRules, [...denyRules, ...(mode === 'strict' ? strictRules : [])]),
    holdHooks(hooks),
    // With the door on, requests are scrubbed before the client counts tokens.
    ...(door === undefined ? [raisedMcpOutputLimit] : []),
  ]
  const isUsers = !('project' in place)
  const ours =
    door !== undefined && isUsers
      ? {
          ...jsonFile(join(folder, 'settings.json'), 'json', [...settings, ...doorEdits(door)]),
          isPrivate: true as const,
        }
      : jsonFile(join(folder, 'settings.json'), 'json', settings)
  const files = [
    jsonFile('project' in place ? join(place.project, '.mcp.json') : place.servers, 'json', [
      ...moved.map(withoutServer),
      ourServer(program, 'project' in place),
    ]),
    ours,
    ...(door !== undefined && !isUsers ? doorFiles(place, door) : []),
    ownFile(join(folder, 'skills', 'contextd', 'SKILL.md'), () => skillText, skillMark),
  ]
  if (!('project' in place)) return files
  // If there is a CLAUDE.md, the client reads AGENTS.md only if it is imported there.
  const claude = join(place.project, 'CLAUDE.md')
  const claudeText = read(claude)
  const needsOwn = claudeText !== undefined && !/(?:^|\s)@(?:\.\/)?AGENTS\.md\b/.test(claudeText)
  return [
    ...files,
    sectionFile(join(place.project, 'AGENTS.md'), guidance),
    ...(needsOwn ? [sectionFile(claude, guidance)] : []),
  ]
}

/** Preserves the user's other settings of the server, such as env or a timeout. */
function ourServer([command, ...args]: readonly [string, ...string[]], isProjects: boolean): JsonEdit {
  return {
    path: ['mcpServers', 'contextd'],
    put(now) {
      const { type: _type, url: _url, headers: _headers, ...rest } = isJsonObject(now) ? now : {}
      const kept = isProjects ? withoutUnsafeSettings(rest, 'env') : rest
      return { ...kept, command, args: [...args, 'mcp', 'serve'] }
    },
    clear: () => undefined,
  }
}

/**
 * Above its own limit, the client sends an MCP server's answer to be counted before any hook has seen it. Long
 * answers are still stored in a file.
 */
const raisedMcpOutputLimit: JsonEdit = {
  path: ['env', 'MAX_MCP_OUTPUT_TOKENS'],
  put: () => mcpOutputTokens,
  clear: (now) => (now === mcpOutputTokens ? undefined : now),
}
const mcpOutputTokens = '100000000'

function withoutServer(name: string): JsonEdit {
  return { path: ['mcpServers', name], put: () => undefined, clear: (now) => now }
}

/** Permission rules, in forms that Claude Code was observed to apply: no parentheses for MCP tools. */

/** Our skill and our tools, the latter in two forms because some versions ignored one of them. */
const allowRules = ['mcp__contextd', 'mcp__contextd__*', 'Skill(contextd)']

/**
 * Denies reading agents' transcripts, which any agent could otherwise read, and our own folders. Large outputs
 * (`tool-results`) stay readable: the hooks know their owner and scrub them.
 */
const denyRules = [
  'Read(//**/subagents/**)',
  'Read(//**/tasks/*.output)',
  'Read(~/.config/contextd/**)',
  'Edit(~/.config/contextd/**)',
  'Read(~/.local/state/contextd/**)',
  'Edit(~/.local/state/contextd/**)',
]

/** A bare name removes the tool, from subagents too. */
const strictRules = ['Bash', 'Edit', 'Monitor', 'NotebookEdit', 'Read', 'Write']

function holdRules(allow: readonly string[], deny: readonly string[]): JsonEdit {
  const keep = (rule: Json): Json => rule
  const read = (now: Json | undefined, path: readonly string[]): JsonObject => {
    if (now !== undefined && !isJsonObject(now)) throw new WrongShape(path, 'an object')
    return now ?? {}
  }
  return {
    path: ['permissions'],
    put(now, path) {
      const rules = read(now, path)
      return {
        ...rules,
        allow: withItems(rules.allow, [...path, 'allow'], allow, keep),
        deny: withItems(rules.deny, [...path, 'deny'], deny, keep),
      }
    },
    clear(now, path) {
      const { allow: allowed, deny: denied, ...others } = read(now, path)
      // Anyone may have denied the same tools; the denials are ours only if our allow rules are there.
      if (!Array.isArray(allowed) || !allow.some((rule) => allowed.includes(rule))) return now
      const left = {
        allow: withItems(allowed, [...path, 'allow'], [], dropping(allow)),
        deny: withItems(denied, [...path, 'deny'], [], dropping(oursIn(denied))),
      }
      const lists = Object.entries(left).filter(([, rules]) => rules.length > 0)
      const rest = { ...others, ...Object.fromEntries(lists) }
      return Object.keys(rest).length === 0 ? undefined : rest
    },
  }
}

/**
 * Users deny single tools; only if everything that strict mode denies is denied, next to our allow rules, is it
 * ours.
 */
function oursIn(denied: Json | undefined): readonly string[] {
  const isStrict = Array.isArray(denied) && strictRules.every((rule) => denied.includes(rule))
  return isStrict ? [...denyRules, ...strictRules] : denyRules
}

function dropping(ours: readonly string[]): (rule: Json) => Json | undefined {
  return (rule) => (typeof rule === 'string' && ours.includes(rule) ? undefined : rule)
}

/** Removes our hooks from all events, including those of older versions, and adds the current ones. */
function holdHooks(wanted: HookConfig): JsonEdit {
  const change = (now: Json | undefined, path: readonly string[], config: HookConfig): JsonObject => {
    if (now !== undefined && !isJsonObject(now)) throw new WrongShape(path, 'an object')
    const events = new Set([...Object.keys(now ?? {}), ...Object.keys(config)])
    return Object.fromEntries(
      Array.from(events).flatMap((event): [string, Json][] => {
        const there = now !== undefined && Object.hasOwn(now, event) ? now[event] : undefined
        const groups = (config[event] ?? []) as unknown as Json[]
        const next = withItems(there, [...path, event], groups, stripGroup)
        const isEmptied = next.length === 0 && canonicalJson(there) !== '[]'
        return isEmptied ? [] : [[event, next]]
      }),
    )
  }
  return {
    path: ['hooks'],
    put: (now, path) => change(now, path, wanted),
    clear(now, path) {
      const left = change(now, path, {})
      return Object.keys(left).length === 0 ? undefined : left
    },
  }
}

function stripGroup(group: Json): Json | undefined {
  if (!isJsonObject(group) || !Array.isArray(group.hooks)) return group
  const others = group.hooks.filter((hook) => !isOurHook(hook))
  if (others.length === group.hooks.length) return group
  return others.length === 0 ? undefined : { ...group, hooks: others }
}

function isOurHook(hook: Json): boolean {
  if (!isJsonObject(hook)) return false
  const { type, server, tool, command, args } = hook
  if (type === 'mcp_tool') return server === 'contextd' && tool === 'attest'
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string')
  // Either one line for a shell, or a program with arguments.
  return /(?:^|[\s/'"])contextd(?:\.js)?['"]?\s+hook\s/.test(`${words.join(' ')} `)
}
