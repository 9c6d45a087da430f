/** `ctxd permissions`: the commands of @contextd/permissions, with the user's rules, the audit log and the gateway. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createPermissionsCommand } from '@contextd/permissions/internal/cli'
import { docsOf } from '@contextd/permissions/internal/rule-page'
import { processIo, type CliIo } from '@contextd/shared/cli/output'
import type { Command } from 'commander'

import { resolvePaths } from '../../../platform/files/paths.ts'
import { withRecords } from '../../support/with-runtime.ts'
import { openDisplayMask } from '../init/display-mask.ts'
import { shippedFile } from '../init/program.ts'
import { queryTools } from './connect.ts'

export function permissionsCommand(io: CliIo = processIo()): Command {
  return createPermissionsCommand(
    {
      program: 'ctxd permissions',
      secretsIn: async (env, cwd) => (await import('../../../compose/permissions.ts')).ownSecretsIn(env, cwd),
      openMask: openDisplayMask,
      backups: (env) => join(resolvePaths(env).state, 'permission-backups'),
      queryTools,
      record: (event, on) => withRecords(on, (records) => records.event('permissions-fixed', event)),
      rulePage(id) {
        const page = shippedFile(docsOf(id))
        // The plugin ships without the pages.
        return existsSync(page) ? page : undefined
      },
    },
    io,
  )
}
