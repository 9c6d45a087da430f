/** Agents whose lists name only tools that permission rules take from everyone. */

import { placeOf, type FindingDetails, type LintRule } from '../../../findings/finding.ts'
import { canonicalTool, isClaudeTool } from '../../rules/builtin-tools.ts'
import { ruleEffect } from '../../rules/rule.ts'
import type { AgentFile, ClaudeSetup } from '../../setup/setup.ts'
import { listedTools } from './entries.ts'

const deniedTools: LintRule<ClaudeSetup> = {
  id: 'agent-tools-denied',
  severity: 'error',
  title: 'An agent lists only tools that are denied',
  why: `A deny rule with a bare name (\`Bash\`, \`Read\`) removes the tool from every agent. If an agent's \`tools:\` names nothing else, the client refuses to start it: "would be spawned with zero tools". This happens to a project's agents when a user denies the built-in tools, as contextd's strict mode does.

Add the tools that are used in their place: \`ctxd init --mode strict --agent-tools\` adds contextd's, next to the built-in ones, so that the agents also work for others. Or do not deny the tool.`,
  *check(setup) {
    const denied = deniedEverywhere(setup)
    for (const agent of setup.agents) {
      const listed = agent.tools === undefined ? [] : namesIn(setup, agent)
      if (listed.length === 0 || !listed.every((name) => denied.has(canonicalTool(name)))) continue
      yield finding(agent, listed)
    }
  },
}

/** Tools without which every agent works, by the rules that name them without parentheses. */
function deniedEverywhere({ settings }: ClaudeSetup): ReadonlySet<string> {
  const rules = settings.flatMap((file) => file.rules.filter(({ list }) => list === 'deny'))
  return new Set(
    rules.flatMap((entry) => {
      const effect = ruleEffect(entry)
      if (!effect.works || effect.rule.content !== undefined) return []
      return isClaudeTool(effect.rule.tool) ? [canonicalTool(effect.rule.tool)] : []
    }),
  )
}

function namesIn(setup: ClaudeSetup, agent: AgentFile): string[] {
  const own = Array.from(listedTools({ ...setup, agents: [agent] }))
  return own.filter(({ key }) => key === 'tools').map(({ name }) => name)
}

function finding(agent: AgentFile, names: readonly string[]): FindingDetails {
  const [place = { file: agent.file, line: 1, column: 1 }] = agent.tools ?? []
  const shown = Array.from(new Set(names), (name) => `\`${name}\``).join(', ')
  return {
    ...placeOf(place),
    message: `The client refuses to start \`${agent.name}\`: all its tools are denied (${shown}).`,
    fix: "Add the tools to use instead: `ctxd init --mode strict --agent-tools` adds contextd's.",
  }
}

export const deniedToolRules: readonly LintRule<ClaudeSetup>[] = [deniedTools]
