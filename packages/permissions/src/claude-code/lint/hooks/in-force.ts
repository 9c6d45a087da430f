/** Hooks that the client really runs, and whether one of contextd is among those that guard. */

import { isJsonObject } from '@contextd/shared/json/value'
import { offSwitches } from '../../explain/hook-match.ts'
import { guardEvents } from '../../rules/hook-shape.ts'
import type { ClaudeSetup, HookEntry } from '../../setup/setup.ts'

/** Whether it may stand between an agent and what it asks for. */
export function isGuard({ event }: HookEntry): boolean {
  return guardEvents.includes(event)
}

/** `contextd hook protect` knows whose every transcript is and refuses it to the others, to their shells too. */
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

/** As one line for a shell, or as a program with arguments. */
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

/** What contextd is told over the pipe of its own server: it refuses what it was not told about. */
export function isAttestation({ hook }: HookEntry): boolean {
  return (
    hook.type === 'mcp_tool' &&
    hook.tool === 'attest' &&
    isJsonObject(hook.input) &&
    typeof hook.server === 'string' &&
    /(?:^|:)contextd$/.test(hook.server)
  )
}
