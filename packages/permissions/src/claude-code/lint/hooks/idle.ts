/** Hooks that never run. */

import type { JsonPath } from '@contextd/shared/json/json-source'
import { nearest } from '@contextd/shared/text/nearest'
import type { FindingDetails, LintRule } from '../../../findings/finding.ts'
import { offSwitches } from '../../explain/hook-match.ts'
import { guardEvents, hookEvents } from '../../rules/hook-shape.ts'
import type { ClaudeSetup, HookEntry, SettingsFile } from '../../setup/setup.ts'
import { deadConditions, deadMatchers } from './dead-matchers.ts'
import { foundAt, foundIn, type Told } from '../places/found-in.ts'
import { changeHook } from './failing-open.ts'
import { isGuard } from './in-force.ts'
import { placeText } from '../places/place-text.ts'

export const idleHookRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'hook-matches-nothing',
    severity: 'warning',
    title: 'A matcher or condition that matches no tool',
    why: 'A matcher of letters, digits, `_`, `-`, `|` and `,` is a list of whole names: `mcp__github` matches no tool at all, `bash` is not `Bash`. Anything else is a regular expression that may match anywhere in the name: `mcp__github__.*`. Rules of permissions, such as `Bash(git:*)`, are not matchers; they belong in `if` of the hook, one rule and for MCP tools the whole name. A guard that fits nothing guards nothing.',
    check: ({ hooks, settings }) => hooks.flatMap((entry) => matchesNothing(entry, settings)),
  },
  {
    id: 'hook-unknown-server',
    severity: 'error',
    title: 'A hook that calls an unknown server',
    why: 'A hook of type `mcp_tool` names its server with its full name: `plugin:<plugin>:<server>` for a server that a plugin brings. With another name, the hook is skipped silently, and the call continues.\n\n`--fix` inserts the full name where it is unambiguous.',
    check: unknownServers,
  },
  {
    id: 'unknown-hook-event',
    severity: 'warning',
    title: 'Hooks for an unknown event',
    why: 'Event names must match exactly. Hooks under any other name are ignored silently.',
    check: unknownEvents,
  },
  {
    id: 'hooks-switched-off',
    severity: 'warning',
    title: 'Hooks are defined but disabled',
    why: '`disableAllHooks: true` at one level, also in the settings of a project, switches off the hooks of all levels, of plugins, agents and skills, even in an untrusted workspace; only those of the managed settings stay. `allowManagedHooksOnly` in the managed settings does the same. A disabled guard protects nothing, so this is an error.',
    check: switchedOff,
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
  const own = settings.find((one) => one.file === file)
  const severity = isGuard(entry) ? 'error' : 'warning'
  const at = (where: JsonPath | undefined, { message, fix }: Told): FindingDetails => {
    const told: Told = { message, fix, severity }
    return own === undefined || where === undefined
      ? foundAt(entry, told)
      : foundIn(own, where, 'value', told)
  }
  // The hooks of a group share their matcher.
  const isFirst = (path?.at(-1) ?? 0) === 0
  const matchers = matcher === undefined || !isFirst ? [] : deadMatchers(matcher)
  const conditions = typeof hook.if === 'string' ? deadConditions(hook.if) : []
  return [
    ...matchers.map((told) => at(path && [...path.slice(0, -2), 'matcher'], told)),
    ...conditions.map((told) => at(path && [...path, 'if'], told)),
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
    // Of a user who is not here we know no servers.
    if (only === undefined && !isUsed) return []
    const isPlain = meant.length === 1 && entry.path !== undefined && entry.plugin === undefined
    return foundAt(entry, {
      message: `No server runs here under the name \`${server}\`, so this hook does nothing and the call continues.`,
      fix:
        only === undefined
          ? 'Name a server that is set up.'
          : `Name it in full: \`${meant.join('` or `')}\`.`,
      ...(!isGuard(entry) && { severity: 'warning' }),
      ...(only !== undefined && isPlain && { repairs: [changeHook(entry, { server: only })] }),
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
    const told: Told = {
      message: `Claude Code has no event \`${event}\`: none of the hooks under it ever runs.`,
      fix: meant === undefined ? `Use one of: ${hookEvents.join(', ')}.` : `Did you mean \`${meant}\`?`,
      ...(meant !== undefined && guardEvents.includes(meant) && { severity: 'error' }),
    }
    const own = settings.find((one) => one.file === file)
    return own === undefined || path === undefined
      ? foundAt(entry, told)
      : foundIn(own, path.slice(0, 2), 'key', told)
  })
}

function switchedOff(setup: ClaudeSetup): FindingDetails[] {
  return offSwitches(setup)
    .filter(({ hooks }) => hooks.length > 0)
    .map(({ file, key, hooks }) => foundIn(file, [key], 'key', offTold(file, key, hooks, setup)))
}

function offTold(
  { level }: SettingsFile,
  key: string,
  hooks: readonly HookEntry[],
  setup: ClaudeSetup,
): Told {
  const guards = hooks.filter(isGuard)
  const [first] = guards.length > 0 ? guards : hooks
  const place = first === undefined ? '' : placeText(first, setup)
  const what = hooks.length === 1 ? `a hook (${place})` : `${hooks.length} hooks (such as ${place})`
  return {
    message: `\`${key}\` switches off ${what}: nothing of that runs.`,
    fix:
      level === 'managed'
        ? 'Ask the administrator to take the hooks over into the managed settings, or remove them.'
        : 'Remove this key, or the hooks.',
    ...(guards.length > 0 && { severity: 'error' }),
  }
}
