/** What a skill's `allowed-tools:` and `disallowed-tools:` name, held against the tools that there are. */

import { placeOf, type FindingDetails, type LintRule } from '../../../findings/finding.ts'
import { ruleEffect } from '../../rules/rule.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'
import { consequenceOf, severityIn, skillTools, type SkillTool } from '../agents/entries.ts'
import { wrongPrefix, unknownTool } from '../agents/tools.ts'

const toolPrefix: LintRule<ClaudeSetup> = {
  id: 'skill-tool-prefix',
  severity: 'warning',
  title: "A skill's list names a tool with the wrong prefix",
  why: `\`allowed-tools:\` and \`disallowed-tools:\` of a skill or command go by the full names that tools have at runtime, as rules of settings do: \`mcp__plugin_<plugin>_<server>__<tool>\` where a plugin brings the server, \`mcp__<server>__<tool>\` where it is set up on its own. Under another name the client allows nothing and asks all the same; and what \`disallowed-tools:\` was to forbid stays open.

Write the name at runtime (\`ctxd permissions explain <server>:<tool>\` tells it). A list may hold both forms.`,
  *check(setup) {
    for (const listed of skillTools(setup)) {
      const { owner, key } = listed
      const entries = key === 'allowed-tools' ? owner.allowedTools : owner.disallowedTools
      const found = wrongPrefix(setup, listed, entries)
      if (found !== undefined) yield found
    }
  },
}

const toolUnknown: LintRule<ClaudeSetup> = {
  id: 'skill-tool-unknown',
  severity: 'warning',
  title: "A skill's list has an entry that matches no tool",
  why: `The client takes any text in \`allowed-tools:\` and \`disallowed-tools:\` and goes by it as by a rule of its command line. What no tool is called, what is spelt in another case (\`bash\`) and forms that rules do not know there (\`*\`, \`mcp__*\`, \`Write(./docs/**)\`) mean nothing: the skill runs into questions, or what it was to forbid stays open. Any entry at all makes the client ask before it runs the skill, also one that means nothing.

Name each tool, a server as a whole (\`mcp__<server>\`), and paths by \`Read(…)\` and \`Edit(…)\`.`,
  *check(setup) {
    for (const listed of skillTools(setup)) {
      const found = withoutEffect(listed) ?? unknownTool(setup, listed)
      if (found !== undefined) yield found
    }
  },
}

function withoutEffect(listed: SkillTool): FindingDetails | undefined {
  const { key, entry } = listed
  const list = key === 'allowed-tools' ? 'allow' : 'deny'
  const effect = ruleEffect({ level: 'cli', list, text: entry.text })
  if (effect.works) return undefined
  return {
    ...placeOf(entry),
    ...severityIn(key),
    message: `${consequenceOf(listed)}. ${effect.why}`,
    fix: 'Write a form that the client supports, or remove the entry.',
  }
}

export const skillToolRules: readonly LintRule<ClaudeSetup>[] = [toolPrefix, toolUnknown]
