/** Modes that settings and agents ask for. */

import { isJsonObject, type Json } from '../../../../../core/json.ts'
import type { FindingDetails, LintRule } from '../../../../permissions/finding.ts'
import { isBypassOff } from '../../explain/session-mode.ts'
import type { AgentFile, ClaudeSetup, Level, SettingsFile } from '../../setup.ts'
import { foundAt, foundIn, type Told } from '../found-in.ts'

export const modeRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'bypass-by-default',
    severity: 'warning',
    title: 'Permissions are bypassed by default',
    why: 'With `defaultMode: "bypassPermissions"` in the settings of the person or of the machine every call runs without a question unless a rule denies it or asks: allow rules mean nothing any more, and what nobody thought of is open. Start single sessions with `--permission-mode bypassPermissions`, in a sandbox, where that is what you want.',
    check: (setup) => (isBypassOff(setup) ? [] : setup.settings.filter(bypassesByDefault).map(bypassed)),
  },
  {
    id: 'mode-without-effect',
    severity: 'warning',
    title: 'A mode that does not count where it stands',
    why: 'A project cannot switch permissions off for those who open it: Claude Code ignores `defaultMode: "bypassPermissions"` and `"auto"` in the settings of a project, shared or local, and begins in the default mode. Nor can an agent: its `permissionMode: bypassPermissions` counts only in a session that bypasses them anyway.',
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
    why: '`defaultMode: "acceptEdits"` in the settings of a project, and `permissionMode: acceptEdits` of its agents, count for everybody who opens it, also before they trusted the workspace: files in it are written, and commands such as `mkdir`, `touch` and `mv` run, without a question.',
    check: ({ settings, agents }) => [
      ...inSettings(settings, 'acceptEdits', ['project'], accepts),
      ...inAgents(agents, 'acceptEdits', ['project'], acceptsOfAgent),
    ],
  },
]

const bypasses: Told = {
  message: 'Every session begins without permissions: what no rule denies or asks about runs at once.',
  fix: 'Remove `defaultMode`, and give the flag to the sessions that need it.',
}
const ignored = (mode: 'bypassPermissions' | 'auto'): Told => ({
  message: `Claude Code ignores \`${mode}\` in the settings of a project: sessions begin in the default mode.`,
  fix: `Remove it; where it is wanted, start the session with \`--permission-mode ${mode}\`.`,
})
const ignoredOfAgent: Told = {
  message: 'Claude Code ignores `bypassPermissions` of an agent: it asks as the session does.',
  fix: 'Remove it, and allow what the agent needs by rules.',
}
const accepts: Told = {
  message: 'Whoever opens this project has edits accepted without a question, also before trusting it.',
  fix: 'Leave the mode to each person: set it in `~/.claude/settings.json` or `.claude/settings.local.json`.',
}
const acceptsOfAgent: Told = {
  message:
    'Whoever opens this project has what this agent writes accepted without a question, also before trusting it.',
  fix: 'Remove `permissionMode`, unless that is what everybody here expects.',
}

/** A project cannot. */
export function bypassesByDefault(file: SettingsFile): boolean {
  return bypassing.has(file.level) && defaultModeOf(file) === 'bypassPermissions'
}

const bypassing: ReadonlySet<Level> = new Set(['managed', 'user'])

function bypassed(file: SettingsFile): FindingDetails {
  return foundIn(file, ['permissions', 'defaultMode'], 'value', bypasses)
}

/** The mode that a file sets for all sessions. */
function defaultModeOf({ value }: SettingsFile): Json | undefined {
  return isJsonObject(value.permissions) ? value.permissions.defaultMode : undefined
}

function inSettings(
  settings: readonly SettingsFile[],
  mode: string,
  levels: readonly SettingsFile['level'][],
  told: Told,
): FindingDetails[] {
  return settings
    .filter((file) => levels.includes(file.level) && defaultModeOf(file) === mode)
    .map((file) => foundIn(file, ['permissions', 'defaultMode'], 'value', told))
}

/** Those of plugins cannot have one. */
function inAgents(
  agents: readonly AgentFile[],
  mode: string,
  sources: readonly AgentFile['source'][],
  told: Told,
): FindingDetails[] {
  return agents.flatMap(({ source, permissionMode }) =>
    permissionMode?.text === mode && sources.includes(source) ? foundAt(permissionMode, told) : [],
  )
}
