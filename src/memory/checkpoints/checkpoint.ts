/** A saved session state: enough to continue from it in another session. */

import type { Json, JsonObject } from '@contextd/shared/json/value'

/** From the shortest to the complete one. */
export const checkpointLevels = ['summary', 'context', 'full'] as const

/** Max tokens of an answer per level; `full` is read in slices. */
export const levelTokens = { summary: 200, context: 2000 } as const

export interface CheckpointDraft {
  readonly summary: string
  /** What is needed to continue: decisions, open questions, next steps. */
  readonly context?: string | undefined
  /** Anything else, in any form. */
  readonly state?: Json | undefined
  readonly name?: string | undefined
  /** Files that our own tools did not record. */
  readonly files?: TouchedFiles | undefined
  /** Created by a hook, not by an agent. */
  readonly isAutomatic?: boolean
}

/** Paths as they were given, latest first; written files are not listed as read. */
export interface TouchedFiles {
  readonly written: readonly string[]
  readonly read: readonly string[]
}

/** A branch that was open. */
export interface OpenBranch {
  readonly id: string
  readonly description: string
}

/** An answer stored behind a ref, readable in its own session until the ref expires. */
export interface KeptRef {
  readonly id: string
  readonly bytes: number
}

export interface CheckpointTokens {
  readonly summary: number
  readonly context: number
  readonly full: number
}

/** What lists show, read without the rest. */
export interface CheckpointLine {
  readonly id: string
  readonly name: string
  /** Its first line only. */
  readonly summary: string
  readonly tokens: CheckpointTokens
  readonly isAutomatic: boolean
  readonly agent: string
  readonly session: string
  /** Epoch milliseconds. */
  readonly created: number
}

/** Just enough of a checkpoint to recognize it. */
export interface CheckpointBrief extends JsonObject {
  id: string
  /** Age and author. */
  saved: string
  summary: string
  /** How to treat it. */
  about: string
}

export interface CheckpointPage {
  readonly checkpoints: readonly CheckpointLine[]
  /** On all pages. */
  readonly total: number
  /** Where the next page starts; absent on the last. */
  readonly next?: string
}

export interface Checkpoint extends CheckpointLine {
  /** The complete summary. */
  readonly summary: string
  readonly context: string
  /** As text; may be empty. */
  readonly state: string
  readonly files: TouchedFiles
  readonly branches: readonly OpenBranch[]
  readonly refs: readonly KeptRef[]
  readonly branch?: string
}
