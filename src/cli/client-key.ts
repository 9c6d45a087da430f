import { ensureModelKey } from '../platform/model-keys.ts'
import { resolvePaths } from '../platform/paths.ts'
import type { CliIo } from './ui/output.ts'
import { withRecords } from './with-runtime.ts'

/** The model door's key of one client, which all its projects share. Created, and recorded, unless there is a live one. */
export function ensureClientKey(client: string, io: CliIo): Promise<string> {
  return withRecords(io, ({ modelKeys, event }) =>
    ensureModelKey(resolvePaths(io.env), modelKeys, client, (id) =>
      event('model-key-created', { id, client }),
    ),
  )
}
