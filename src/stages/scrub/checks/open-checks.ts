/**
 * Checks small values synchronously, and large ones in workers, so that one caller's text does not block the others.
 */

import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import { join } from 'node:path'

import {
  callerKey,
  sizeOf,
  type Check,
  type CheckFor,
  type Knowledge,
  type RunCheck,
} from '../../../core/checks.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import { ownFolder } from '../../../platform/own-program.ts'
import { JobFailed } from '../../../platform/workers/job.ts'
import { createWorkerPool, type WorkerPool } from '../../../platform/workers/worker-pool.ts'
import type { UserRulesSource } from '../load-user-rules.ts'
import type { PrivateContexts } from '../private-context/private-contexts.ts'
import { NotBrief, type ScrubEngine } from '@contextd/scrub/internal/engine'
import type { SessionTokens } from '@contextd/scrub/internal/session-tokens'
import type { News } from './news.ts'
import { performCheck } from './perform-check.ts'
import type { CheckMessage, NumbersAnswer, WorkerMessage, WorkerSetup } from './worker-messages.ts'

export interface ChecksOptions {
  /** Must have been created with `briefHere`, and with `news.add` as `onKnown`. */
  readonly engine: ScrubEngine
  readonly news: News
  readonly tokens: Pick<SessionTokens, 'tokensFor'>
  readonly privacy: Pick<PrivateContexts, 'mask' | 'snapshot'>
  /** The user's own rules. */
  readonly sources: readonly UserRulesSource[]
  /** Max milliseconds of a check in a worker before the worker is terminated. */
  readonly deadlineMs: number
  /** The worker's program; defaults to ours. */
  readonly program?: string
}

export interface OpenChecks {
  readonly check: RunCheck
  /** What is currently known, including from other processes and sessions. Cheap if nothing is new. */
  knowledge(session: string): Knowledge
  /** The values discovered after the first `secrets`; undefined if there were too many to remember. */
  knownSince(secrets: number): readonly string[] | undefined
  close(): Promise<void>
}

/** Max size of values that are checked in the main thread (see `sizeOf`). */
export const maxSizeHere = 32_768
/** Limits of a check there: new secrets, which take about a millisecond each, and total milliseconds. */
export const briefHere = { maxNew: 8, briefMs: 10 } as const
/** The second worker is reserved for other callers than the first one's. */
const maxWorkers = 2
const idleMs = 120_000
const megabyte = 1 << 20
const queue = {
  perCaller: { maxItems: 32, maxSize: 64 * megabyte },
  total: { maxItems: 256, maxSize: 256 * megabyte },
}
/** A value that needs more memory ends a worker instead of the process. */
const workerLimits = { maxOldGenerationSizeMb: 1024 }
/** Pause between values that this thread prepares for searching, and how many it prepares at a time. */
const preparePauseMs = 10
const prepareBatchSize = 2

type Job = Omit<CheckMessage, 'privacy' | 'news'>
type Done = Extract<WorkerMessage, { done: unknown }>['done']

export function openChecks(options: ChecksOptions): OpenChecks {
  const { engine, news, privacy } = options
  let pool: WorkerPool<Job, Done> | undefined
  let preparing: NodeJS.Timeout | undefined

  const prepareSoon = (): void => {
    preparing ??= setTimeout(() => {
      preparing = undefined
      for (let prepared = 0; prepared < prepareBatchSize; prepared++) if (!engine.prepareNext()) return
      prepareSoon()
    }, preparePauseMs).unref()
  }
  const onLearned: ScrubEngine['learn'] = (found) => {
    engine.learn(found)
    prepareSoon()
  }

  const refresh = (session: string): void => {
    engine.refresh(session)
    if (engine.hasWaiting()) prepareSoon()
  }

  const checkInWorker = async (
    check: Check,
    whose: CheckFor,
    size: number,
  ): Promise<ReturnType<typeof performCheck>> => {
    const { tenant, session, reader, signal } = whose
    refresh(session)
    pool ??= openPool(options, onLearned)
    const place = { caller: callerKey(whose), size, ...(signal && { signal }) }
    try {
      const done = await pool.run({ check, owner: { tenant, session, reader } }, place)
      return { value: check.value, ...done } as ReturnType<typeof performCheck>
    } catch (error) {
      if (error instanceof JobFailed && error.why === 'busy') throw new ContextdError('SCRUB_QUEUE_FULL')
      throw error
    }
  }

  /** A worker prepares all values before it starts, which would take too long here. */
  const isPrepared = (session: string): boolean => {
    refresh(session)
    return !engine.hasWaiting()
  }

  const run = (check: Check, whose: CheckFor): unknown => {
    const size = sizeOf(check.value, queue.perCaller.maxSize)
    const isMuchToPrepare =
      (check.kind === 'texts' && !isPrepared(whose.session)) ||
      (check.kind === 'known' && check.secrets.length > briefHere.maxNew)
    if (size > maxSizeHere || isMuchToPrepare) return checkInWorker(check, whose, size)
    try {
      const scrub = engine.briefScrub(whose.session)
      return performCheck(check, whose, { scrub, privacy, prepareKnown: engine.knownCount })
    } catch (error) {
      if (!(error instanceof NotBrief)) throw error
      prepareSoon()
      return checkInWorker(check, whose, size)
    }
  }
  return {
    check: run as RunCheck,
    knowledge(session) {
      refresh(session)
      return { secrets: news.count(), privacy: privacy.snapshot(session)?.version ?? 0 }
    },
    knownSince(secrets) {
      const { news: found, mark } = news.since(secrets)
      return found.length === mark - secrets ? found.map(({ value }) => value) : undefined
    },
    async close() {
      clearTimeout(preparing)
      await pool?.close()
    },
  }
}

function openPool(
  { deadlineMs, news, privacy, sources, tokens, program }: ChecksOptions,
  onLearned: ScrubEngine['learn'],
): WorkerPool<Job, Done> {
  const links = new WeakMap<Worker, { answers: MessagePort; answerFlag: Int32Array; mark: number }>()
  return createWorkerPool<Job, Done>({
    start() {
      const { port1: answers, port2 } = new MessageChannel()
      const answerFlag = new Int32Array(new SharedArrayBuffer(4))
      const setup: WorkerSetup = { deadlineMs, sources, answers: port2, answerFlag }
      const worker = new Worker(program ?? join(ownFolder(), 'dist', 'scrub-worker.js'), {
        workerData: setup,
        transferList: [port2],
        resourceLimits: workerLimits,
        env: {},
        execArgv: [],
        // Its output must not be mistaken for protocol messages.
        stdout: true,
        stderr: true,
      })
      answers.unref()
      links.set(worker, { answers, answerFlag, mark: 0 })
      return worker
    },
    messageFor(worker, job): CheckMessage {
      const link = links.get(worker)!
      const snapshot = privacy.snapshot(job.owner.session)
      const { news: fresh, mark } = news.since(link.mark)
      link.mark = mark
      return { ...job, privacy: snapshot, news: fresh }
    },
    onMessage(worker, message) {
      const posted = message as Extract<WorkerMessage, { numbers: unknown } | { learned: unknown }>
      if ('learned' in posted) return onLearned(posted.learned)
      const { answers, answerFlag } = links.get(worker)!
      answers.postMessage(answerNumbers(() => tokens.tokensFor(posted.session, posted.numbers)))
      Atomics.store(answerFlag, 0, 1)
      Atomics.notify(answerFlag, 0)
    },
    maxWorkers,
    deadlineMs,
    queue,
    idleMs,
  })
}

function answerNumbers(number: () => readonly string[]): NumbersAnswer {
  try {
    return { tokens: number() }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
