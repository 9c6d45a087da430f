/** What the main thread and a scrubbing worker say to each other. */

import type { MessagePort } from 'node:worker_threads'

import type { Check, Checked, CheckFor } from '../../../core/checks.ts'
import type { UserRulesSource } from '../load-user-rules.ts'
import type { PrivateSnapshot } from '../private-context/private-contexts.ts'
import type { FoundSecret } from '@contextd/scrub/internal/session-tokens'

/** What a worker is started with. */
export interface WorkerSetup {
  readonly deadlineMs: number
  readonly sources: readonly UserRulesSource[]
  /** Where the answers to its questions come, and the cell that is set when one is there. */
  readonly answers: MessagePort
  readonly answered: Int32Array
}

export interface CheckMessage {
  readonly check: Check
  readonly owner: Pick<CheckFor, 'tenant' | 'session' | 'reader'>
  /** What is private in the session. */
  readonly privacy: PrivateSnapshot | undefined
  /** Values that became known since the last message. */
  readonly news: readonly FoundSecret[]
}

export type WorkerMessage =
  | { readonly ready: true }
  /** All values of the message are searched for from now on, and the check begins. */
  | { readonly prepared: true }
  /** Without a value where nothing was found: it would be the one that was sent. */
  | { readonly done: Omit<Checked<unknown>, 'value'> & { readonly value?: unknown } }
  | { readonly failed: string }
  /** A question: the worker blocks until it is answered. */
  | { readonly numbers: readonly FoundSecret[]; readonly session: string }
  | { readonly learned: readonly FoundSecret[] }

export type NumbersAnswer = { readonly tokens: readonly string[] } | { readonly problem: string }
