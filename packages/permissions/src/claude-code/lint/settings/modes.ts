/** Permission modes set by settings and agents. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { FindingDetails, LintRule } from '../../../findings/finding.ts'
import { isBypassOff } from '../../explain/session-mode.ts'
import type { AgentFile, ClaudeSetup, Level, SettingsFile } from '../../setup/setup.ts'
import { findingAt, findingIn, type FindingText } from '../places/finding-at.ts'

export const modeRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'bypass-by-default',
    severity: 'warning',
    title: 'Permissions are bypassed by default',
    why: 'With `defaultMode: "bypassPermissions"` in user or machine settings, every call runs without asking unless a rule denies it or asks: allow rules become meaningless, and anything without a rule is open. If you want that, start individual sessions with `--permission-mode bypassPermissions`, in a sandbox.',
    check: (setup) => (isBypassOff(setup) ? [] : setup.settings.filter(bypassesByDefault).map(bypassed)),
  },
  {
    id: 'mode-without-effect',
    severity: 'warning',
    title: 'A mode that has no effect in this file',
    why: 'A project cannot switch permissions off for those who open it: Claude Code ignores `defaultMode: "bypassPermissions"` and `"auto"` in the settings of a project, shared or local, and starts in the default mode. Nor can an agent: its `permissionMode: bypassPermissions` applies only in a session that already bypasses permissions.',
    check: ({ settings, agents }) => [
      ...(['bypassPermissions', 'auto'] as const).flatMap((mode) =>
        inSettings(settings, mode, ['project', 'local'], ignored(mode)),
      ),
      ...inAgents(agents, 'bypassPermissions', ['project', 'user'], ignoredOfAgent),
    ],
  },
  {
    id: 'edits-without-asking',
    severity: 'note',
    title: 'A project lets agents write without asking',
    why: '`defaultMode: "acceptEdits"` in the settings of a project, and `permissionMode: acceptEdits` of its agents, apply to everyone who opens it, even before they trust the workspace: files in it are written, and commands such as `mkdir`, `touch` and `mv` run, without asking.',
    check: ({ settings, agents }) => [
      ...inSettings(settings, 'acceptEdits', ['project'], accepts),
      ...inAgents(agents, 'acceptEdits', ['project'], acceptsOfAgent),
    ],
  },
]

const bypasses: FindingText = {
  message: 'Every session bypasses permissions: whatever no rule denies or asks about runs without a prompt.',
  fix: 'Remove `defaultMode`, and pass the flag to the sessions that need it.',
}
const ignored = (mode: 'bypassPermissions' | 'auto'): FindingText => ({
  message: `Claude Code ignores \`${mode}\` in the settings of a project: sessions start in the default mode.`,
  fix: `Remove it; if you want that mode, start the session with \`--permission-mode ${mode}\`.`,
})
const ignoredOfAgent: FindingText = {
  message: 'Claude Code ignores `bypassPermissions` in an agent: it prompts as in the session.',
  fix: 'Remove it, and allow what the agent needs with rules.',
}
const accepts: FindingText = {
  message: 'For anyone who opens this project, edits are accepted without asking, even before they trust it.',
  fix: 'Let each user choose the mode: set it in `~/.claude/settings.json` or `.claude/settings.local.json`.',
}
const acceptsOfAgent: FindingText = {
  message:
    'For anyone who opens this project, writes of this agent are accepted without asking, even before they trust it.',
  fix: 'Remove `permissionMode`, unless everyone here expects that.',
}

/** Projects cannot. */
export function bypassesByDefault(file: SettingsFile): boolean {
  return bypassing.has(file.level) && defaultModeOf(file) === 'bypassPermissions'
}

const bypassing: ReadonlySet<Level> = new Set(['managed', 'user'])

function bypassed(file: SettingsFile): FindingDetails {
  return findingIn(file, ['permissions', 'defaultMode'], 'value', bypasses)
}

/** The mode that a file sets for all sessions. */
function defaultModeOf({ value }: SettingsFile): Json | undefined {
  return isJsonObject(value.permissions) ? value.permissions.defaultMode : undefined
}

function inSettings(
  settings: readonly SettingsFile[],
  mode: string,
  levels: readonly SettingsFile['level'][],
  text: FindingText,
): FindingDetails[] {
  return settings
    .filter((file) => levels.includes(file.level) && defaultModeOf(file) === mode)
    .map((file) => findingIn(file, ['permissions', 'defaultMode'], 'value', text))
}

/** Plugin agents cannot set a mode. */
function inAgents(
  agents: readonly AgentFile[],
  mode: string,
  sources: readonly AgentFile['source'][],
  text: FindingText,
): FindingDetails[] {
  return agents.flatMap(({ source, permissionMode }) =>
    permissionMode?.text === mode && sources.includes(source) ? findingAt(permissionMode, text) : [],
  )
}
