/** The audit, and what is written there beside calls. */

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
  /** Where it is switched on. */
  readonly vault: Vault | undefined
  /** What became of a file of rules or servers. */
  readonly recordFileEvent: (name: string, details: JsonObject) => void
  /** What a tool did; without a call where an MCP server does something on its own account. */
  readonly recordToolEvent: (name: string, details: JsonObject, call?: Call) => void
}

export function auditFiles(store: Store, { keys, auditHead }: Paths): AuditFiles {
  return { store, keysDir: keys, headFile: auditHead }
}

/** `isBrief`: what is not trusted is left out, because it is on record from whoever serves calls. */
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
