/** What skills change about other questions: tools they grant once they run, and which of them are asked about. */

import type { Case } from './case.ts'
import type { Ground } from './explanation.ts'
import { namesTool } from './rule-match.ts'
import { parseRule } from '../rules/rule.ts'
import type { Entry, SkillFile } from '../setup.ts'
import { findSkill, isForPeople, missingSkill, wantsOf } from './skills.ts'

/** `isGranted`: whether the call is let through once the skill of this name runs. */
export function grantingSkills(one: Case, isGranted: (skill: string) => boolean): Ground[] {
  return one.setup.skills.flatMap((skill): Ground[] => {
    const { name, allowedTools = [] } = skill
    const entry = allowedTools.find(({ text }) => isAbout(one, text))
    if (entry === undefined || !isFirst(one, skill) || !isGranted(name)) return []
    return [groundOf(skill, entry, `Allows it once ${name} runs${conditions(skill)}.`)]
  })
}

function isAbout({ tool, kind }: Case, text: string): boolean {
  const rule = parseRule(text)
  if ('problem' in rule) return false
  return namesTool(rule, 'allow', tool) || (kind === 'write' && rule.tool === 'Edit')
}

/** Where two have the same name, the later one never runs. */
function isFirst({ setup }: Case, skill: SkillFile): boolean {
  return findSkill(setup, skill.name)?.file === skill
}

/** Who starts it, and for whom it counts: what runs in a fork grants nothing to the conversation. */
function conditions(skill: SkillFile): string {
  const within = skill.frontmatter.context === 'fork' ? ', for the agent it runs in' : ''
  return isForPeople(skill) ? `${within}, which only a person starts as /${skill.name}` : within
}

/** For a question about skills as such: those that the client asks about. */
export function skillsAskedAbout({ kind, argument, setup }: Case): Ground[] {
  if (kind !== 'skill' || argument !== undefined) return []
  return setup.skills.flatMap((file): Ground[] => {
    const { name } = file
    if (missingSkill(setup, name, { name, file }) !== undefined) return []
    const [want] = wantsOf({ name, file })
    return want === undefined ? [] : [{ ...want.ground, why: `${name}: ${want.says}.` }]
  })
}

function groundOf({ name }: SkillFile, { file, line, column, text }: Entry, why: string): Ground {
  return { file, line, column, rule: `${text} of ${name}`, list: 'allow', source: 'skill', why }
}
