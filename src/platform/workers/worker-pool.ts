/**
 * Runs jobs in worker threads. Each job has a deadline that this thread enforces: a worker that exceeds it is
 * terminated and replaced. Workers start with the first job and end after some time without jobs.
 */

import { createFairQueue, type FairQueueOptions } from './fair-queue.ts'
import { JobFailed, type PendingJob } from './job.ts'
import { openWorkerSlot, type WorkerSlot, type WorkerSlotOptions } from './worker-slot.ts'

export interface WorkerPoolOptions<Job> extends WorkerSlotOptions<Job> {
  readonly maxWorkers: number
  readonly queue: FairQueueOptions
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

export function createWorkerPool<Job, Answer>(options: WorkerPoolOptions<Job>): WorkerPool<Job, Answer> {
  const { maxWorkers } = options
  const queue = createFairQueue<PendingJob<Job>>(options.queue)
  const slots = new Set<WorkerSlot<Job>>()
  /** One worker is reserved for other callers if there is more than one. */
  const maxPerCaller = Math.max(1, maxWorkers - 1)
  let isClosed = false

  const isBelowShare = (caller: string): boolean =>
    [...slots].filter((slot) => slot.assigned()?.caller === caller).length < maxPerCaller

  const freeSlot = (): WorkerSlot<Job> | undefined => {
    for (const slot of slots) if (slot.assigned() === undefined) return slot
    return undefined
  }

  const openSlot = (): WorkerSlot<Job> => {
    const opened = openWorkerSlot(options, (slot, state) => {
      if (state === 'ended') slots.delete(slot)
      advance()
    })
    slots.add(opened)
    return opened
  }

  /** Assigns waiting jobs until there are no more jobs or workers. */
  function advance(): void {
    while (!isClosed) {
      const free = freeSlot()
      if (free === undefined && slots.size >= maxWorkers) return
      const next = queue.take(isBelowShare)
      if (next === undefined) return
      let slot: WorkerSlot<Job>
      try {
        slot = free ?? openSlot()
      } catch (error) {
        next.item.settle({ failed: new JobFailed('crashed', String(error)) })
        continue
      }
      slot.assign({ ...next.item, caller: next.caller })
    }
  }

  return {
    run: (job, { caller, size, signal }) =>
      new Promise<Answer>((resolve, reject) => {
        if (isClosed) return reject(new JobFailed('closed', 'the pool is closed'))
        if (signal?.aborted === true) return reject(cancelled())
        const item: PendingJob<Job> = {
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
          for (const slot of slots) if (slot.assigned()?.settle === item.settle) slot.end(cancelled())
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
      for (const slot of slots) slot.end(failed)
      await Promise.all(ended.map((worker) => worker.terminate()))
    },
  }
}

function cancelled(): JobFailed {
  return new JobFailed('cancelled', 'the call was cancelled')
}
