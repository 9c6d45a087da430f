/** The messages between the main thread and a scrubbing worker. */

import type { MessagePort } from 'node:worker_threads'

import type { Check, Checked, CheckFor } from '../../../core/checks.ts'
import type { UserRulesSource } from '../load-user-rules.ts'
import type { PrivateSnapshot } from '../private-context/private-contexts.ts'
import type { FoundSecret } from '@contextd/scrub/internal/session-tokens'

/** A worker's initial data. */
export interface WorkerSetup {
  readonly deadlineMs: number
  readonly sources: readonly UserRulesSource[]
  /** The port for responses to its requests, and the flag that is set when one has arrived. */
  readonly answers: MessagePort
  readonly answerFlag: Int32Array
}

export interface CheckMessage {
  readonly check: Check
  readonly owner: Pick<CheckFor, 'tenant' | 'session' | 'reader'>
  /** The private context of the session. */
  readonly privacy: PrivateSnapshot | undefined
  /** Values that became known since the last message. */
  readonly news: readonly FoundSecret[]
}

export type WorkerMessage =
  | { readonly ready: true }
  /** All values in the message have been prepared, and the check starts. */
  | { readonly prepared: true }
  /** Without a value if nothing was found, because it would equal the input. */
  | { readonly done: Omit<Checked<unknown>, 'value'> & { readonly value?: unknown } }
  | { readonly failed: string }
  /** A request: the worker blocks until the response arrives. */
  | { readonly numbers: readonly FoundSecret[]; readonly session: string }
  | { readonly learned: readonly FoundSecret[] }

export type NumbersAnswer = { readonly tokens: readonly string[] } | { readonly problem: string }
