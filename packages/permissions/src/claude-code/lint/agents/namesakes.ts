/** Agents of one folder that have the same name. */

import { sep } from 'node:path'

import { canonicalJson } from '@contextd/shared/json/value'
import type { FindingDetails, LintRule } from '../../../findings/finding.ts'
import type { AgentFile, ClaudeSetup } from '../../setup/setup.ts'
import { foundAt } from '../places/found-in.ts'
import { fileText } from '../places/place-text.ts'

const namesakes: LintRule<ClaudeSetup> = {
  id: 'agent-name-twice',
  severity: 'warning',
  title: 'Two agents in one folder have the same name',
  why: `An agent is called what \`name:\` says, whatever its file is called and in which folder below \`.claude/agents\` it lies. Of two with one name the client keeps the one that the file system happens to list last: after a fresh checkout, or on another machine, it may be the other. Where the two are not limited in the same way, that is an error: nobody can say what the agent may do.

An agent of the project that has the name of one of the user takes its place everywhere; that is not mentioned.`,
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

/** Nearer ones win over those above, by a rule: only within one of these it is chance. */
function folderOf({ file, source }: AgentFile, { config }: ClaudeSetup): string {
  return source === 'user' ? config : file.slice(0, file.lastIndexOf(`${sep}.claude${sep}agents${sep}`))
}

const limits = ['tools', 'disallowedTools', 'permissionMode', 'mcpServers', 'hooks']

function limitsOf({ frontmatter }: AgentFile): string {
  return limits.map((key) => canonicalJson(frontmatter[key] ?? null)).join('\n')
}

function namesake(agent: AgentFile, other: AgentFile, setup: ClaudeSetup): FindingDetails {
  const isSame = limitsOf(agent) === limitsOf(other)
  const loaded = `\`${fileText(other.file, setup)}\` is called \`${agent.name}\` too: the client loads only one of them`
  return foundAt(agent.keys.get('name') ?? { file: agent.file, line: 1, column: 1 }, {
    message: isSame
      ? `${loaded}, and which one is chance.`
      : `${loaded}, and which limits hold for \`${agent.name}\` is chance.`,
    fix: 'Rename or remove one of them.',
    ...(!isSame && { severity: 'error' }),
  })
}

export const namesakeRules: readonly LintRule<ClaudeSetup>[] = [namesakes]
