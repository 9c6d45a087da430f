/** The user settings that a scan uses: which project files are trusted, and the user's own rules. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { LOCAL_TENANT } from '../../core/call.ts'
import { loadConfig } from '../../platform/config/load-config.ts'
import { resolvePaths } from '../../platform/files/paths.ts'
import { openStore } from '../../platform/storage/store.ts'
import { createTrust, projectFileOf } from '../../platform/trust.ts'
import type { FileTrust, UserSettings } from '@contextd/scrub/scan'

export function scanSettings(env: NodeJS.ProcessEnv): UserSettings {
  const paths = resolvePaths(env)
  return {
    trustOf: (file, bytes) => trustIn(paths.database, file, bytes),
    howToTrust: (folder) => `read it, then run \`ctxd trust ${folder}\``,
    rulesFile() {
      const { config } = loadConfig({ userFile: paths.configFile, isTrusted: () => false })
      const named = config.scrub.rules_file
      return named === '' ? undefined : resolve(paths.config, named)
    },
  }
}

/** Without a store, nothing is trusted yet, and a scan should not create one. */
function trustIn(database: string, file: string, bytes: Uint8Array): FileTrust {
  if (!existsSync(database)) return 'unknown'
  const store = openStore(database)
  try {
    const trust = createTrust(store, LOCAL_TENANT, Date.now)
    if (trust.isTrusted(file, bytes)) return 'trusted'
    return trust.list().some(({ path }) => path === projectFileOf(file)?.path) ? 'changed' : 'unknown'
  } finally {
    store.close()
  }
}
