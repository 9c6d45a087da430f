/**
 * Runs jobs in worker threads. Each job has a deadline that this thread enforces: a worker that exceeds it is
 * terminated and replaced. Workers start with the first job and end after some time without jobs.
 */

import type { Worker } from 'node:worker_threads'

import { createFairQueue, type FairQueueOptions } from './fair-queue.ts'

export interface WorkerPoolOptions<Job> {
  /**
   * A worker that posts `{ready: true}` once. For each job it posts `{prepared: true}` when it starts the actual job,
   * which is when the deadline begins, then one `{done}` or `{failed}`.
   */
  readonly start: () => Worker
  /** The message that starts a job. */
  readonly messageFor: (worker: Worker, job: Job) => unknown
  /** Receives all other messages of a worker. */
  readonly onMessage?: (worker: Worker, message: unknown) => void
  readonly maxWorkers: number
  readonly deadlineMs: number
  readonly queue: FairQueueOptions
  /** A worker is terminated after this time without a job. */
  readonly idleMs: number
}

export interface JobPlace {
  /** Callers are served in turn, and none gets more than its share of the workers. */
  readonly caller: string
  readonly size: number
  readonly signal?: AbortSignal
}

export interface WorkerPool<Job, Answer> {
  /** Rejects with a `JobFailed`. */
  run(job: Job, place: JobPlace): Promise<Answer>
  close(): Promise<void>
}

/** `busy`: too many jobs of this caller, or of all, are waiting. `late`: the deadline passed. */
export type JobFailure = 'busy' | 'late' | 'crashed' | 'failed' | 'cancelled' | 'closed'

export class JobFailed extends Error {
  readonly why: JobFailure

  constructor(why: JobFailure, message: string) {
    super(message)
    this.name = 'JobFailed'
    this.why = why
  }
}

interface Waiting<Job> {
  readonly job: Job
  readonly settle: (outcome: { readonly done: unknown } | { readonly failed: JobFailed }) => void
}

interface Slot<Job> {
  readonly worker: Worker
  isReady: boolean
  running?: (Waiting<Job> & { readonly caller: string }) | undefined
  timer?: NodeJS.Timeout | undefined
}

export function createWorkerPool<Job, Answer>(options: WorkerPoolOptions<Job>): WorkerPool<Job, Answer> {
  const { maxWorkers, deadlineMs, idleMs } = options
  const queue = createFairQueue<Waiting<Job>>(options.queue)
  const slots = new Set<Slot<Job>>()
  /** One worker is reserved for other callers if there is more than one. */
  const maxPerCaller = Math.max(1, maxWorkers - 1)
  let isClosed = false

  const isBelowShare = (caller: string): boolean =>
    [...slots].filter(({ running }) => running?.caller === caller).length < maxPerCaller

  const end = (slot: Slot<Job>, failed: JobFailed): void => {
    if (!slots.delete(slot)) return
    clearTimeout(slot.timer)
    void slot.worker.terminate()
    slot.running?.settle({ failed })
    advance()
  }

  const endAfter = (slot: Slot<Job>, milliseconds: number, failed: JobFailed): NodeJS.Timeout => {
    clearTimeout(slot.timer)
    slot.timer = setTimeout(() => end(slot, failed), milliseconds)
    return slot.timer
  }

  const startJob = (slot: Slot<Job>): void => {
    const { worker, running } = slot
    if (running === undefined) return
    endAfter(slot, prepareMs, new JobFailed('late', 'a worker did not prepare the job in time'))
    try {
      worker.postMessage(options.messageFor(worker, running.job))
    } catch (error) {
      // The message may have contained more than the job, which this worker would then never receive.
      end(slot, new JobFailed('failed', String(error)))
    }
  }

  const finishJob = (
    slot: Slot<Job>,
    outcome: { readonly done: unknown } | { readonly failed: JobFailed },
  ): void => {
    const { running } = slot
    slot.running = undefined
    endAfter(slot, idleMs, new JobFailed('closed', 'the worker is not needed')).unref()
    running?.settle(outcome)
    advance()
  }

  const onMessage = (slot: Slot<Job>, message: unknown): void => {
    if (!slots.has(slot)) return
    const posted = message as { ready?: true; prepared?: true; done?: unknown; failed?: string }
    if (posted.ready === true) {
      slot.isReady = true
      startJob(slot)
    } else if (posted.prepared === true) {
      endAfter(slot, deadlineMs, new JobFailed('late', `the work took longer than ${deadlineMs} ms`))
    } else if ('done' in posted) finishJob(slot, { done: posted.done })
    else if (posted.failed !== undefined) finishJob(slot, { failed: new JobFailed('failed', posted.failed) })
    else options.onMessage?.(slot.worker, message)
  }

  const openSlot = (): Slot<Job> => {
    const slot: Slot<Job> = { worker: options.start(), isReady: false }
    const crashed = (why: unknown): void =>
      end(slot, new JobFailed('crashed', `a worker ended: ${String(why)}`))
    // Only a running job's deadline keeps the process alive.
    slot.worker.unref()
    slot.worker.on('message', (message) => onMessage(slot, message))
    slot.worker.on('error', crashed)
    slot.worker.on('exit', crashed)
    slots.add(slot)
    return slot
  }

  const freeSlot = (): Slot<Job> | undefined => {
    for (const slot of slots) if (slot.running === undefined) return slot
    return undefined
  }

  /** Assigns waiting jobs until there are no more jobs or workers. */
  function advance(): void {
    while (!isClosed) {
      const free = freeSlot()
      if (free === undefined && slots.size >= maxWorkers) return
      const next = queue.take(isBelowShare)
      if (next === undefined) return
      let slot: Slot<Job>
      try {
        slot = free ?? openSlot()
      } catch (error) {
        next.item.settle({ failed: new JobFailed('crashed', String(error)) })
        continue
      }
      slot.running = { ...next.item, caller: next.caller }
      if (slot.isReady) startJob(slot)
      else endAfter(slot, prepareMs, new JobFailed('crashed', 'a worker did not start'))
    }
  }

  return {
    run: (job, { caller, size, signal }) =>
      new Promise<Answer>((resolve, reject) => {
        if (isClosed) return reject(new JobFailed('closed', 'the pool is closed'))
        if (signal?.aborted === true) return reject(cancelled())
        const item: Waiting<Job> = {
          job,
          settle(outcome) {
            signal?.removeEventListener('abort', cancel)
            if ('done' in outcome) resolve(outcome.done as Answer)
            else reject(outcome.failed)
          },
        }
        const cancel = (): void => {
          if (queue.remove(caller, item)) return item.settle({ failed: cancelled() })
          // No one waits for it anymore, and its worker is needed.
          for (const slot of slots) if (slot.running?.settle === item.settle) end(slot, cancelled())
        }
        if (!queue.add(caller, size, item)) {
          return reject(new JobFailed('busy', 'too many jobs of this caller are waiting'))
        }
        signal?.addEventListener('abort', cancel, { once: true })
        advance()
      }),
    async close() {
      isClosed = true
      const failed = new JobFailed('closed', 'the pool is closed')
      for (let next = queue.take(() => true); next !== undefined; next = queue.take(() => true)) {
        next.item.settle({ failed })
      }
      const ended = [...slots].map(({ worker }) => worker)
      for (const slot of slots) end(slot, failed)
      await Promise.all(ended.map((worker) => worker.terminate()))
    },
  }
}

/** For loading the worker's program and preparing a job; the machine may be very busy. */
const prepareMs = 60_000

function cancelled(): JobFailed {
  return new JobFailed('cancelled', 'the call was cancelled')
}
