import { ensureModelKey } from '../platform/model-keys.ts'
import { resolvePaths } from '../platform/paths.ts'
import type { CliIo } from './ui/output.ts'
import { withRecords } from './with-runtime.ts'

/** A client's model door key, shared by all its projects. Created and audited unless a live one exists. */
export function ensureClientKey(client: string, io: CliIo): Promise<string> {
  return withRecords(io, ({ modelKeys, event }) =>
    ensureModelKey(resolvePaths(io.env), modelKeys, client, (id) =>
      event('model-key-created', { id, client }),
    ),
  )
}
