/** The approvals of tools: the exact bytes, and their capabilities. */

import { formatCapability, parseCapability, type Capability } from '../../core/capability.ts'
import type { Clock } from '../../core/ports.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'

export interface Approval {
  readonly tool: string
  /** Over all files of the package. */
  readonly sha256: string
  readonly capabilities: readonly Capability[]
  /** Epoch milliseconds. */
  readonly approvedAt: number
}

/** For one project. Approvals with a session end with it; the others are permanent. */
export interface ApprovalStore {
  find(tool: string, session?: string): Approval | undefined
  /** The permanent approvals. */
  list(): Approval[]
  put(approval: Omit<Approval, 'approvedAt'>, session?: string): void
  /** Includes approvals for sessions. Returns whether there were any. */
  remove(tool: string): boolean
  /** Hashes that an approval in any project refers to. */
  hashesInUse(): ReadonlySet<string>
  /** Deletes session approvals older than that. */
  prune(before: number): number
}

/** The `session` of permanent approvals. */
const FOR_GOOD = ''

export function createApprovalStore(
  store: Store,
  owner: { readonly tenant: string; readonly project: string },
  clock: Clock,
): ApprovalStore {
  const { tenant } = owner
  const rowsOf = (session: string) => store.rows('approvals', { ...owner, session })
  return {
    find(tool, session = FOR_GOOD) {
      const row = rowsOf(session).first({ tool })
      return row && toApproval(row)
    },
    list: () => rowsOf(FOR_GOOD).all({}, { orderBy: 'tool' }).map(toApproval),
    put({ tool, sha256, capabilities }, session = FOR_GOOD) {
      rowsOf(session).put({
        tool,
        sha256,
        capabilities: JSON.stringify(capabilities.map(formatCapability)),
        approved_at: clock(),
      })
    },
    remove: (tool) => store.rows('approvals', owner).remove({ tool }) > 0,
    hashesInUse: () =>
      new Set(
        store
          .rows('approvals', { tenant })
          .all()
          .map(({ sha256 }) => String(sha256)),
      ),
    prune(before) {
      const rows = store.rows('approvals', { tenant })
      const old = rows.all({ approved_at: { atMost: before } }).filter(({ session }) => session !== FOR_GOOD)
      for (const { project = '', session = '', tool = '' } of old) rows.remove({ project, session, tool })
      return old.length
    },
  }
}

function toApproval({ tool, sha256, capabilities, approved_at }: SqlRow): Approval {
  const texts = JSON.parse(String(capabilities)) as string[]
  return {
    tool: String(tool),
    sha256: String(sha256),
    capabilities: texts.flatMap((text) => parseCapability(text) ?? []),
    approvedAt: Number(approved_at),
  }
}

export function hasCapability(list: readonly Capability[], { kind, scope }: Capability): boolean {
  return list.some((one) => one.kind === kind && one.scope === scope)
}
