/** Compares a skill's `allowed-tools:` and `disallowed-tools:` with the existing tools. */

import { placeOf, type FindingDetails, type LintRule } from '../../../findings/finding.ts'
import { ruleEffect } from '../../rules/rule.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'
import { consequenceOf, severityIn, skillTools, type SkillTool } from '../agents/entries.ts'
import { wrongPrefix, unknownTool } from '../agents/tools.ts'

const toolPrefix: LintRule<ClaudeSetup> = {
  id: 'skill-tool-prefix',
  severity: 'warning',
  title: "A skill's list names a tool with the wrong prefix",
  why: `Like permission rules, \`allowed-tools:\` and \`disallowed-tools:\` of a skill or command match the full runtime names of tools: \`mcp__plugin_<plugin>_<server>__<tool>\` for a plugin server, \`mcp__<server>__<tool>\` for a standalone one. With any other name, the client allows nothing and still prompts, and what \`disallowed-tools:\` should deny remains open.

Write the runtime name (\`ctxd permissions explain <server>:<tool>\` shows it). A list may contain both forms.`,
  *check(setup) {
    for (const listed of skillTools(setup)) {
      const { owner, key } = listed
      const entries = key === 'allowed-tools' ? owner.allowedTools : owner.disallowedTools
      const finding = wrongPrefix(setup, listed, entries)
      if (finding !== undefined) yield finding
    }
  },
}

const toolUnknown: LintRule<ClaudeSetup> = {
  id: 'skill-tool-unknown',
  severity: 'warning',
  title: "A skill's list has an entry that matches no tool",
  why: `The client accepts any text in \`allowed-tools:\` and \`disallowed-tools:\` and treats it like a rule on its command line. Unknown names, names in the wrong case (\`bash\`) and forms that are not supported there (\`*\`, \`mcp__*\`, \`Write(./docs/**)\`) have no effect: the skill triggers prompts, or what it should deny remains open. Any entry, even one without effect, makes the client ask before it runs the skill.

Name each tool or each whole server (\`mcp__<server>\`), and write paths as \`Read(…)\` and \`Edit(…)\`.`,
  *check(setup) {
    for (const listed of skillTools(setup)) {
      const finding = withoutEffect(listed) ?? unknownTool(setup, listed)
      if (finding !== undefined) yield finding
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
