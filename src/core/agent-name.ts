import { MAIN_AGENT } from './call.ts'

/** Names with a special meaning in the rules, which project files must not give to an agent; a copy of any agent; none. */
const ambiguous: ReadonlySet<string> = new Set([MAIN_AGENT, 'default', 'fork', ''])

/** The name of the agent that Claude Code means; both its id and its type are empty for the main thread. */
export function agentName({ id, type }: { readonly id: string; readonly type: string }): string {
  if (id === '') return type === '' ? MAIN_AGENT : type
  return ambiguous.has(type) ? `subagent:${type}` : type
}
