/** Hooks of skills that the client takes note of, or does not, and never runs. */

import { placeOf, type LintRule } from '../../../findings/finding.ts'
import { guardEvents, namesEvent } from '../../rules/hook-shape.ts'
import type { ClaudeSetup, SkillFile } from '../../setup/setup.ts'

const ignoredHooks: LintRule<ClaudeSetup> = {
  id: 'skill-hooks-ignored',
  severity: 'warning',
  title: 'A skill defines hooks that never run',
  why: `Hooks in the frontmatter of a skill or command run from the call after it until the session ends, in the main conversation and not in its subagents. In two places the client ignores them silently: in a skill with \`context: fork\`, which runs in its own agent, and in a command of a plugin (\`commands/deploy.md\`; a plugin's \`skills/deploy/SKILL.md\` and \`commands/deploy/SKILL.md\` are fine). A guard that never runs guards nothing, which makes it an error. (A command of a plugin that brings a guard is also left without its \`allowed-tools:\`.)

Put a guard into the settings, or into \`hooks/hooks.json\` of the plugin: there it holds for subagents too, and before anything has run.`,
  *check({ skills }) {
    for (const skill of skills) {
      const { keys, frontmatter, name } = skill
      const [entry, ignored] = [keys.get('hooks'), whyIgnored(skill)]
      if (entry === undefined || ignored === undefined || !namesEvent(frontmatter.hooks)) continue
      yield {
        ...placeOf(entry),
        ...(namesEvent(frontmatter.hooks, guardEvents) && { severity: 'error' as const }),
        message: `No hook of \`${name}\` ever runs: ${ignored.why}.`,
        fix: ignored.fix,
      }
    }
  },
}

function whyIgnored({ kind, source, isForked }: SkillFile): { why: string; fix: string } | undefined {
  if (kind === 'command' && source === 'plugin')
    return {
      why: 'it is a plugin command',
      fix: "Put them into the plugin's `hooks/hooks.json`, or make the command a skill.",
    }
  if (!isForked) return undefined
  return {
    why: 'with `context: fork` it runs in its own agent',
    fix: 'Move them to the settings, or remove `context: fork`.',
  }
}

export const skillHookRules: readonly LintRule<ClaudeSetup>[] = [ignoredHooks]
