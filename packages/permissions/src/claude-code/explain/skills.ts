/** Which skill a name means, why the model cannot run it, and what the client asks about before it does. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { Place } from '../../findings/finding.ts'
import { oncePer } from '@contextd/shared/once'
import { nearest } from '@contextd/shared/text/nearest'
import type { Absence } from './case.ts'
import type { GroundCandidate } from './question.ts'
import { jsonPlace } from '../read/json-file.ts'
import { bundledSkills, keptSkills } from '../rules/bundled-skills.ts'
import type { ClaudeSetup, RuleEntry, SkillFile } from '../setup/setup.ts'

export interface KnownSkill {
  readonly name: string
  /** None for one that the client brings. */
  readonly file?: SkillFile
}

/** As the client reads a call: with or without the slash that people write. */
export function calledSkill(argument: string): string {
  return argument.trim().replace(/^\//, '')
}

/** Of several with one name the first. */
const skillsByName = oncePer(
  ({ skills }: ClaudeSetup): ReadonlyMap<string, SkillFile> =>
    new Map(skills.toReversed().map((skill) => [skill.name, skill])),
)

/** Names come before what skills call themselves. */
export function findSkill(setup: ClaudeSetup, called: string): KnownSkill | undefined {
  const file = skillsByName(setup).get(called)
  if (file === undefined && bundledSkills.has(called)) return { name: called }
  const found = file ?? setup.skills.find(({ aliases }) => aliases.includes(called))
  return found && { name: found.name, file: found }
}

/** The names by which a rule can mean it: to forbid, all it has; to allow, that of its file, and the one it is called by. */
export function namesInRules(
  skill: KnownSkill | undefined,
  called: string,
  list: RuleEntry['list'],
): readonly string[] {
  return [called, skill?.name ?? called, ...(list === 'deny' ? (skill?.file?.aliases ?? []) : [])]
}

/** Why the model cannot run it; undefined where it can, or where nobody knows. */
export function missingSkill(
  setup: ClaudeSetup,
  called: string,
  skill: KnownSkill | undefined,
): Absence | undefined {
  const { skills, missingPlugins } = setup
  if (skill === undefined) {
    if (missingPlugins.some((plugin) => called.startsWith(`${plugin}:`))) return undefined
    const known = [...skills.map(({ name }) => name), ...bundledSkills.keys()]
    const near = known.find((name) => name.endsWith(`:${called}`)) ?? nearest(called, known)
    const hint = near === undefined ? '' : ` There is ${near}.`
    return { rule: 'no such skill', source: 'skill', why: `The client has no skill of this name.${hint}` }
  }
  return switchedOff(setup, skill) ?? (skill.file === undefined ? ofClient(setup, skill) : ofFile(skill.file))
}

/** Settings can keep skills from the model by the names of their files; those of plugins they cannot. */
function switchedOff({ settings }: ClaudeSetup, { name, file }: KnownSkill): Absence | undefined {
  if (file?.source === 'plugin') return undefined
  for (const { file: at, document, value } of settings) {
    const overrides = value.skillOverrides
    if (!isJsonObject(overrides) || !Object.hasOwn(overrides, name)) continue
    const said = overrides[name]
    if (said !== 'off' && said !== 'user-invocable-only') return undefined
    return {
      place: { file: at, ...jsonPlace(document, ['skillOverrides', name], 'key') },
      rule: `skillOverrides: ${said}`,
      source: 'skill',
      why: 'The settings keep the skill from the model.',
    }
  }
  return undefined
}

function ofClient({ settings }: ClaudeSetup, { name }: KnownSkill): Absence | undefined {
  const off = settings.find(({ value }) => typeof value.disableBundledSkills === 'boolean')
  if (off?.value.disableBundledSkills === true && !keptSkills.has(name))
    return {
      place: { file: off.file, ...jsonPlace(off.document, ['disableBundledSkills'], 'key') },
      rule: 'disableBundledSkills',
      source: 'skill',
      why: 'The settings switch off the skills that the client brings.',
    }
  if (bundledSkills.get(name) !== 'person') return undefined
  return { rule: `/${name}`, source: 'client', why: 'Only a user can run this skill of the client.' }
}

function ofFile(skill: SkillFile): Absence | undefined {
  const { keys, kind, source, name } = skill
  const absent = (key: string, why: string): Absence => {
    const place = keys.get(key)
    return { rule: key, source: 'skill', why, ...(place !== undefined && { place }) }
  }
  if (kind === 'skill' && source !== 'plugin' && hasPaths(skill))
    return absent('paths', `There is no ${name} until a file is worked on that its paths mean.`)
  return isForPeople(skill)
    ? absent('disable-model-invocation', `Only a user can run it, as /${name}.`)
    : undefined
}

/** Whether the model is kept from it. */
export function isForPeople({ frontmatter }: SkillFile): boolean {
  const said = frontmatter['disable-model-invocation']
  return said === true || said === 1 || (typeof said === 'string' && /^(?:true|yes|on|1)$/i.test(said))
}

function hasPaths({ frontmatter: { paths } }: SkillFile): boolean {
  const items: readonly Json[] = Array.isArray(paths) ? paths : [paths ?? null]
  const patterns = items.flatMap((item) => (typeof item === 'string' ? item.split(',') : []))
  return patterns.map((one) => one.trim()).some((one) => one !== '' && one !== '**')
}

/** What it brings that the client asks about first. */
export function wantsOf(skill: KnownSkill | undefined): GroundCandidate[] {
  if (skill === undefined) return []
  const { file, name } = skill
  if (file === undefined)
    return bundledSkills.get(name) === 'asked'
      ? [want({ rule: `/${name}` }, 'The client asks before it runs this one of its own skills')]
      : []
  return [
    ...(file.allowedTools ?? [])
      .slice(0, 1)
      .map((entry) =>
        want({ ...entry, rule: 'allowed-tools' }, 'The client asks before a skill that allows tools'),
      ),
    ...(file.disallowedTools ?? [])
      .slice(0, 1)
      .map((entry) =>
        want({ ...entry, rule: 'disallowed-tools' }, 'The client asks before a skill that forbids tools'),
      ),
    ...(file.hasHooks && file.keys.has('hooks')
      ? [
          want(
            { ...file.keys.get('hooks')!, rule: 'hooks' },
            'The client asks before a skill that brings hooks',
          ),
        ]
      : []),
  ]
}

function want(
  { file, line, column, rule }: Partial<Place> & { readonly rule: string },
  says: string,
): GroundCandidate {
  const place = { file: file ?? null, line: line ?? null, column: column ?? null }
  return { ground: { ...place, rule, source: file === undefined ? 'client' : 'skill' }, says }
}
