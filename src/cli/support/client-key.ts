import { ensureModelKey } from '../../platform/secrets/model-keys.ts'
import { resolvePaths } from '../../platform/files/paths.ts'
import type { CliIo } from '@contextd/shared/cli/output'
import { withRecords } from './with-runtime.ts'

/** A client's model door key, shared by all its projects. Created and audited unless a live one exists. */
export function ensureClientKey(client: string, io: CliIo): Promise<string> {
  return withRecords(io, ({ modelKeys, event }) =>
    ensureModelKey(resolvePaths(io.env), modelKeys, client, (id) =>
      event('model-key-created', { id, client }),
    ),
  )
}
