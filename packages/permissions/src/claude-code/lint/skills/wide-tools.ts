/** Skills that allow every command or every edit. */

import { placeOf, type LintRule } from '../../../findings/finding.ts'
import { decide } from '../../explain/explain.ts'
import { findSkill } from '../../explain/skills.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'
import { skillTools, type SkillTool } from '../agents/entries.ts'
import { opensShell } from '../settings/shell-bypass.ts'

const wideTools: LintRule<ClaudeSetup> = {
  id: 'skill-grants-wide-tools',
  severity: 'note',
  title: 'A skill allows every command or every edit',
  why: `\`allowed-tools:\` of a skill or command does not restrict it: like a rule in \`allow\`, it allows the tools once the skill runs, for the conversation and the agents it starts. With \`Bash\` in the list, every command runs without asking. Ask and deny rules still take precedence, but the workspace does not have to be trusted, and a user who types \`/name\` is not prompted; a skill from a repository or a plugin can open the shell this way. Before the model runs such a skill, the client asks once, without naming the tools; if a rule such as \`Skill\` allows that, it does not prompt at all, which is a warning.

Allow the commands that the skill needs: \`Bash(git status:*)\`, \`Edit(./docs/**)\`.`,
  *check(setup) {
    for (const listed of skillTools(setup)) {
      const { owner, entry } = listed
      const what = grantedBy(listed)
      if (what === undefined || findSkill(setup, owner.name)?.file !== owner) continue
      const question = { tool: `Skill(${owner.name})`, cliAllow: [], cliDeny: [] }
      const { decision, decidedBy } = decide(setup, question)
      if (decision === 'deny') continue
      const isUnprompted = decision === 'allow'
      const invocation = isUnprompted
        ? `the model may run it without asking (${decidedBy.rule})`
        : `typing \`/${owner.name}\` does not prompt either`
      yield {
        ...placeOf(entry),
        ...(isUnprompted && { severity: 'warning' as const }),
        message: `\`${entry.text}\` allows ${what} once \`${owner.name}\` runs, and ${invocation}.`,
        fix: isUnprompted
          ? 'Allow only what the skill needs, or remove the rule that allows running it.'
          : 'Allow only what the skill needs.',
      }
    }
  },
}

function grantedBy({ key, entry, name, content }: SkillTool): string | undefined {
  if (key !== 'allowed-tools') return undefined
  if (opensShell({ level: 'cli', list: 'allow', text: entry.text })) return 'every command'
  return /^(?:Write|Edit|NotebookEdit)$/.test(name) && content === undefined ? `every \`${name}\`` : undefined
}

export const skillGrantRules: readonly LintRule<ClaudeSetup>[] = [wideTools]
