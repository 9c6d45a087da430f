/** How the client handles malformed hooks. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'

export const hookEvents: readonly string[] = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Notification',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'PreModelSwitch',
  'PostModelSwitch',
  'PermissionRequest',
  'PermissionDenied',
  'Setup',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'Elicitation',
  'ElicitationResult',
  'ConfigChange',
  'WorktreeCreate',
  'WorktreeRemove',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'DirectoryAdded',
  'MessageDisplay',
]

/** Hooks for these events restrict what rules allow, so the client ignores the whole file if one is malformed. */
export const guardEvents: readonly string[] = ['PreToolUse', 'PermissionRequest']

export interface HookFault {
  readonly path: JsonPath
  readonly expected: string
  /** What the client ignores because of it. */
  readonly drops: 'file' | 'hook' | 'event'
}

/** Faults in the hooks of a settings object. Unknown events are not faults. */
export function hookFaults(settings: JsonObject): HookFault[] {
  const { hooks } = settings
  const misplaced = guardEvents
    .filter((event) => Object.hasOwn(settings, event))
    .map((event): HookFault => ({ path: [event], expected: 'this key under `hooks`', drops: 'file' }))
  if (hooks === undefined || hooks === null) return misplaced
  const path = ['hooks']
  if (!isJsonObject(hooks)) {
    const drops = Array.isArray(hooks) && hooks.some(isGroup) ? 'file' : 'event'
    return [...misplaced, { path, expected: 'an object keyed by event', drops }]
  }
  const events = Object.entries(hooks)
  return [...misplaced, ...events.flatMap(([event, groups]) => eventFaults(event, groups, [...path, event]))]
}

function eventFaults(event: string, groups: Json, path: JsonPath): HookFault[] {
  if (!hookEvents.includes(event)) {
    const isMisplaced = isJsonObject(groups) && guardEvents.some((guard) => Object.hasOwn(groups, guard))
    return isMisplaced
      ? [{ path, expected: 'the name of an event, without a wrapper object', drops: 'file' }]
      : []
  }
  const isGuard = guardEvents.includes(event)
  if (!Array.isArray(groups)) {
    const drops = isGuard && groups !== null ? 'file' : 'event'
    return [{ path, expected: 'a list of objects with `matcher` and `hooks`', drops }]
  }
  const drops = isGuard ? 'file' : 'hook'
  return groups
    .flatMap((group, index) => groupFaults(group, [...path, index]))
    .map(({ path: at, expected }) => ({ path: at, expected, drops }))
}

type Fault = Omit<HookFault, 'drops'>

function groupFaults(group: Json, path: JsonPath): Fault[] {
  if (!isJsonObject(group)) return [{ path, expected: 'an object with `matcher` and `hooks`' }]
  if (!Array.isArray(group.hooks)) {
    const at = group.hooks === undefined ? path : [...path, 'hooks']
    return [{ path: at, expected: '`hooks`, a list of hooks' }]
  }
  const matcher = checked(group, 'matcher', path, 'a string', (value) => typeof value === 'string')
  return [
    ...matcher,
    ...group.hooks.flatMap((hook, index) => singleHookFaults(hook, [...path, 'hooks', index])),
  ]
}

/** The required fields of each type. */
const requiredFields: Readonly<Record<string, readonly string[]>> = {
  command: ['command'],
  http: ['url'],
  prompt: ['prompt'],
  agent: ['prompt'],
  mcp_tool: ['server', 'tool'],
}

const hookTypes = Object.keys(requiredFields)
/** The types that support `onFailure`. */
export const typesWithOnFailure = ['command', 'http']

function singleHookFaults(hook: Json, path: JsonPath): Fault[] {
  if (!isJsonObject(hook)) return [{ path, expected: 'an object with `type`' }]
  const { type } = hook
  const fields =
    typeof type === 'string' && Object.hasOwn(requiredFields, type) ? requiredFields[type] : undefined
  if (typeof type !== 'string' || fields === undefined) {
    const at = type === undefined ? path : [...path, 'type']
    return [{ path: at, expected: `a known \`type\` (${hookTypes.join(', ')})` }]
  }
  const isText = (value: Json): boolean => typeof value === 'string'
  const missing = fields.filter((name) => hook[name] === undefined)
  const onFailure = typesWithOnFailure.includes(type)
    ? checked(
        hook,
        'onFailure',
        path,
        '"block" or "continue"',
        (value) => value === 'block' || value === 'continue',
      )
    : []
  return [
    ...missing.map((name) => ({ path, expected: `\`${name}\` next to the type` })),
    ...fields.flatMap((name) => checked(hook, name, path, 'a string', isText)),
    ...checked(hook, 'if', path, 'a string', isText),
    ...checked(hook, 'timeout', path, 'a number of seconds above 0', (value) => Number(value) > 0),
    ...onFailure,
  ]
}

function checked(
  object: JsonObject,
  key: string,
  path: JsonPath,
  expected: string,
  is: (value: Json) => boolean,
): Fault[] {
  const value = object[key]
  return value === undefined || is(value) ? [] : [{ path: [...path, key], expected }]
}

function isGroup(value: Json): boolean {
  return isJsonObject(value) && Array.isArray(value.hooks)
}

/** Whether there may be a guard hook: one for such an event, or for an unknown one. */
export function mayGuard(hooks: Json | undefined): boolean {
  if (hooks === undefined || hooks === null) return false
  if (typeof hooks !== 'object') return true
  const isSome = (groups: Json): boolean => !Array.isArray(groups) || groups.length > 0
  return Object.entries(hooks).some(
    ([event, groups]) => isSome(groups) && (guardEvents.includes(event) || !hookEvents.includes(event)),
  )
}

/** Whether there is a hook for one of these events. */
export function namesEvent(hooks: Json | undefined, events = hookEvents): boolean {
  return isJsonObject(hooks) && Object.keys(hooks).some((event) => events.includes(event))
}
