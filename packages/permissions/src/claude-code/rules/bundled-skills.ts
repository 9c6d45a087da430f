/** The skills bundled with Claude Code. */

/** `asked`: the client asks before the model runs it; `user`: only a user can run it. */
type BundledSkill = 'free' | 'asked' | 'user'

const kinds: Readonly<Record<BundledSkill, string>> = {
  free: 'code-review dataviz init plugin-authoring review run simplify workflow-authoring',
  asked: 'claude-api fewer-permission-prompts keybindings-help loop security-review update-config',
  user: 'batch debug deep-research doctor insights run-skill-generator team-onboarding verify',
}

export const bundledSkills: ReadonlyMap<string, BundledSkill> = new Map(
  (Object.keys(kinds) as BundledSkill[]).flatMap((kind) =>
    kinds[kind].split(' ').map((name): [string, BundledSkill] => [name, kind]),
  ),
)

/** Skills that `disableBundledSkills` does not disable. */
export const alwaysEnabledSkills: ReadonlySet<string> = new Set(['plugin-authoring'])
