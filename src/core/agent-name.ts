import { MAIN_AGENT } from './call.ts'

/** Names with a meaning of their own in the rules, which no file of a project may give to an agent; a copy of any agent; none. */
const ambiguous: ReadonlySet<string> = new Set([MAIN_AGENT, 'default', 'fork', ''])

/** The name of the agent that Claude Code means; both its id and its type are empty for the main thread. */
export function agentName({ id, type }: { readonly id: string; readonly type: string }): string {
  if (id === '') return type === '' ? MAIN_AGENT : type
  return ambiguous.has(type) ? `subagent:${type}` : type
}
