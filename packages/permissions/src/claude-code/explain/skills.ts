/** Which skill a name refers to, why the model cannot run it, and why the client asks before running it. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { Place } from '../../findings/finding.ts'
import { oncePer } from '@contextd/shared/once'
import { nearest } from '@contextd/shared/text/nearest'
import type { Absence } from './case.ts'
import type { GroundCandidate } from './question.ts'
import { jsonPlace } from '../read/json-file.ts'
import type { ClaudeSetup, RuleEntry, SkillFile } from '../setup/setup.ts'

export interface KnownSkill {
  readonly name: string
  /** Absent for bundled skills. */
  readonly file?: SkillFile
}

/** A skill bundled with Claude Code. `asked`: the client asks before the model runs it; `user`: only a user can run it. */
type BundledSkill = 'free' | 'asked' | 'user'

const skillsByKind: Readonly<Record<BundledSkill, string>> = {
  free: 'code-review dataviz init plugin-authoring review run simplify workflow-authoring',
  asked: 'claude-api fewer-permission-prompts keybindings-help loop security-review update-config',
  user: 'batch debug deep-research doctor insights run-skill-generator team-onboarding verify',
}

const bundledSkills: ReadonlyMap<string, BundledSkill> = new Map(
  (Object.keys(skillsByKind) as BundledSkill[]).flatMap((kind) =>
    skillsByKind[kind].split(' ').map((name): [string, BundledSkill] => [name, kind]),
  ),
)

/** Bundled skills that `disableBundledSkills` does not disable. */
const alwaysEnabledSkills: ReadonlySet<string> = new Set(['plugin-authoring'])

/** The client accepts the name with or without a leading slash. */
export function calledSkill(argument: string): string {
  return argument.trim().replace(/^\//, '')
}

/** The first skill of a name wins. */
const skillsByName = oncePer(
  ({ skills }: ClaudeSetup): ReadonlyMap<string, SkillFile> =>
    new Map(skills.toReversed().map((skill) => [skill.name, skill])),
)

/** Names take precedence over aliases. */
export function findSkill(setup: ClaudeSetup, called: string): KnownSkill | undefined {
  const file = skillsByName(setup).get(called)
  if (file === undefined && bundledSkills.has(called)) return { name: called }
  const match = file ?? setup.skills.find(({ aliases }) => aliases.includes(called))
  return match && { name: match.name, file: match }
}

/** The names that a rule can match: aliases for deny rules only, the file's name and the called name for all. */
export function namesInRules(
  skill: KnownSkill | undefined,
  called: string,
  list: RuleEntry['list'],
): readonly string[] {
  return [called, skill?.name ?? called, ...(list === 'deny' ? (skill?.file?.aliases ?? []) : [])]
}

/** Why the model cannot run the skill; undefined if it can, or if that is unknown. */
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
    const hint = near === undefined ? '' : ` The closest name is ${near}.`
    return { rule: 'no such skill', source: 'skill', why: `The client has no skill with this name.${hint}` }
  }
  return (
    disabledBySettings(setup, skill) ??
    (skill.file === undefined ? missingBundled(setup, skill) : missingByFile(skill.file))
  )
}

/** `skillOverrides` hides skills from the model by name, but not skills of plugins. */
function disabledBySettings({ settings }: ClaudeSetup, { name, file }: KnownSkill): Absence | undefined {
  if (file?.source === 'plugin') return undefined
  for (const { file: at, document, value } of settings) {
    const overrides = value.skillOverrides
    if (!isJsonObject(overrides) || !Object.hasOwn(overrides, name)) continue
    const override = overrides[name]
    if (override !== 'off' && override !== 'user-invocable-only') return undefined
    return {
      place: { file: at, ...jsonPlace(document, ['skillOverrides', name], 'key') },
      rule: `skillOverrides: ${override}`,
      source: 'skill',
      why: 'The settings hide the skill from the model.',
    }
  }
  return undefined
}

function missingBundled({ settings }: ClaudeSetup, { name }: KnownSkill): Absence | undefined {
  const off = settings.find(({ value }) => typeof value.disableBundledSkills === 'boolean')
  if (off?.value.disableBundledSkills === true && !alwaysEnabledSkills.has(name))
    return {
      place: { file: off.file, ...jsonPlace(off.document, ['disableBundledSkills'], 'key') },
      rule: 'disableBundledSkills',
      source: 'skill',
      why: "The settings disable the client's bundled skills.",
    }
  if (bundledSkills.get(name) !== 'user') return undefined
  return { rule: `/${name}`, source: 'client', why: 'Only a user can run this bundled skill.' }
}

function missingByFile(skill: SkillFile): Absence | undefined {
  const { keys, kind, source, name } = skill
  const absent = (key: string, why: string): Absence => {
    const place = keys.get(key)
    return { rule: key, source: 'skill', why, ...(place !== undefined && { place }) }
  }
  if (kind === 'skill' && source !== 'plugin' && hasPaths(skill))
    return absent('paths', `${name} is not available until a file that matches its paths is used.`)
  return isUserOnly(skill)
    ? absent('disable-model-invocation', `Only a user can run it, as /${name}.`)
    : undefined
}

/** Whether only a user can run the skill, not the model. */
export function isUserOnly({ frontmatter }: SkillFile): boolean {
  const value = frontmatter['disable-model-invocation']
  return value === true || value === 1 || (typeof value === 'string' && /^(?:true|yes|on|1)$/i.test(value))
}

function hasPaths({ frontmatter: { paths } }: SkillFile): boolean {
  const items: readonly Json[] = Array.isArray(paths) ? paths : [paths ?? null]
  const patterns = items.flatMap((item) => (typeof item === 'string' ? item.split(',') : []))
  return patterns.map((one) => one.trim()).some((one) => one !== '' && one !== '**')
}

/** Properties of the skill that make the client ask before running it. */
export function promptReasons(skill: KnownSkill | undefined): GroundCandidate[] {
  if (skill === undefined) return []
  const { file, name } = skill
  if (file === undefined)
    return bundledSkills.get(name) === 'asked'
      ? [promptReason({ rule: `/${name}` }, 'The client asks before it runs this bundled skill')]
      : []
  return [
    ...(file.allowedTools ?? [])
      .slice(0, 1)
      .map((entry) =>
        promptReason({ ...entry, rule: 'allowed-tools' }, 'The client asks before a skill that allows tools'),
      ),
    ...(file.disallowedTools ?? [])
      .slice(0, 1)
      .map((entry) =>
        promptReason(
          { ...entry, rule: 'disallowed-tools' },
          'The client asks before a skill that forbids tools',
        ),
      ),
    ...(file.hasHooks && file.keys.has('hooks')
      ? [
          promptReason(
            { ...file.keys.get('hooks')!, rule: 'hooks' },
            'The client asks before a skill that brings hooks',
          ),
        ]
      : []),
  ]
}

function promptReason(
  { file, line, column, rule }: Partial<Place> & { readonly rule: string },
  says: string,
): GroundCandidate {
  const place = { file: file ?? null, line: line ?? null, column: column ?? null }
  return { ground: { ...place, rule, source: file === undefined ? 'client' : 'skill' }, says }
}
