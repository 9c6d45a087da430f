/** Paths, configuration and trust: everything that is known before anything can be logged. */

import { resolve } from 'node:path'

import { LOCAL_TENANT } from '../core/call.ts'
import type { Clock } from '../core/ports.ts'
import type { Config } from '../platform/config/config-schema.ts'
import { loadConfig, type LoadedConfig } from '../platform/config/load-config.ts'
import { withPorts } from '../platform/config/ports.ts'
import { resolvePaths, type Paths } from '../platform/files/paths.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { openStore, type Store } from '../platform/storage/store.ts'
import { createTrust, type Trust } from '../platform/trust.ts'
import { userName } from '../platform/user-name.ts'
import type { ComposeOptions } from './runtime.ts'

export interface RuntimeSetup {
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly tenant: string
  readonly user: string
  readonly paths: Paths
  readonly store: Store
  readonly trust: Trust
  /** Whether callers are in this project without having chosen it. */
  readonly isShared: boolean
  /** The project folder of the calls. */
  readonly project: string
  readonly config: Config
  readonly ignoredConfig: LoadedConfig['ignored']
}

const tenant = LOCAL_TENANT

export function openSetup({ env, cwd, shared, ports = {} }: ComposeOptions): RuntimeSetup {
  const clock = Date.now
  const paths = resolvePaths(env)
  ensurePrivateFolder(paths.state)
  // Only the user's configuration can decide how the store is opened: whether the project's is trusted is recorded in
  // the store.
  const userConfig = loadConfig({ userFile: paths.configFile, isTrusted: () => false }).config
  const store = openStore(paths.database, { durability: userConfig.audit.durability })
  const trust = createTrust(store, tenant, clock)
  const isShared = shared === true || cwd === '/'
  const project = isShared ? resolve(cwd, userConfig.workspace.path) : cwd
  const { config: loaded, ignored: ignoredConfig } = loadConfig({
    userFile: paths.configFile,
    project,
    isTrusted: trust.isTrusted,
  })
  const config = withPorts(loaded, ports)
  const user = userName()
  return { env, clock, tenant, user, paths, store, trust, isShared, project, config, ignoredConfig }
}
