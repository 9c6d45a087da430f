/** Where a session stood: enough to go on from there in another one. */

import type { Json, JsonObject } from '@contextd/shared/json/value'

/** From little to all of it. */
export const checkpointLevels = ['summary', 'context', 'full'] as const

/** What an answer of a level may cost; the whole of it is read in slices. */
export const levelTokens = { summary: 200, context: 2000 } as const

export interface CheckpointDraft {
  readonly summary: string
  /** What to know to go on: decisions, open questions, next steps. */
  readonly context?: string | undefined
  /** Everything else, in any form. */
  readonly state?: Json | undefined
  readonly name?: string | undefined
  /** Files that our own tools did not see. */
  readonly files?: TouchedFiles | undefined
  /** Made by a hook, not by an agent. */
  readonly isAutomatic?: boolean
}

/** As they were named, the latest first; a file that was written is not named as read too. */
export interface TouchedFiles {
  readonly written: readonly string[]
  readonly read: readonly string[]
}

/** A branch that was open. */
export interface OpenBranch {
  readonly id: string
  readonly description: string
}

/** An answer that was kept behind a ref; it is readable in its own session, for as long as refs last. */
export interface KeptRef {
  readonly id: string
  readonly bytes: number
}

export interface CheckpointTokens {
  readonly summary: number
  readonly context: number
  readonly full: number
}

/** What a list shows, read without the rest. */
export interface CheckpointLine {
  readonly id: string
  readonly name: string
  /** Its first line. */
  readonly summary: string
  readonly tokens: CheckpointTokens
  readonly isAutomatic: boolean
  readonly agent: string
  readonly session: string
  /** Epoch milliseconds. */
  readonly created: number
}

/** As little of a checkpoint as tells whether it is the one. */
export interface CheckpointBrief extends JsonObject {
  id: string
  /** How long ago, and by whom. */
  saved: string
  summary: string
  /** How to take it. */
  about: string
}

export interface CheckpointPage {
  readonly checkpoints: readonly CheckpointLine[]
  /** On all pages. */
  readonly total: number
  /** Where the next page begins; absent on the last. */
  readonly next?: string
}

export interface Checkpoint extends CheckpointLine {
  /** All of it. */
  readonly summary: string
  readonly context: string
  /** As text; empty where there is none. */
  readonly state: string
  readonly files: TouchedFiles
  readonly branches: readonly OpenBranch[]
  readonly refs: readonly KeptRef[]
  readonly branch?: string
}
