/** Which mode the client works in: as it is started, as its settings say, or as an agent asks for. */

import { isJsonObject } from '../../../../core/json.ts'
import { modes, type AgentFile, type ClaudeSetup, type Mode } from '../setup.ts'

/** `dontAsk` refuses what would be asked about. */
export type SessionMode = Mode | 'dontAsk' | 'auto'

/** As the client can be started; `manual` is its other name for the default. */
export const startModes = [...modes, 'manual', 'dontAsk'] as const
export type StartMode = (typeof startModes)[number]

export interface ModeInForce {
  readonly mode: SessionMode
  /** What said so; none for the client's own default. */
  readonly because?: string
  /** Where it is not that of the session. */
  readonly isAgents?: true
}

const settable = new Set<string>([...startModes, 'auto'])

function isMode(value: unknown): value is StartMode | SessionMode {
  return typeof value === 'string' && settable.has(value)
}

function meant(mode: StartMode | SessionMode): SessionMode {
  return mode === 'manual' ? 'default' : mode
}

/** Of the main conversation, or of one agent in it. */
export function modeInForce(
  setup: ClaudeSetup,
  started: StartMode | undefined,
  agent?: AgentFile,
): ModeInForce {
  const session = withoutBypass(
    setup,
    started === undefined ? modeOfSettings(setup) : { mode: meant(started) },
  )
  const asked = agent?.permissionMode?.text
  // Plugins cannot loosen what their agents may do, and a session that is already looser or stricter stays so.
  if (agent === undefined || agent.source === 'plugin' || session.mode !== 'default') return session
  if (!isMode(asked) || asked === 'bypassPermissions' || meant(asked) === 'default') return session
  return { mode: meant(asked), because: `permissionMode: ${asked} of the agent`, isAgents: true }
}

function modeOfSettings(setup: ClaudeSetup): ModeInForce {
  for (const { level, value } of setup.settings) {
    const mode = isJsonObject(value.permissions) ? value.permissions.defaultMode : undefined
    // A project cannot switch the questions off for everyone who opens it.
    const isRefused = mode === 'bypassPermissions' && (level === 'project' || level === 'local')
    if (isMode(mode) && !isRefused)
      return { mode: meant(mode), because: `defaultMode of the ${level} settings` }
  }
  return { mode: 'default' }
}

function withoutBypass(setup: ClaudeSetup, session: ModeInForce): ModeInForce {
  return session.mode === 'bypassPermissions' && isBypassOff(setup)
    ? { mode: 'default', because: 'disableBypassPermissionsMode' }
    : session
}

/** Any level can switch it off, also a project that nobody trusts. */
export function isBypassOff({ settings }: ClaudeSetup): boolean {
  return settings.some(
    ({ value }) =>
      isJsonObject(value.permissions) && value.permissions.disableBypassPermissionsMode === 'disable',
  )
}
