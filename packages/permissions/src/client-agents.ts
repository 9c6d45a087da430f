/** The agents that the clients have here: their built-in ones, and those of the user, the project and plugins. */

import { claudeAgents } from './claude-code/explain/agent-tools.ts'
import { openCodeAgents } from './opencode/client-rules.ts'
import { rulesetsOf } from './opencode/ruleset.ts'
import { readClaudeSetup, readOpenCode, type ReadSetupsOptions } from './read-setups.ts'

export function clientAgents(reading: ReadSetupsOptions): string[] {
  const claude = readClaudeSetup(reading).agents.map(({ name }) => name)
  const openCode = rulesetsOf(readOpenCode(reading)).agents.keys()
  return [...new Set([...claudeAgents, ...claude, ...openCodeAgents.keys(), ...openCode])]
}
