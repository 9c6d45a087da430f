/** Tools that skills grant once they run, and skills that the client asks about. */

import type { Case } from './case.ts'
import type { Ground } from '../../findings/explanation.ts'
import type { PermissionVerdict } from './question.ts'
import { namesTool } from './rule-match.ts'
import { withSkillRules, type RuleInForce } from './in-force/rules-in-force.ts'
import { parseRule } from '../rules/rule.ts'
import type { SkillFile } from '../setup/setup.ts'
import { matchesCommand } from './shell-case.ts'
import { findSkill, isUserOnly, missingSkill, promptReasons } from './skills.ts'

/** Skills that would allow a call that currently prompts. `verdictOn` decides a case. */
export function grantingSkills(one: Case, verdictOn: (one: Case) => PermissionVerdict): Ground[] {
  const { setup } = one
  const rules = one.rules.filter((rule) => isRelevant(one, rule))
  return setup.skills.flatMap((skill): Ground[] => {
    const { name, allowedTools = [] } = skill
    const entry = allowedTools.find(({ text }) => mayGrant(one, text))
    if (entry === undefined || !isFirst(one, skill)) return []
    const { decision, candidates } = verdictOn({ ...one, rules: withSkillRules(skill, rules, setup) })
    if (decision !== 'allow') return []
    const granting = candidates.find(({ ground }) => ground.source === 'skill')?.ground
    const { file, line, column, rule } = granting ?? { ...entry, rule: entry.text }
    const why = `Allows it once ${name} runs${conditions(skill)}.`
    return [{ file, line, column, rule: `${rule} of ${name}`, list: 'allow', source: 'skill', why }]
  })
}

/** Drops rules that cannot affect the call once, since every skill is evaluated against the remaining ones. */
function isRelevant(one: Case, inForce: RuleInForce): boolean {
  const { entry, rule } = inForce
  // A deny rule that matched would have decided already.
  if (entry.list === 'deny') return false
  const isCommandRule = one.kind === 'shell' && rule.tool === 'Bash' && Boolean(rule.content)
  return !isCommandRule || one.argument === undefined || matchesCommand(one, one.argument, inForce)
}

function mayGrant({ tool, kind }: Case, text: string): boolean {
  const rule = parseRule(text)
  if ('problem' in rule) return false
  if (namesTool(rule, 'allow', tool)) return true
  // Read and Edit rules also apply to the files that commands use.
  if (kind === 'shell') return rule.tool === 'Read' || rule.tool === 'Edit'
  return kind === 'write' && rule.tool === 'Edit'
}

/** Of two skills with the same name, the later one never runs. */
function isFirst({ setup }: Case, skill: SkillFile): boolean {
  return findSkill(setup, skill.name)?.file === skill
}

/** Who can start the skill and where its grants apply: a forked skill grants nothing to the conversation. */
function conditions(skill: SkillFile): string {
  const within = skill.isForked ? ', for the agent it runs in' : ''
  return isUserOnly(skill) ? `${within}, which only a user starts as /${skill.name}` : within
}

/** For a question about the Skill tool without a skill: the skills that prompt. */
export function skillsAskedAbout({ kind, argument, setup }: Case): Ground[] {
  if (kind !== 'skill' || argument !== undefined) return []
  return setup.skills.flatMap((file): Ground[] => {
    const { name } = file
    if (missingSkill(setup, name, { name, file }) !== undefined) return []
    const [reason] = promptReasons({ name, file })
    return reason === undefined ? [] : [{ ...reason.ground, why: `${name}: ${reason.says}.` }]
  })
}
