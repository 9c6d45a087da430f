/** The broker's map of contexts and their agents. Neither keys nor contents pass through here. */

import { join } from 'node:path'

import { CodedError } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { homeFolder } from '@contextd/shared/files/home-folder'
import { loadOrCreateKey } from '../../../platform/secrets/keys.ts'
import { resolvePaths } from '../../../platform/files/paths.ts'
import type { MapFile } from '../../../tools/broker/map-file.ts'
import type { Operation } from './operation.ts'
import { jsonList } from './response.ts'

export const contextOperations: readonly Operation[] = [
  {
    rpc: 'Context/List',
    run: async (_request, { runtime: { env, project } }) => contextList(contextPlace({ env, cwd: project })),
  },
  {
    rpc: 'Context/Check',
    run: async (_request, { runtime: { env, project } }) =>
      contextRemarks(contextPlace({ env, cwd: project })),
  },
]

export interface ContextPlace {
  readonly map: string
  readonly folder: string
  readonly stateFolder: string
  readonly project: string
  readonly home: string
  /** For the ids that `list` and the audit log share. */
  readonly hashKey: () => Buffer
}

export function contextPlace({ env, cwd }: { env: NodeJS.ProcessEnv; cwd: string }): ContextPlace {
  const paths = resolvePaths(env)
  return {
    map: paths.contextMap,
    folder: paths.config,
    stateFolder: paths.state,
    project: cwd,
    home: env.HOME ?? homeFolder(),
    hashKey: () => loadOrCreateKey(join(paths.keys, 'context.key')),
  }
}

/** Undefined if there is no map yet. The reader is loaded on demand, to keep startup fast. */
export async function mapIfThere({ map, home }: ContextPlace): Promise<MapFile | undefined> {
  const { readMapFile } = await import('../../../tools/broker/map-file.ts')
  try {
    return await readMapFile(map, home)
  } catch (error) {
    if (error instanceof CodedError && error.code === 'CONTEXT_MAP_MISSING') return undefined
    throw error
  }
}

export async function contextList(place: ContextPlace): Promise<JsonObject> {
  const { listContexts } = await import('../../../tools/broker/check-contexts.ts')
  const read = await mapIfThere(place)
  const contexts = read === undefined ? [] : listContexts(read, place.hashKey())
  return {
    map: place.map,
    contexts: jsonList(contexts),
    problems: jsonList(read?.problems ?? []),
  }
}

export async function contextRemarks(place: ContextPlace): Promise<JsonObject> {
  const [{ readMapFile }, { checkContexts }] = await Promise.all([
    import('../../../tools/broker/map-file.ts'),
    import('../../../tools/broker/check-contexts.ts'),
  ])
  const map = await readMapFile(place.map, place.home)
  const remarks = await checkContexts(map, place)
  return {
    ok: remarks.every(({ severity }) => severity !== 'error'),
    map: place.map,
    contexts: map.entries.length,
    remarks: jsonList(remarks),
  }
}
