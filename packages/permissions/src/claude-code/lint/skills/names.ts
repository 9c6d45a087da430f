/** Skills overridden by another one of the same name. */

import { placeOf, type LintRule } from '../../../findings/finding.ts'
import { findSkill } from '../../explain/skills.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'
import { placeText } from '../places/place-text.ts'

const sameName: LintRule<ClaudeSetup> = {
  id: 'skill-same-name',
  severity: 'warning',
  title: 'Two skills have the same name, and one never runs',
  why: `A skill is named after its folder, a command after its file. If two have the same name, the client uses only one: the administrator's before the user's, the user's before the project's (unlike agents, where the project's comes first), any skill before any command, and in a plugin a command before a skill. Rules such as \`Skill(name)\` apply to the one that runs, regardless of the tools that the other one lists.

Rename one of them.`,
  *check(setup) {
    for (const skill of setup.skills) {
      const first = findSkill(setup, skill.name)?.file
      if (first === undefined || first === skill) continue
      const place = { file: first.file, line: 1, column: 1 }
      yield {
        ...placeOf(skill.keys.get('name') ?? { file: skill.file, line: 1, column: 1 }),
        message: `\`${skill.name}\` runs a different file: ${placeText(place, setup)} has the same name and takes precedence.`,
        fix: 'Rename one of them.',
      }
    }
  },
}

export const skillNameRules: readonly LintRule<ClaudeSetup>[] = [sameName]
