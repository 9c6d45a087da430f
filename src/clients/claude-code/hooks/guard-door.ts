/**
 * With the model door on, nothing else scrubs what the client's own tools answer. So a client whose requests do not go
 * through it gets no prompt and no tool call, whoever redirected it: settings of a project win over those of the user.
 */

import { isJsonObject, type JsonObject } from '../../../core/json.ts'
import { readSmallText } from '../../../platform/small-file.ts'
import { readDoorUrl } from '../../model-door/door-url.ts'
import { describeBypass, findBypass, type Bypass, type Environment } from '../door-environment.ts'
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
export async function guardDoor(payload: HookPayload, ports: HookPorts): Promise<HookOutput | undefined> {
  const event = payload.hook_event_name
  const settings = event === 'ConfigChange' ? readSettings(payload) : undefined
  if (settings?.disableAllHooks === true) {
    return block('contextd: these settings switch all hooks off, and with them the guard of the model door.')
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

/** What cannot be read changes nothing: the client ignores it too. */
function readSettings({ file_path: file }: HookPayload): JsonObject | undefined {
  const text = typeof file === 'string' ? readSmallText(file) : undefined
  if (text === undefined) return undefined
  try {
    const settings: unknown = JSON.parse(text)
    return isJsonObject(settings) ? settings : undefined
  } catch {
    return undefined
  }
}

function variablesOf(settings: JsonObject | undefined): Environment {
  const env = settings?.env
  if (!isJsonObject(env)) return {}
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]))
}
