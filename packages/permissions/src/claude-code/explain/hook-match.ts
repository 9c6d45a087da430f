/** Which hooks the client runs before a call of a tool. */

import { runInNewContext } from 'node:vm'

import { allowMatcher } from './shell/bash-rule.ts'
import { builtin, canonicalTool } from '../rules/builtin-tools.ts'
import { parseRule } from '../rules/rule.ts'
import { meansArgument } from './rule-match.ts'
import { findSkill } from './skills.ts'
import type { AgentFile, ClaudeSetup, HookEntry, SettingsFile } from '../setup/setup.ts'
import { readShellLine } from '../../shell/shell-line.ts'

/**
 * Whether a matcher of PreToolUse and the like is about the tool: a list of names where it has nothing but names in it,
 * and else a regular expression that may fit any part of the name.
 */
export function hookMatches(matcher: string | undefined, tool: string, patience = { left: 1 }): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true
  if (/^[\w\s|,-]*$/.test(matcher))
    return matcher.split(/[|,]/).some((name) => canonicalTool(name.trim()) === canonicalTool(tool))
  try {
    if (isQuick(matcher)) return new RegExp(matcher).test(tool)
    // Nobody knows what comes of a pattern that takes forever.
    if (patience.left <= 0) return true
    const script = 'new RegExp(matcher).test(tool)'
    return runInNewContext(script, { matcher, tool }, { timeout: maxMatchMs }) as boolean
  } catch (error) {
    // Of a pattern that is none, nothing comes.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    patience.left -= 1
    return true
  }
}

/** Repeats little, and nothing that repeats itself: such a pattern comes to an end on any name. */
function isQuick(pattern: string): boolean {
  return !/\)[*+{?]/.test(pattern) && (pattern.match(/[*+{]/g)?.length ?? 0) <= 3
}

/** The pattern is whoever's wrote the settings, and some never come to an end. */
const maxMatchMs = 500
/** After so many of them no other is tried that may be like them. */
const maxEndless = 3

/** Those that are asked before a call: always, or only where the client would ask the user. */
const askedBefore = new Set(['PreToolUse', 'PermissionRequest'])

export interface HookedCall {
  readonly tool: string
  readonly argument?: string
  /** Who calls, and what the main conversation runs as: its hooks are asked about its subagents too. */
  readonly agents: readonly AgentFile[]
  /** Whether the client would ask the user. */
  readonly willAsk: boolean
  /** Hooks of skills are about the main conversation alone. */
  readonly isMain: boolean
  /** The skill that ran before; where none is named, any may have. */
  readonly after?: string
}

/** In the order of the setup. */
export function hooksBefore(setup: ClaudeSetup, call: HookedCall): readonly HookEntry[] {
  const { tool, agents, willAsk } = call
  const off = new Set(offSwitches(setup).flatMap(({ hooks }) => hooks))
  const patience = { left: maxEndless }
  return setup.hooks.filter(
    (entry) =>
      askedBefore.has(entry.event) &&
      (willAsk || entry.event === 'PreToolUse') &&
      !off.has(entry) &&
      (entry.source !== 'agent' || agents.some((agent) => isOfAgent(entry, agent))) &&
      (entry.source !== 'skill' || mayHaveRun(setup, entry, call)) &&
      hookMatches(entry.matcher, tool, patience) &&
      isCondition(setup, entry.hook.if, call),
  )
}

/** `if` is a rule of its own; one that names no tool, or with wildcards, is never true. */
function isCondition(setup: ClaudeSetup, text: unknown, { tool, argument }: HookedCall): boolean {
  if (typeof text !== 'string' || text === '') return true
  const rule = parseRule(text)
  if ('problem' in rule || canonicalTool(rule.tool) !== tool) return false
  const { content } = rule
  if (content === undefined || argument === undefined) return true
  if (builtin(tool)?.kind !== 'shell')
    return meansArgument(content, { level: 'project' }, tool, argument, setup)
  return readShellLine(argument, setup.home).commands.some((command) => allowMatcher(command)(content))
}

function isOfAgent({ owner, file }: HookEntry, agent: AgentFile): boolean {
  return owner === agent.name && file === agent.file
}

function mayHaveRun(setup: ClaudeSetup, { owner, file }: HookEntry, { isMain, after }: HookedCall): boolean {
  // Of two skills with one name the other never runs.
  return isMain && findSkill(setup, after ?? owner ?? '')?.file?.file === file
}

export interface OffSwitch {
  readonly file: SettingsFile
  readonly key: 'disableAllHooks' | 'allowManagedHooksOnly'
  readonly hooks: readonly HookEntry[]
}

/** What switches hooks off, and which: the administrator's only the administrator does. */
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
