/**
 * With the model door on, nothing else scrubs the output of the client's own tools. A client that bypasses the door
 * therefore gets no prompt and no tool call: project settings may override the user's.
 */

import { readDoorUrl } from '../../model-door/door-url.ts'
import { describeBypass, findBypass, type Bypass, type Environment } from '../door-environment.ts'
import { readSettingsObject, variablesOf } from '../settings-variables.ts'
import { deny, type HookOutput, type HookPayload, type HookPorts } from './hook.ts'

type DoorPorts = Pick<HookPorts, 'env' | 'door'>

/** A hook inherits the client's environment, including variables from its settings. */
export async function bypassOf(
  { env, door }: DoorPorts,
  changed: Environment = {},
): Promise<Bypass | undefined> {
  return findBypass({ ...env, ...changed }, await door.open())
}

/** Does not open the store if the URL cannot be the door's. */
export async function isBehindDoor(ports: DoorPorts): Promise<boolean> {
  return readDoorUrl(ports.env.ANTHROPIC_BASE_URL) !== undefined && (await bypassOf(ports)) === undefined
}

/** Undefined if the client may continue. */
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

/** Blocks the prompt, or the change of settings. */
function block(reason: string): HookOutput {
  return { decision: 'block', reason }
}
