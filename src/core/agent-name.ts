import { MAIN_AGENT } from './call.ts'

/**
 * Agent names with a special meaning in the rules, which project files must not assign: the main thread, the
 * fallback, a copy of any agent, and no name.
 */
const reservedNames: ReadonlySet<string> = new Set([MAIN_AGENT, 'default', 'fork', ''])

/** The agent name as Claude Code reports it; both id and type are empty for the main thread. */
export function agentName({ id, type }: { readonly id: string; readonly type: string }): string {
  if (id === '') return type === '' ? MAIN_AGENT : type
  return reservedNames.has(type) ? `subagent:${type}` : type
}
