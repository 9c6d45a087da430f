/** Whether OpenCode goes behind the model door, and which of its providers the door has to know. */

import { doorObstacle } from '../../../clients/model-door/door-url.ts'
import { doorProviders, type DoorProvider } from '../../../clients/model-door/providers.ts'
import { findProviders } from '../../../clients/opencode/init-providers.ts'
import { openCodePlaces } from '../../../clients/opencode/permissions/places.ts'
import { readOpenCodeSetup } from '../../../clients/opencode/permissions/read-setup.ts'
import type { Config } from '../../../platform/config/config-schema.ts'
import type { CliIo } from '../../ui/output.ts'
import type { InitOptions } from '../init.ts'
import type { Platform } from './plan.ts'

export interface OpenCodeDoorPlan {
  readonly isOn: boolean
  /** To be added to our configuration. */
  readonly providers: readonly DoorProvider[]
  readonly notes: readonly string[]
}

const noDoor: OpenCodeDoorPlan = { isOn: false, providers: [], notes: [] }

export function planOpenCodeDoor(
  { door }: Pick<InitOptions, 'door'>,
  config: Config,
  chosen: readonly Platform[],
  io: CliIo,
): OpenCodeDoorPlan {
  // `--door` is for Claude Code alone.
  if (door !== undefined || !chosen.includes('opencode')) return noDoor
  // The plugin asks for the port at each start, so it may change.
  const obstacle = doorObstacle({ ...config.http, port: 1 })
  if (obstacle !== undefined)
    return { ...noDoor, notes: [`requests to models stay as they are: ${obstacle}`] }
  const { sources } = readOpenCodeSetup(openCodePlaces(io), { secretsIn: () => [] })
  const configs = sources.flatMap((source) => (source.kind === 'config' ? [source.value] : []))
  const { missing, left } = findProviders(configs, doorProviders(config.model))
  return {
    isOn: true,
    providers: missing,
    notes: [
      'requests of OpenCode to models go through contextd; `--no-door` leaves them as they are',
      ...left.map(({ id, why }) => `requests to the provider ${id} stay as they are: ${why}`),
    ],
  }
}
