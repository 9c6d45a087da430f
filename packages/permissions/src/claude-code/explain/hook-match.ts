/** Which hooks the client runs before a tool call. */

import { runInNewContext } from 'node:vm'

import { allowMatcher } from './shell/bash-rule.ts'
import { builtin, canonicalTool } from '../rules/builtin-tools.ts'
import { parseRule } from '../rules/rule.ts'
import { matchesArgument } from './rule-match.ts'
import { findSkill } from './skills.ts'
import type { AgentFile, ClaudeSetup, HookEntry, SettingsFile } from '../setup/setup.ts'
import { readShellLine } from '../../shell/shell-line.ts'

/**
 * Whether the matcher of a tool hook such as PreToolUse matches the tool. A matcher of only names and separators is a
 * list of names; any other is an unanchored regular expression.
 */
export function hookMatches(matcher: string | undefined, tool: string, timeouts = { left: 1 }): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true
  if (/^[\w\s|,-]*$/.test(matcher))
    return matcher.split(/[|,]/).some((name) => canonicalTool(name.trim()) === canonicalTool(tool))
  try {
    if (isQuick(matcher)) return new RegExp(matcher).test(tool)
    // Too many patterns have timed out; assume a match, so that no hook goes unreported.
    if (timeouts.left <= 0) return true
    const script = 'new RegExp(matcher).test(tool)'
    return runInNewContext(script, { matcher, tool }, { timeout: maxMatchMs }) as boolean
  } catch (error) {
    // An invalid pattern matches nothing.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    timeouts.left -= 1
    return true
  }
}

/** With few quantifiers and none on a group, a pattern cannot backtrack exponentially. */
function isQuick(pattern: string): boolean {
  return !/\)[*+{?]/.test(pattern) && (pattern.match(/[*+{]/g)?.length ?? 0) <= 3
}

/** Patterns come from untrusted settings, and some backtrack practically forever. */
const maxMatchMs = 500
/** After this many timeouts, no further slow pattern is tried. */
const maxTimeouts = 3

/** Events before a call: PreToolUse for every call, PermissionRequest only if the client would ask the user. */
const eventsBefore = new Set(['PreToolUse', 'PermissionRequest'])

export interface HookedCall {
  readonly tool: string
  readonly argument?: string
  /** The calling agent and the agent of the main conversation, whose hooks also run for its subagents. */
  readonly agents: readonly AgentFile[]
  /** Whether the client would ask the user. */
  readonly willAsk: boolean
  /** Hooks of skills run in the main conversation only. */
  readonly isMain: boolean
  /** The skill that ran before; if absent, any skill may have run. */
  readonly after?: string
}

/** In the order in which the setup lists them. */
export function hooksBefore(setup: ClaudeSetup, call: HookedCall): readonly HookEntry[] {
  const { tool, agents, willAsk } = call
  const off = new Set(offSwitches(setup).flatMap(({ hooks }) => hooks))
  const timeouts = { left: maxTimeouts }
  return setup.hooks.filter(
    (entry) =>
      eventsBefore.has(entry.event) &&
      (willAsk || entry.event === 'PreToolUse') &&
      !off.has(entry) &&
      (entry.source !== 'agent' || agents.some((agent) => isOfAgent(entry, agent))) &&
      (entry.source !== 'skill' || mayHaveRun(setup, entry, call)) &&
      hookMatches(entry.matcher, tool, timeouts) &&
      meetsCondition(setup, entry.hook.if, call),
  )
}

/** `if` holds a permission rule; one without a tool name, or with a wildcard in it, never matches. */
function meetsCondition(setup: ClaudeSetup, text: unknown, { tool, argument }: HookedCall): boolean {
  if (typeof text !== 'string' || text === '') return true
  const rule = parseRule(text)
  if ('problem' in rule || canonicalTool(rule.tool) !== tool) return false
  const { content } = rule
  if (content === undefined || argument === undefined) return true
  if (builtin(tool)?.kind !== 'shell')
    return matchesArgument(content, { level: 'project' }, tool, argument, setup)
  return readShellLine(argument, setup.home).commands.some((command) => allowMatcher(command)(content))
}

function isOfAgent({ owner, file }: HookEntry, agent: AgentFile): boolean {
  return owner === agent.name && file === agent.file
}

function mayHaveRun(setup: ClaudeSetup, { owner, file }: HookEntry, { isMain, after }: HookedCall): boolean {
  // A skill shadowed by another of the same name never runs.
  return isMain && findSkill(setup, after ?? owner ?? '')?.file?.file === file
}

export interface OffSwitch {
  readonly file: SettingsFile
  readonly key: 'disableAllHooks' | 'allowManagedHooksOnly'
  readonly hooks: readonly HookEntry[]
}

/** Settings that disable hooks, and which hooks: only managed settings can disable managed hooks. */
export function offSwitches({ settings, hooks }: ClaudeSetup): OffSwitch[] {
  return settings.flatMap((file): OffSwitch[] => {
    const isManaged = file.level === 'managed'
    const others = hooks.filter(({ source }) => source !== 'managed')
    if (file.value.disableAllHooks === true)
      return [{ file, key: 'disableAllHooks', hooks: isManaged ? hooks : others }]
    const isExclusive = isManaged && file.value.allowManagedHooksOnly === true
    return isExclusive ? [{ file, key: 'allowManagedHooksOnly', hooks: others }] : []
  })
}
