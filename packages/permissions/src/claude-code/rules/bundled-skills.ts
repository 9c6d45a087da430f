/** The skills that Claude Code brings itself. */

/** `asked`: the client asks before the model runs it; `person`: the model cannot. */
type BundledSkill = 'free' | 'asked' | 'person'

const kinds: Readonly<Record<BundledSkill, string>> = {
  free: 'code-review dataviz init plugin-authoring review run simplify workflow-authoring',
  asked: 'claude-api fewer-permission-prompts keybindings-help loop security-review update-config',
  person: 'batch debug deep-research doctor insights run-skill-generator team-onboarding verify',
}

export const bundledSkills: ReadonlyMap<string, BundledSkill> = new Map(
  (Object.keys(kinds) as BundledSkill[]).flatMap((kind) =>
    kinds[kind].split(' ').map((name): [string, BundledSkill] => [name, kind]),
  ),
)

/** Those that stay where `disableBundledSkills` takes the others away. */
export const keptSkills: ReadonlySet<string> = new Set(['plugin-authoring'])
