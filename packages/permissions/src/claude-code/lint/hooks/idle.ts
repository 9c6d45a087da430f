/** Hooks that never run. */

import type { JsonPath } from '@contextd/shared/json/json-source'
import { nearest } from '@contextd/shared/text/nearest'
import type { FindingDetails, LintRule } from '../../../findings/finding.ts'
import { offSwitches } from '../../explain/hook-match.ts'
import { guardEvents, hookEvents } from '../../rules/hook-shape.ts'
import type { ClaudeSetup, HookEntry, SettingsFile } from '../../setup/setup.ts'
import { deadConditions, deadMatchers } from './dead-matchers.ts'
import { findingAt, findingIn, type FindingText } from '../places/finding-at.ts'
import { changeHook } from './failing-open.ts'
import { isGuard } from './in-force.ts'
import { placeText } from '../places/place-text.ts'

export const idleHookRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'hook-matches-nothing',
    severity: 'warning',
    title: 'A matcher or condition that matches no tool',
    why: 'A matcher of letters, digits, `_`, `-`, `|` and `,` is a list of full names: `mcp__github` matches no tool at all, and `bash` is not `Bash`. Anything else is a regular expression that may match anywhere in the name: `mcp__github__.*`. Permission rules, such as `Bash(git:*)`, are not matchers; they belong in `if` of the hook: a single rule, with the full name of an MCP tool. A guard that matches nothing guards nothing.',
    check: ({ hooks, settings }) => hooks.flatMap((entry) => matchesNothing(entry, settings)),
  },
  {
    id: 'hook-unknown-server',
    severity: 'error',
    title: 'A hook that calls an unknown server',
    why: 'A hook of type `mcp_tool` must use the full name of its server: `plugin:<plugin>:<server>` for a plugin server. With any other name, the hook is silently skipped and the call continues.\n\n`--fix` inserts the full name where it is unambiguous.',
    check: unknownServers,
  },
  {
    id: 'unknown-hook-event',
    severity: 'warning',
    title: 'Hooks for an unknown event',
    why: 'Event names must match exactly. Hooks under any other name are silently ignored.',
    check: unknownEvents,
  },
  {
    id: 'hooks-switched-off',
    severity: 'warning',
    title: 'Hooks are defined but disabled',
    why: '`disableAllHooks: true` at any level, even in project settings, disables the hooks of all levels, plugins, agents and skills, even in an untrusted workspace; only those of the managed settings remain. `allowManagedHooksOnly` in the managed settings does the same. A disabled guard protects nothing, so this is an error.',
    check: disabledHooks,
  },
]

/** Events whose matchers are about tools. */
const toolEvents = new Set([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionDenied',
])

function matchesNothing(entry: HookEntry, settings: readonly SettingsFile[]): FindingDetails[] {
  const { matcher, event, path, file, hook } = entry
  if (!toolEvents.has(event)) return []
  const settingsFile = settings.find((one) => one.file === file)
  const severity = isGuard(entry) ? 'error' : 'warning'
  const at = (where: JsonPath | undefined, { message, fix }: FindingText): FindingDetails => {
    const text: FindingText = { message, fix, severity }
    return settingsFile === undefined || where === undefined
      ? findingAt(entry, text)
      : findingIn(settingsFile, where, 'value', text)
  }
  // The hooks of a group share their matcher.
  const isFirst = (path?.at(-1) ?? 0) === 0
  const matchers = matcher === undefined || !isFirst ? [] : deadMatchers(matcher)
  const conditions = typeof hook.if === 'string' ? deadConditions(hook.if) : []
  return [
    ...matchers.map((text) => at(path && [...path.slice(0, -2), 'matcher'], text)),
    ...conditions.map((text) => at(path && [...path, 'if'], text)),
  ]
}

function unknownServers({ hooks, servers, isUsed }: ClaudeSetup): FindingDetails[] {
  const running = servers.filter(({ off }) => off === undefined)
  const names = new Set(running.map(({ fullName }) => fullName))
  return hooks.flatMap((entry) => {
    const { type, server } = entry.hook
    if (type !== 'mcp_tool' || typeof server !== 'string' || names.has(server)) return []
    const meant = [...new Set(running.filter(({ name }) => name === server).map(({ fullName }) => fullName))]
    const [only] = meant
    // On a machine without Claude Code the user's servers are unknown.
    if (only === undefined && !isUsed) return []
    const isUnambiguous = meant.length === 1 && entry.path !== undefined && entry.plugin === undefined
    return findingAt(entry, {
      message: `No server with the name \`${server}\` runs here, so this hook is skipped and the call continues.`,
      fix:
        only === undefined
          ? 'Use the name of a configured server.'
          : `Use its full name: \`${meant.join('` or `')}\`.`,
      ...(!isGuard(entry) && { severity: 'warning' }),
      ...(only !== undefined && isUnambiguous && { repairs: [changeHook(entry, { server: only })] }),
    })
  })
}

function unknownEvents({ hooks, settings }: ClaudeSetup): FindingDetails[] {
  const byEvent = new Map(
    hooks
      .filter(({ event }) => !hookEvents.includes(event))
      .map((entry) => [`${entry.file} ${entry.event}`, entry]),
  )
  return Array.from(byEvent.values(), (entry) => {
    const { event, file, path } = entry
    const meant = nearest(event, hookEvents)
    const text: FindingText = {
      message: `Claude Code has no event \`${event}\`: none of its hooks ever run.`,
      fix: meant === undefined ? `Use one of: ${hookEvents.join(', ')}.` : `Did you mean \`${meant}\`?`,
      ...(meant !== undefined && guardEvents.includes(meant) && { severity: 'error' }),
    }
    const settingsFile = settings.find((one) => one.file === file)
    return settingsFile === undefined || path === undefined
      ? findingAt(entry, text)
      : findingIn(settingsFile, path.slice(0, 2), 'key', text)
  })
}

function disabledHooks(setup: ClaudeSetup): FindingDetails[] {
  return offSwitches(setup)
    .filter(({ hooks }) => hooks.length > 0)
    .map(({ file, key, hooks }) => findingIn(file, [key], 'key', disabledText(file, key, hooks, setup)))
}

function disabledText(
  { level }: SettingsFile,
  key: string,
  hooks: readonly HookEntry[],
  setup: ClaudeSetup,
): FindingText {
  const guards = hooks.filter(isGuard)
  const [first] = guards.length > 0 ? guards : hooks
  const place = first === undefined ? '' : placeText(first, setup)
  const what = hooks.length === 1 ? `a hook (${place})` : `${hooks.length} hooks (such as ${place})`
  return {
    message: `\`${key}\` disables ${what}: none of it runs.`,
    fix:
      level === 'managed'
        ? 'Ask the administrator to add the hooks to the managed settings, or remove them.'
        : 'Remove this key, or the hooks.',
    ...(guards.length > 0 && { severity: 'error' }),
  }
}
