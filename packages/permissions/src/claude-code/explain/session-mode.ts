/** Which mode the client works in: as it is started, as its settings say, or as an agent asks for. */

import { isJsonObject } from '@contextd/shared/json/value'
import { modes, type AgentFile, type ClaudeSetup, type Mode } from '../setup/setup.ts'

/** `dontAsk` refuses what would be asked about; `auto` lets a classifier of the client decide it. */
export type SessionMode = Mode | 'dontAsk' | 'auto'

/** As the client can be started; `manual` is its other name for the default. */
export const startModes = [...modes, 'manual', 'dontAsk', 'auto'] as const
export type StartMode = (typeof startModes)[number]

export interface ModeInForce {
  readonly mode: SessionMode
  /** What said so; none for the client's own default. */
  readonly because?: string
  /** A classifier of the client is asked, and not the user. */
  readonly isClassified?: true
}

function isMode(value: unknown): value is StartMode {
  return startModes.some((mode) => mode === value)
}

function meant(mode: StartMode): SessionMode {
  return mode === 'manual' ? 'default' : mode
}

/** Of the main conversation, or of one agent in it. */
export function modeInForce(
  setup: ClaudeSetup,
  started: StartMode | undefined,
  agent?: AgentFile,
): ModeInForce {
  const session = classified(
    setup,
    withoutForbidden(setup, started === undefined ? modeOfSettings(setup) : { mode: meant(started) }),
  )
  const asked = agent?.permissionMode?.text
  // Plugins cannot loosen what their agents may do, and a session that is already looser or stricter stays so.
  if (agent === undefined || agent.source === 'plugin' || session.mode !== 'default') return session
  if (!isMode(asked) || asked === 'bypassPermissions' || meant(asked) === 'default') return session
  if (asked === 'auto' && isAutoOff(setup)) return session
  const isClassified = asked === 'auto' && { isClassified: true as const }
  return { mode: meant(asked), because: `permissionMode: ${asked} of the agent`, ...isClassified }
}

function modeOfSettings(setup: ClaudeSetup): ModeInForce {
  for (const { level, value } of setup.settings) {
    const mode = isJsonObject(value.permissions) ? value.permissions.defaultMode : undefined
    // A project cannot switch the questions off for everyone who opens it.
    const isOfProject = level === 'project' || level === 'local'
    if (isOfProject && mode === 'auto') return { mode: 'default' }
    if (isMode(mode) && !(isOfProject && mode === 'bypassPermissions'))
      return { mode: meant(mode), because: `defaultMode of the ${level} settings` }
  }
  return { mode: 'default' }
}

function withoutForbidden(setup: ClaudeSetup, session: ModeInForce): ModeInForce {
  if (session.mode === 'bypassPermissions' && isBypassOff(setup))
    return { mode: 'default', because: 'disableBypassPermissionsMode' }
  return session.mode === 'auto' && isAutoOff(setup)
    ? { mode: 'default', because: 'disableAutoMode' }
    : session
}

/** A session that plans has the classifier too, unless a user or an administrator says otherwise. */
function classified(setup: ClaudeSetup, session: ModeInForce): ModeInForce {
  const isPlanning = session.mode === 'plan' && !isAutoOff(setup) && !isPlanByPerson(setup)
  return session.mode === 'auto' || isPlanning ? { ...session, isClassified: true } : session
}

function isPlanByPerson({ settings }: ClaudeSetup): boolean {
  return settings.some(({ level, value }) => level !== 'project' && value.useAutoModeDuringPlan === false)
}

/** Any level can switch it off, in either place. */
function isAutoOff({ settings }: ClaudeSetup): boolean {
  return settings.some(({ value }) =>
    [value, value.permissions].some((one) => isJsonObject(one) && one.disableAutoMode === 'disable'),
  )
}

/** Any level can switch it off, also a project that nobody trusts. */
export function isBypassOff({ settings }: ClaudeSetup): boolean {
  return settings.some(
    ({ value }) =>
      isJsonObject(value.permissions) && value.permissions.disableBypassPermissionsMode === 'disable',
  )
}

export function acceptsEdits({ mode }: ModeInForce): boolean {
  return mode === 'acceptEdits' || mode === 'auto'
}
