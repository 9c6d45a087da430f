/** Agents with the same name in one folder. */

import { sep } from 'node:path'

import { canonicalJson } from '@contextd/shared/json/value'
import type { FindingDetails, LintRule } from '../../../findings/finding.ts'
import type { AgentFile, ClaudeSetup } from '../../setup/setup.ts'
import { findingAt } from '../places/finding-at.ts'
import { fileText } from '../places/place-text.ts'

const namesakes: LintRule<ClaudeSetup> = {
  id: 'agent-name-twice',
  severity: 'warning',
  title: 'Two agents in one folder have the same name',
  why: `An agent's name is its \`name:\`, regardless of its file name and its folder below \`.claude/agents\`. If two agents have the same name, the client uses the one that the file system happens to list last: after a fresh checkout, or on another machine, it may be the other one. It is an error if their restrictions differ: what the agent may do is then unpredictable.

A project agent always overrides a user agent of the same name; that is not reported.`,
  *check(setup) {
    const first = new Map<string, AgentFile>()
    for (const agent of setup.agents) {
      if (agent.source === 'plugin') continue
      const key = `${folderOf(agent, setup)}\n${agent.name}`
      const other = first.get(key)
      if (other === undefined) first.set(key, agent)
      else yield namesake(agent, other, setup)
    }
  },
}

/** Across folders the precedence is defined; only within one folder is it arbitrary. */
function folderOf({ file, source }: AgentFile, { config }: ClaudeSetup): string {
  return source === 'user' ? config : file.slice(0, file.lastIndexOf(`${sep}.claude${sep}agents${sep}`))
}

const restrictingKeys = ['tools', 'disallowedTools', 'permissionMode', 'mcpServers', 'hooks']

function restrictionsOf({ frontmatter }: AgentFile): string {
  return restrictingKeys.map((key) => canonicalJson(frontmatter[key] ?? null)).join('\n')
}

function namesake(agent: AgentFile, other: AgentFile, setup: ClaudeSetup): FindingDetails {
  const isSame = restrictionsOf(agent) === restrictionsOf(other)
  const conflict = `\`${fileText(other.file, setup)}\` is also named \`${agent.name}\`: the client loads only one of them`
  return findingAt(agent.keys.get('name') ?? { file: agent.file, line: 1, column: 1 }, {
    message: isSame
      ? `${conflict}, and which one is arbitrary.`
      : `${conflict}, and which restrictions apply to \`${agent.name}\` is arbitrary.`,
    fix: 'Rename or remove one of them.',
    ...(!isSame && { severity: 'error' }),
  })
}

export const namesakeRules: readonly LintRule<ClaudeSetup>[] = [namesakes]
