/** Skills that open the shell or the editor as a whole. */

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
  why: `\`allowed-tools:\` of a skill or command does not limit what it may use: it allows, as a rule in \`allow\` does, from when the skill runs, for the conversation and the agents it starts. With \`Bash\` in it every command runs without asking. Rules that ask or deny still win, but neither does the workspace have to be trusted, nor is a user asked who types \`/name\`; a skill that a repository or a plugin brings opens the shell that way. Before the model runs such a skill the client asks once, without naming the tools; where a rule such as \`Skill\` allows that, nobody is asked at all, which is a warning here.

Allow the commands that the skill needs: \`Bash(git status:*)\`, \`Edit(./docs/**)\`.`,
  *check(setup) {
    for (const listed of skillTools(setup)) {
      const { owner, entry } = listed
      const what = opened(listed)
      if (what === undefined || findSkill(setup, owner.name)?.file !== owner) continue
      const question = { tool: `Skill(${owner.name})`, cliAllow: [], cliDeny: [] }
      const { decision, decidedBy } = decide(setup, question)
      if (decision === 'deny') continue
      const isFree = decision === 'allow'
      const start = isFree
        ? `the model may run it without asking (${decidedBy.rule})`
        : `whoever types \`/${owner.name}\` is not asked either`
      yield {
        ...placeOf(entry),
        ...(isFree && { severity: 'warning' as const }),
        message: `\`${entry.text}\` lets ${what} through from when \`${owner.name}\` runs, and ${start}.`,
        fix: isFree
          ? 'Allow only what the skill needs, or take the rule back that allows to run it.'
          : 'Allow only what the skill needs.',
      }
    }
  },
}

function opened({ key, entry, name, content }: SkillTool): string | undefined {
  if (key !== 'allowed-tools') return undefined
  if (opensShell({ level: 'cli', list: 'allow', text: entry.text })) return 'every command'
  return /^(?:Write|Edit|NotebookEdit)$/.test(name) && content === undefined ? `every \`${name}\`` : undefined
}

export const skillGrantRules: readonly LintRule<ClaudeSetup>[] = [wideTools]
