/** Hooks that let a call through when they fail. */

import { canonicalJson, isJsonObject, type Json } from '@contextd/shared/json/value'
import type { FindingDetails, JsonRepair, LintRule } from '../../../findings/finding.ts'
import { typesWithOnFailure } from '../../rules/hook-shape.ts'
import type { ClaudeSetup, HookEntry } from '../../setup/setup.ts'
import { findingAt } from '../places/finding-at.ts'
import { decides } from './answers.ts'
import { hookText } from './text.ts'
import { isAttestation, isGuard } from './in-force.ts'

export const hookRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'hook-fails-open',
    severity: 'warning',
    title: 'A hook that lets the call through when it fails',
    why: 'A missing program, a timeout, an exit code other than 0 and 2, a refused connection: by default Claude Code reports it and continues the call. `"onFailure": "block"` next to the command makes each of them block the call. Write `"onFailure": "continue"` if a hook only observes.\n\nReported for PreToolUse and PermissionRequest hooks, and for UserPromptSubmit and PostToolBatch hooks whose source shows that they decide something. Text on standard output that is not JSON still lets the call through. `--fix` adds `"onFailure": "block"`.',
    check: (setup) => setup.hooks.flatMap((entry) => failsOpen(entry, setup)),
  },
  {
    id: 'hook-cannot-block',
    severity: 'note',
    title: 'A hook that cannot block when it fails',
    why: '`onFailure` exists for hooks of type `command` and `http`, not for `prompt`, `agent` and `mcp_tool`: when those fail, the call continues. It is ignored for `async` hooks and for Stop, SubagentStop, TaskCompleted and TeammateIdle. Guard with a command, or let the server refuse calls that no hook reported.',
    check: ({ hooks }) => hooks.flatMap(cannotBlock),
  },
]

const typeOf = ({ hook }: HookEntry): string => (typeof hook.type === 'string' ? hook.type : '')
const isAsync = ({ hook }: HookEntry): boolean => hook.async === true || hook.asyncRewake === true
/** Events for which a failure can block something. */
const blockableEvents = new Set(['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'PostToolBatch'])
/** Events for which the client documents that it ignores failures. */
const unblockableEvents = new Set(['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle'])

function failsOpen(entry: HookEntry, setup: ClaudeSetup): FindingDetails[] {
  const { event, hook } = entry
  if (!typesWithOnFailure.includes(typeOf(entry)) || hook.onFailure !== undefined) return []
  if (isAsync(entry) || !blockableEvents.has(event)) return []
  if (!isGuard(entry) && !decides(hookText(setup, entry))) return []
  const isFromPlugin = entry.plugin !== undefined
  return [
    findingAt(entry, {
      message: 'If this hook cannot run, times out or fails, the call continues as if the hook had agreed.',
      fix: isFromPlugin
        ? `Ask the authors of the plugin \`${entry.plugin}\` for \`"onFailure": "block"\`.`
        : 'Add `"onFailure": "block"`, or `"continue"` if it only observes.',
      ...(!isFromPlugin &&
        entry.path !== undefined && { repairs: [changeHook(entry, { onFailure: 'block' })] }),
    }),
  ]
}

function cannotBlock(entry: HookEntry): FindingDetails[] {
  const { event, hook } = entry
  const type = typeOf(entry)
  const shouldBlock = hook.onFailure === 'block'
  const report = (message: string, severity?: 'warning'): FindingDetails[] => [
    findingAt(entry, {
      message,
      fix: 'Guard with a PreToolUse hook of type `command` or `http`, with `"onFailure": "block"`.',
      ...(severity && { severity }),
    }),
  ]
  if (!typesWithOnFailure.includes(type)) {
    if (shouldBlock)
      return report(`The client ignores \`onFailure\` for hooks of type \`${type}\`.`, 'warning')
    if (!isGuard(entry) || isAttestation(entry)) return []
    return report(`When this hook of type \`${type}\` fails, the call continues; this cannot be configured.`)
  }
  if (shouldBlock && isAsync(entry))
    return report('The client ignores `onFailure` for hooks with `async`.', 'warning')
  if (shouldBlock && unblockableEvents.has(event))
    return report(`The client ignores \`onFailure\` for ${event}.`, 'warning')
  return []
}

/** Changes every equal hook of the file: matched by value, because other repairs may have moved it. */
export function changeHook({ file, hook }: HookEntry, values: Readonly<Record<string, string>>): JsonRepair {
  const wanted = canonicalJson(hook)
  const change = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(change)
    if (!isJsonObject(value)) return value
    // A cheap comparison first: otherwise every object of the file is serialized for each of its hooks.
    const mayMatch = value.type === hook.type && value.command === hook.command
    if (mayMatch && canonicalJson(value) === wanted) return { ...value, ...values }
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item)]))
  }
  return { kind: 'json', file, change }
}
