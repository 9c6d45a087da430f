/** The audit log, and events that are not part of a call. */

import type { Call } from '../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Log } from '../platform/log.ts'
import type { Paths } from '../platform/files/paths.ts'
import type { Store } from '../platform/storage/store.ts'
import { createAuditLog, type AuditFiles, type AuditLog } from '../stages/audit/log.ts'
import { createVault, type Vault } from '../stages/audit/vault.ts'
import type { RuntimeSetup } from './setup.ts'

export interface Auditing {
  readonly audit: AuditLog
  /** Undefined if disabled. */
  readonly vault: Vault | undefined
  /** Events about rules and server files. */
  readonly recordFileEvent: (name: string, details: JsonObject) => void
  /** Events about tools; `call` is absent if an MCP server acts on its own. */
  readonly recordToolEvent: (name: string, details: JsonObject, call?: Call) => void
}

export function auditFiles(store: Store, { keys, auditHead }: Paths): AuditFiles {
  return { store, keysDir: keys, headFile: auditHead }
}

/** `isBrief`: events about untrusted files are omitted, because the process that serves calls already recorded them. */
export function openAuditing(setup: RuntimeSetup, report: Log, isBrief: boolean): Auditing {
  const { config, paths, store, clock, tenant, user, project } = setup
  const files = auditFiles(store, paths)
  const audit = createAuditLog({ ...files, clock, tenant, user, report })
  return {
    audit,
    vault: config.audit.vault ? createVault({ ...files, clock }) : undefined,
    recordFileEvent(name, details) {
      if (!isBrief || !name.endsWith('-ignored')) audit.event(name, details, { project })
    },
    recordToolEvent(name, details, call) {
      if (call === undefined) audit.event(name, details, { project })
      else {
        const owner = { project, session: call.session, agent: call.principal?.agent ?? '' }
        audit.event(name, { ...details, call: call.id }, owner)
      }
    },
  }
}
