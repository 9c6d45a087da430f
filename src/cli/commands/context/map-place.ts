import { homedir } from 'node:os'
import { join } from 'node:path'

import { readMapFile, type MapFile } from '../../../compose/context-files.ts'
import { ContextdError } from '../../../core/errors.ts'
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

/** Undefined where there is no map yet. */
export async function mapIfThere({ map, home }: ContextPlace): Promise<MapFile | undefined> {
  try {
    return await readMapFile(map, home)
  } catch (error) {
    if (error instanceof ContextdError && error.code === 'CONTEXT_MAP_MISSING') return undefined
    throw error
  }
}
