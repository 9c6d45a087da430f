/** What `ctxd init` writes into the settings files of Claude Code. */

import { canonicalJson, isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { withItems, WrongShape, type JsonEdit } from '@contextd/shared/json/json-edits'
import type { HookConfig } from './hook-config.ts'
import { doorEdits, type DoorSettings } from './init-door.ts'

export interface OwnSettings {
  readonly hooks: HookConfig
  readonly isStrict: boolean
  /** Whether other servers' long answers stay on this machine until hooks have scrubbed them. */
  readonly raisesOutputLimit?: boolean
  readonly door?: DoorSettings
}

export function settingsEdits({ hooks, isStrict, raisesOutputLimit, door }: OwnSettings): JsonEdit[] {
  return [
    holdRules(allowRules, isStrict ? [...denyRules, ...strictRules] : denyRules),
    holdHooks(hooks),
    ...(raisesOutputLimit === true ? [raisedMcpOutputLimit] : []),
    ...(door === undefined ? doorEdits({ url: '' }).map(removal) : doorEdits(door)),
  ]
}

/** Removes what an earlier run wrote. */
function removal(edit: JsonEdit): JsonEdit {
  return { ...edit, put: (now, path) => (now === undefined ? undefined : edit.clear(now, path)) }
}

/** Everything that any version of contextd may have written, for removing it. */
export function allSettingsEdits(): JsonEdit[] {
  return settingsEdits({ hooks: {}, isStrict: true, raisesOutputLimit: true, door: { url: '' } })
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

/** Permission rules, in forms that Claude Code was observed to apply: no parentheses for MCP tools. */

/** Our skill and our tools, the latter in two forms because some versions ignored one of them. */
const allowRules = ['mcp__contextd', 'mcp__contextd__*', 'Skill(contextd)']

/**
 * Denies reading agents' transcripts, which any agent could otherwise read, and our own folders. Large outputs
 * (`tool-results`) and the output of background commands stay readable: the hooks know their session and scrub them.
 * By the first letter of their names, `isAgentsTask` tells them from the outputs of agents.
 */
const denyRules = [
  'Read(//**/subagents/**)',
  'Read(//**/tasks/[ac-jln-rt-z]*.output)',
  'Read(~/.config/contextd/**)',
  'Edit(~/.config/contextd/**)',
  'Read(~/.local/state/contextd/**)',
  'Edit(~/.local/state/contextd/**)',
]

/** Of older versions: one kept a session from its own background commands, one opened teammates and workflows. */
const oldDenyRules = ['Read(//**/tasks/*.output)', 'Read(//**/tasks/a*.output)']

const oldStrictRules = ['Bash', 'Edit', 'Monitor', 'NotebookEdit', 'Read', 'Write']

/** A bare name removes the tool, from subagents too. The client offers Glob and Grep where it has no Bash. */
const strictRules = [...oldStrictRules, 'Glob', 'Grep']

function holdRules(allow: readonly string[], deny: readonly string[]): JsonEdit {
  const read = (now: Json | undefined, path: readonly string[]): JsonObject => {
    if (now !== undefined && !isJsonObject(now)) throw new WrongShape(path, 'an object')
    return now ?? {}
  }
  return {
    path: ['permissions'],
    put(now, path) {
      const rules = read(now, path)
      const old = Array.isArray(rules.allow) && rules.allow.includes(allowRules[1]!) ? oldDenyRules : []
      return {
        ...rules,
        allow: withItems(rules.allow, [...path, 'allow'], allow, (rule) => rule),
        deny: withItems(rules.deny, [...path, 'deny'], deny, dropping(old)),
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
 * Users deny single tools; only if everything that strict mode has always denied is denied, next to our allow rules,
 * is it ours.
 */
function oursIn(denied: Json | undefined): readonly string[] {
  const isStrict = Array.isArray(denied) && oldStrictRules.every((rule) => denied.includes(rule))
  const ours = [...denyRules, ...oldDenyRules]
  return isStrict ? [...ours, ...strictRules] : ours
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
