/** Whether OpenCode goes through the model door, and which of its providers the door must know. */

import { doorObstacle } from '../../../clients/model-door/door-url.ts'
import { doorProviders, type DoorProvider } from '../../../clients/model-door/providers.ts'
import { findProviders } from '../../../clients/opencode/init-providers.ts'
import { openCodePlaces } from '@contextd/permissions/internal/opencode-places'
import { readOpenCodeSetup } from '@contextd/permissions/internal/opencode-setup'
import type { Config } from '../../../platform/config/config-schema.ts'
import type { CliIo } from '@contextd/shared/cli/output'
import type { InitOptions } from './init.ts'
import type { Platform } from '../../../clients/find-clients.ts'

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
  // `--door` is for Claude Code only.
  if (door !== undefined || !chosen.includes('opencode')) return noDoor
  // The plugin asks for the port at each start, so it may change.
  const obstacle = doorObstacle({ ...config.http, port: 1 })
  if (obstacle !== undefined) return { ...noDoor, notes: [`model requests are unchanged: ${obstacle}`] }
  const { sources } = readOpenCodeSetup(openCodePlaces(io), { secretsIn: () => [] })
  const configs = sources.flatMap((source) => (source.kind === 'config' ? [source.value] : []))
  const { missing, left } = findProviders(configs, doorProviders(config.model))
  return {
    isOn: true,
    providers: missing,
    notes: [
      'model requests of OpenCode go through contextd; `--no-door` leaves them unchanged',
      ...left.map(({ id, why }) => `requests to the provider ${id} are unchanged: ${why}`),
    ],
  }
}
