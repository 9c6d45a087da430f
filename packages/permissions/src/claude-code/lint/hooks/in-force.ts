/** Which hooks guard tool calls, and whether a guard of contextd is active. */

import { isJsonObject } from '@contextd/shared/json/value'
import { offSwitches } from '../../explain/hook-match.ts'
import { guardEvents } from '../../rules/hook-shape.ts'
import type { ClaudeSetup, HookEntry } from '../../setup/setup.ts'

/** Whether it can block a call. */
export function isGuard({ event }: HookEntry): boolean {
  return guardEvents.includes(event)
}

/** `contextd hook protect` knows the owner of each transcript and denies access to all other agents, including their shells. */
export function isGuardedByContextd(setup: ClaudeSetup): boolean {
  const off = new Set(offSwitches(setup).flatMap(({ hooks }) => hooks))
  return setup.hooks.some(
    (entry) =>
      entry.event === 'PreToolUse' &&
      entry.source !== 'agent' &&
      entry.source !== 'skill' &&
      !off.has(entry) &&
      runsContextd(entry, 'protect'),
  )
}

/** As a shell command line, or as a program with arguments. */
function runsContextd({ hook }: HookEntry, name: string): boolean {
  return new RegExp(`(?:^|[\\s/'"])contextd(?:\\.js)?['"]?\\s+hook\\s+${name}(?:\\s|$)`).test(
    commandLine(hook),
  )
}

export function commandLine(hook: HookEntry['hook']): string {
  const { command, args } = hook
  const words = [command, ...(Array.isArray(args) ? args : [])]
  return words.filter((word) => typeof word === 'string').join(' ')
}

/** Reports the call to contextd over the pipe of its own server, which refuses calls that were not reported. */
export function isAttestation({ hook }: HookEntry): boolean {
  return (
    hook.type === 'mcp_tool' &&
    hook.tool === 'attest' &&
    isJsonObject(hook.input) &&
    typeof hook.server === 'string' &&
    /(?:^|:)contextd$/.test(hook.server)
  )
}
