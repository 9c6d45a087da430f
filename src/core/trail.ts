import type { Principal } from './call.ts'

export interface FindingCount {
  /** C1: inside the tool host; C2: in the pipeline. */
  readonly layer: 'C1' | 'C2'
  readonly rule: string
  readonly count: number
}

/**
 * What the stages learned on the way, for the audit record. The one thing on a call that is written to,
 * because audit stands outermost and must see it also when a stage throws.
 */
export interface Trail {
  principal?: Principal
  decision?: 'allow' | 'deny'
  /** Path of the rule that decided, such as `agents.frontend.deny.tools.postgres[0]`. */
  rule?: string
  /** The upstream server and tool really meant, where a gateway tool was called. */
  target?: { server: string; tool: string }
  tokens?: number
  truncated?: boolean
  findings: FindingCount[]
  /** Things worth keeping that are no refusal, such as a fixed argument that replaced the caller's. */
  notes: string[]
}

export function newTrail(): Trail {
  return { findings: [], notes: [] }
}
