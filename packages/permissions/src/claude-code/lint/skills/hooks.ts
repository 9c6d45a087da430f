/** Hooks of skills that the client never runs. */

import { placeOf, type LintRule } from '../../../findings/finding.ts'
import { guardEvents, namesEvent } from '../../rules/hook-shape.ts'
import type { ClaudeSetup, SkillFile } from '../../setup/setup.ts'

const ignoredHooks: LintRule<ClaudeSetup> = {
  id: 'skill-hooks-ignored',
  severity: 'warning',
  title: 'A skill defines hooks that never run',
  why: `Hooks in the frontmatter of a skill or command run from the next call until the end of the session, in the main conversation but not in its subagents. In two places the client silently ignores them: in a skill with \`context: fork\`, which runs in its own agent, and in a plugin command (\`commands/deploy.md\`; a plugin's \`skills/deploy/SKILL.md\` and \`commands/deploy/SKILL.md\` are fine). A guard that never runs guards nothing, so this is an error. (The client also ignores the \`allowed-tools:\` of a plugin command that has a guard.)

Put a guard into the settings, or into \`hooks/hooks.json\` of the plugin: there it applies to subagents too, and from the start.`,
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
