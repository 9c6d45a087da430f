/**
 * With the model door on, nothing else scrubs what the client's own tools answer. So a client whose requests do not go
 * through it gets no prompt and no tool call: settings of a project override those of the user.
 */

import { readDoorUrl } from '../../model-door/door-url.ts'
import { describeBypass, findBypass, type Bypass, type Environment } from '../door-environment.ts'
import { readSettingsObject, variablesOf } from '../settings-variables.ts'
import { deny, type HookOutput, type HookPayload, type HookPorts } from './hook.ts'

type DoorPorts = Pick<HookPorts, 'env' | 'door'>

/** The environment of a hook is that of the client, with the variables of its settings. */
export async function bypassOf(
  { env, door }: DoorPorts,
  changed: Environment = {},
): Promise<Bypass | undefined> {
  return findBypass({ ...env, ...changed }, await door.open())
}

/** Opens no store where the URL cannot be that of the door. */
export async function isBehindDoor(ports: DoorPorts): Promise<boolean> {
  return readDoorUrl(ports.env.ANTHROPIC_BASE_URL) !== undefined && (await bypassOf(ports)) === undefined
}

/** Undefined where the client may go on. */
export async function guardDoor(payload: HookPayload, ports: DoorPorts): Promise<HookOutput | undefined> {
  const event = payload.hook_event_name
  const file = event === 'ConfigChange' ? payload.file_path : undefined
  const settings = typeof file === 'string' ? readSettingsObject(file) : undefined
  if (settings?.disableAllHooks === true) {
    return block('contextd: these settings disable all hooks, and with them the guard of the model door.')
  }
  const bypass = await bypassOf(ports, variablesOf(settings))
  if (bypass === undefined) return undefined
  const reason = `contextd: ${describeBypass(bypass)}`
  return event === 'PreToolUse' ? deny(reason) : block(reason)
}

/** A prompt is not sent, changed settings do not take effect. */
function block(reason: string): HookOutput {
  return { decision: 'block', reason }
}
