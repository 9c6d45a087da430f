/** The client's permission mode: from its start flag, its settings, or an agent's request. */

import { isJsonObject } from '@contextd/shared/json/value'
import { modes, type AgentFile, type ClaudeSetup, type Mode } from '../setup/setup.ts'

/** `dontAsk` denies what would prompt; `auto` lets a classifier of the client decide instead. */
export type SessionMode = Mode | 'dontAsk' | 'auto'

/** Modes the client can be started in; `manual` is an alias of `default`. */
export const startModes = [...modes, 'manual', 'dontAsk', 'auto'] as const
export type StartMode = (typeof startModes)[number]

export interface ModeInForce {
  readonly mode: SessionMode
  /** What set the mode; absent for the client's default. */
  readonly because?: string
  /** The client asks a classifier instead of the user. */
  readonly isClassified?: true
}

function isMode(value: unknown): value is StartMode {
  return startModes.some((mode) => mode === value)
}

function normalizeMode(mode: StartMode): SessionMode {
  return mode === 'manual' ? 'default' : mode
}

/** The mode of the main conversation, or of one agent in it. */
export function modeInForce(
  setup: ClaudeSetup,
  started: StartMode | undefined,
  agent?: AgentFile,
): ModeInForce {
  const session = withClassifier(
    setup,
    withoutForbidden(setup, started === undefined ? modeOfSettings(setup) : { mode: normalizeMode(started) }),
  )
  const requested = agent?.permissionMode?.text
  // Agents of plugins cannot change the mode, and an agent only changes a session in default mode.
  if (agent === undefined || agent.source === 'plugin' || session.mode !== 'default') return session
  if (!isMode(requested) || requested === 'bypassPermissions' || normalizeMode(requested) === 'default')
    return session
  if (requested === 'auto' && isAutoOff(setup)) return session
  const isClassified = requested === 'auto' && { isClassified: true as const }
  return {
    mode: normalizeMode(requested),
    because: `permissionMode: ${requested} of the agent`,
    ...isClassified,
  }
}

function modeOfSettings(setup: ClaudeSetup): ModeInForce {
  for (const { level, value } of setup.settings) {
    const mode = isJsonObject(value.permissions) ? value.permissions.defaultMode : undefined
    // A project cannot disable prompts for everyone who opens it.
    const isOfProject = level === 'project' || level === 'local'
    if (isOfProject && mode === 'auto') return { mode: 'default' }
    if (isMode(mode) && !(isOfProject && mode === 'bypassPermissions'))
      return { mode: normalizeMode(mode), because: `defaultMode of the ${level} settings` }
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

/** Plan mode uses the classifier too, unless user or managed settings disable it. */
function withClassifier(setup: ClaudeSetup, session: ModeInForce): ModeInForce {
  const isPlanning = session.mode === 'plan' && !isAutoOff(setup) && !isPlanUnclassified(setup)
  return session.mode === 'auto' || isPlanning ? { ...session, isClassified: true } : session
}

function isPlanUnclassified({ settings }: ClaudeSetup): boolean {
  return settings.some(({ level, value }) => level !== 'project' && value.useAutoModeDuringPlan === false)
}

/** Any level can disable auto mode, in either of the two places. */
function isAutoOff({ settings }: ClaudeSetup): boolean {
  return settings.some(({ value }) =>
    [value, value.permissions].some((one) => isJsonObject(one) && one.disableAutoMode === 'disable'),
  )
}

/** Any level can disable it, even an untrusted project. */
export function isBypassOff({ settings }: ClaudeSetup): boolean {
  return settings.some(
    ({ value }) =>
      isJsonObject(value.permissions) && value.permissions.disableBypassPermissionsMode === 'disable',
  )
}

export function acceptsEdits({ mode }: ModeInForce): boolean {
  return mode === 'acceptEdits' || mode === 'auto'
}
