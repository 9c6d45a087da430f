/** Hooks that let a call pass when they fail. */

import { canonicalJson, isJsonObject, type Json } from '@contextd/shared/json/value'
import type { FindingDetails, JsonRepair, LintRule } from '../../../findings/finding.ts'
import { typesWithOnFailure } from '../../rules/hook-shape.ts'
import type { ClaudeSetup, HookEntry } from '../../setup/setup.ts'
import { foundAt } from '../places/found-in.ts'
import { decides } from './answers.ts'
import { hookText } from './text.ts'
import { isAttestation, isGuard } from './in-force.ts'

export const hookRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'hook-fails-open',
    severity: 'warning',
    title: 'A hook that lets the call through when it fails',
    why: 'A program that is missing, a timeout, an exit code other than 0 and 2, a refused connection: by default Claude Code reports it and continues the call. `"onFailure": "block"` next to the command makes each of them block it. Write `"onFailure": "continue"` where a hook only observes.\n\nSaid of hooks of PreToolUse and PermissionRequest, and of UserPromptSubmit and PostToolBatch where the text of the hook shows that it decides something. Text on standard output that is no JSON lets the call pass all the same. `--fix` adds `"onFailure": "block"`.',
    check: (setup) => setup.hooks.flatMap((entry) => failsOpen(entry, setup)),
  },
  {
    id: 'hook-cannot-block',
    severity: 'note',
    title: 'A hook that cannot block when it fails',
    why: '`onFailure` exists for hooks of type `command` and `http`, not for `prompt`, `agent` and `mcp_tool`: when those fail, the call continues. It is ignored for `async` hooks and for Stop, SubagentStop, TaskCompleted and TeammateIdle. Guard with a command, or have the server refuse what no hook reported.',
    check: ({ hooks }) => hooks.flatMap(cannotBlock),
  },
]

const typeOf = ({ hook }: HookEntry): string => (typeof hook.type === 'string' ? hook.type : '')
const isAsync = ({ hook }: HookEntry): boolean => hook.async === true || hook.asyncRewake === true
/** Here a failure can be made to stop something. */
const heededEvents = new Set(['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'PostToolBatch'])
/** Here the client says that it does not look at failures. */
const deafEvents = new Set(['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle'])

function failsOpen(entry: HookEntry, setup: ClaudeSetup): FindingDetails[] {
  const { event, hook } = entry
  if (!typesWithOnFailure.includes(typeOf(entry)) || hook.onFailure !== undefined) return []
  if (isAsync(entry) || !heededEvents.has(event)) return []
  if (!isGuard(entry) && !decides(hookText(setup, entry))) return []
  const isTheirs = entry.plugin !== undefined
  return [
    foundAt(entry, {
      message: 'When this hook cannot run, times out or fails, the call continues as if it had agreed.',
      fix: isTheirs
        ? `Ask the makers of the plugin \`${entry.plugin}\` for \`"onFailure": "block"\`.`
        : 'Add `"onFailure": "block"`, or `"continue"` where it only watches.',
      ...(!isTheirs && entry.path !== undefined && { repairs: [changeHook(entry, { onFailure: 'block' })] }),
    }),
  ]
}

function cannotBlock(entry: HookEntry): FindingDetails[] {
  const { event, hook } = entry
  const type = typeOf(entry)
  const wants = hook.onFailure === 'block'
  const told = (message: string, severity?: 'warning'): FindingDetails[] => [
    foundAt(entry, {
      message,
      fix: 'Guard with a hook of type `command` or `http` of PreToolUse, with `"onFailure": "block"`.',
      ...(severity && { severity }),
    }),
  ]
  if (!typesWithOnFailure.includes(type)) {
    if (wants) return told(`The client ignores \`onFailure\` for hooks of type \`${type}\`.`, 'warning')
    if (!isGuard(entry) || isAttestation(entry)) return []
    return told(`When this hook of type \`${type}\` fails, the call goes on, and nothing can change that.`)
  }
  if (wants && isAsync(entry))
    return told('The client ignores `onFailure` for hooks with `async`.', 'warning')
  if (wants && deafEvents.has(event)) return told(`The client ignores \`onFailure\` for ${event}.`, 'warning')
  return []
}

/** Every hook of the file that reads the same: by value, because others may have moved it. */
export function changeHook({ file, hook }: HookEntry, values: Readonly<Record<string, string>>): JsonRepair {
  const wanted = canonicalJson(hook)
  const change = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(change)
    if (!isJsonObject(value)) return value
    // Looking at two values first saves writing out every object of a file for each of its hooks.
    const mayBe = value.type === hook.type && value.command === hook.command
    if (mayBe && canonicalJson(value) === wanted) return { ...value, ...values }
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item)]))
  }
  return { kind: 'json', file, change }
}
