/** What skills change about other questions: tools they grant once they run, and which of them are asked about. */

import type { Case } from './case.ts'
import type { Ground } from '../../findings/explanation.ts'
import type { PermissionVerdict } from './question.ts'
import { namesTool } from './rule-match.ts'
import { withRulesOf, type RuleInForce } from './in-force/rules-in-force.ts'
import { parseRule } from '../rules/rule.ts'
import type { SkillFile } from '../setup/setup.ts'
import { meansCommand } from './shell-case.ts'
import { findSkill, isForPeople, missingSkill, wantsOf } from './skills.ts'

/** Of a call that is asked about. `verdictOn`: what a case comes to. */
export function grantingSkills(one: Case, verdictOn: (one: Case) => PermissionVerdict): Ground[] {
  const { setup } = one
  const rules = one.rules.filter((rule) => mayMatter(one, rule))
  return setup.skills.flatMap((skill): Ground[] => {
    const { name, allowedTools = [] } = skill
    const entry = allowedTools.find(({ text }) => isAbout(one, text))
    if (entry === undefined || !isFirst(one, skill)) return []
    const { decision, candidates } = verdictOn({ ...one, rules: withRulesOf(skill, rules, setup) })
    if (decision !== 'allow') return []
    const granting = candidates.find(({ ground }) => ground.source === 'skill')?.ground
    const { file, line, column, rule } = granting ?? { ...entry, rule: entry.text }
    const why = `Allows it once ${name} runs${conditions(skill)}.`
    return [{ file, line, column, rule: `${rule} of ${name}`, list: 'allow', source: 'skill', why }]
  })
}

/** There may be as many skills as rules: what says nothing of the call is left out before each of them is tried. */
function mayMatter(one: Case, inForce: RuleInForce): boolean {
  const { entry, rule } = inForce
  // Had it been about the call, nobody would be asked.
  if (entry.list === 'deny') return false
  const isOfCommands = one.kind === 'shell' && rule.tool === 'Bash' && Boolean(rule.content)
  return !isOfCommands || one.argument === undefined || meansCommand(one, one.argument, inForce)
}

function isAbout({ tool, kind }: Case, text: string): boolean {
  const rule = parseRule(text)
  if ('problem' in rule) return false
  if (namesTool(rule, 'allow', tool)) return true
  // What may be read or written is also about commands that do it.
  if (kind === 'shell') return rule.tool === 'Read' || rule.tool === 'Edit'
  return kind === 'write' && rule.tool === 'Edit'
}

/** Where two have the same name, the later one never runs. */
function isFirst({ setup }: Case, skill: SkillFile): boolean {
  return findSkill(setup, skill.name)?.file === skill
}

/** Who starts it, and for whom it counts: what runs in a fork grants nothing to the conversation. */
function conditions(skill: SkillFile): string {
  const within = skill.isForked ? ', for the agent it runs in' : ''
  return isForPeople(skill) ? `${within}, which only a user starts as /${skill.name}` : within
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
