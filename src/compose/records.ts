import { randomBytes } from 'node:crypto'

import { LOCAL_TENANT } from '../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { UsageGroup } from '../core/model.ts'
import { loadConfig } from '../platform/config/load-config.ts'
import { createLog } from '../platform/log.ts'
import { createModelKeys, type ModelKeys } from '../platform/secrets/model-keys.ts'
import { resolvePaths } from '../platform/files/paths.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { openStore, type Store } from '../platform/storage/store.ts'
import { createTrust, type Trust } from '../platform/trust.ts'
import { userName } from '../platform/user-name.ts'
import { createAuditLog } from '../stages/audit/log.ts'
import { createAuditReader, type AuditReader } from '../stages/audit/query.ts'
import { createVault } from '../stages/audit/vault.ts'
import { verifyAudit, type Verification } from '../stages/audit/verify.ts'
import { sumUsage, type UsageSum } from '../stages/budget/model-usage.ts'
import { loadTokenizer } from '../stages/budget/tokenizer.ts'
import { createAgentTokens, type AgentTokens } from '../stages/identity/agent-tokens.ts'
import { createSecretRegistry, type SecretRegistry } from '../stages/scrub/registry.ts'
import { isBuiltin } from '../tools/builtin/registry.ts'
import type { Installer, InstallerOptions } from '../tools/install/installer.ts'
import type { Toolbox } from '../tools/plugins/toolbox.ts'
import { auditFiles } from './auditing.ts'
import { sandboxLimits } from './sandbox.ts'

const tenant = LOCAL_TENANT

/** The store without the pipeline, for commands that run no calls: works even if rules or configuration do not load. */
export interface Records {
  /** For stored data other than the audit log. */
  readonly store: Store
  readonly audit: AuditReader
  readonly tokens: AgentTokens
  /** Keys of the model door. */
  readonly modelKeys: ModelKeys
  /** Model tokens used since the start of that day (epoch milliseconds). */
  modelUsage(since: number, by: UsageGroup): UsageSum[]
  readonly trust: Trust
  readonly secrets: Pick<SecretRegistry, 'list' | 'refusePlain' | 'set' | 'forget'>
  /** The unscrubbed result of a call, if the vault was enabled. */
  rawOutput(call: string): string | undefined
  /** Records an action of the user. */
  event(name: string, details: JsonObject): void
  /** User-made tools of the project in this folder. */
  toolbox(cwd: string): Promise<Toolbox>
  /** Installs tools from elsewhere into it. */
  installer(toolbox: Toolbox, onProgress?: InstallerOptions['onProgress']): Promise<Installer>
  verify(onProgress?: (records: number) => void): Verification
  close(): void
}

export function openRecords(env: NodeJS.ProcessEnv): Records {
  const paths = resolvePaths(env)
  ensurePrivateFolder(paths.state)
  const store = openStore(paths.database)
  const files = auditFiles(store, paths)
  const clock = Date.now
  const report = createLog({ level: 'warn', scrub: (text) => text })
  const trust = createTrust(store, tenant, clock)
  const event: Records['event'] = (name, details) => {
    const log = createAuditLog({ ...files, clock, tenant, user: userName(), report })
    log.event(name, details)
    log.flush()
  }
  return {
    store,
    audit: createAuditReader({ store, tenant, clock }),
    tokens: createAgentTokens(store, tenant, clock, randomBytes),
    modelKeys: createModelKeys(store, tenant, clock, randomBytes),
    modelUsage: (since, by) => sumUsage(store, tenant, { since, by }),
    trust,
    // These commands discover no secrets, so the retention period does not matter.
    secrets: createSecretRegistry({ ...files, tenant, clock, keepMs: 0, report }),
    rawOutput: (call) => createVault({ ...files, clock }).read(tenant, call),
    event,
    async toolbox(cwd) {
      const { createToolbox } = await import('../tools/plugins/toolbox.ts')
      const { config } = loadConfig({ userFile: paths.configFile, isTrusted: () => false })
      return createToolbox({
        store,
        tenant,
        project: cwd,
        stateFolder: paths.state,
        clock,
        count: await loadTokenizer(config.budget.tokenizer),
        isTaken: isBuiltin,
        trust,
        limits: sandboxLimits(config),
        callTimeMs: config.limits.call_timeout_ms,
        onEvent: event,
      })
    },
    async installer(toolbox, onProgress) {
      const { createInstaller } = await import('../tools/install/installer.ts')
      return createInstaller({ toolbox, store, tenant, trust, clock, env, onEvent: event, onProgress })
    },
    verify: (onProgress) => verifyAudit(files, onProgress && { onProgress }),
    close: () => store.close(),
  }
}
