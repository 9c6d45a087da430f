import { homedir } from 'node:os'
import { join } from 'node:path'

import { loadOrCreateKey } from '../../../platform/keys.ts'
import { resolvePaths } from '../../../platform/paths.ts'
import type { CliIo } from '../../ui/output.ts'

export interface ContextPlace {
  readonly map: string
  readonly folder: string
  readonly stateFolder: string
  readonly project: string
  readonly home: string
  /** For the ids that `list` and the records share. */
  readonly hashKey: () => Buffer
}

export function contextPlace(io: CliIo): ContextPlace {
  const paths = resolvePaths(io.env)
  return {
    map: paths.contextMap,
    folder: paths.config,
    stateFolder: paths.state,
    project: io.cwd,
    home: io.env.HOME ?? homedir(),
    hashKey: () => loadOrCreateKey(join(paths.keys, 'context.key')),
  }
}
