/** A worker thread and its current job, with the timer that terminates the worker if the job takes too long. */

import type { Worker } from 'node:worker_threads'

import { JobFailed, type AssignedJob, type JobOutcome } from './job.ts'

export interface WorkerSlotOptions<Job> {
  /**
   * A worker that posts `{ready: true}` once. For each job it posts `{prepared: true}` when it starts the actual job,
   * which is when the deadline begins, then one `{done}` or `{failed}`.
   */
  readonly start: () => Worker
  /** The message that starts a job. */
  readonly messageFor: (worker: Worker, job: Job) => unknown
  /** Receives all other messages of a worker. */
  readonly onMessage?: (worker: Worker, message: unknown) => void
  readonly deadlineMs: number
  /** A worker is terminated after this time without a job. */
  readonly idleMs: number
}

export interface WorkerSlot<Job> {
  readonly worker: Worker
  /** Undefined while it is free. */
  assigned(): AssignedJob<Job> | undefined
  /** Runs the job, once the worker has started. Only for a free slot. */
  assign(job: AssignedJob<Job>): void
  /** Terminates the worker; its job fails with this error. */
  end(failed: JobFailed): void
}

/** For loading the worker's program and preparing a job; the machine may be very busy. */
const prepareMs = 60_000

/** Starts a worker. `onChange` is called when the slot becomes free or ends. */
export function openWorkerSlot<Job>(
  options: WorkerSlotOptions<Job>,
  onChange: (slot: WorkerSlot<Job>, state: 'free' | 'ended') => void,
): WorkerSlot<Job> {
  const { deadlineMs, idleMs } = options
  const worker = options.start()
  let isReady = false
  let hasEnded = false
  let assigned: AssignedJob<Job> | undefined
  let timer: NodeJS.Timeout | undefined

  const end = (failed: JobFailed): void => {
    if (hasEnded) return
    hasEnded = true
    clearTimeout(timer)
    void worker.terminate()
    assigned?.settle({ failed })
    onChange(slot, 'ended')
  }

  const endAfter = (milliseconds: number, failed: JobFailed): NodeJS.Timeout => {
    clearTimeout(timer)
    timer = setTimeout(() => end(failed), milliseconds)
    return timer
  }

  const startJob = (): void => {
    if (assigned === undefined) return
    endAfter(prepareMs, new JobFailed('late', 'a worker did not prepare the job in time'))
    try {
      worker.postMessage(options.messageFor(worker, assigned.job))
    } catch (error) {
      // The message may have contained more than the job, which this worker would then never receive.
      end(new JobFailed('failed', String(error)))
    }
  }

  const finishJob = (outcome: JobOutcome): void => {
    const finished = assigned
    assigned = undefined
    endAfter(idleMs, new JobFailed('closed', 'the worker is not needed')).unref()
    finished?.settle(outcome)
    onChange(slot, 'free')
  }

  const onMessage = (message: unknown): void => {
    if (hasEnded) return
    const posted = message as { ready?: true; prepared?: true; done?: unknown; failed?: string }
    if (posted.ready === true) {
      isReady = true
      startJob()
    } else if (posted.prepared === true) {
      endAfter(deadlineMs, new JobFailed('late', `the work took longer than ${deadlineMs} ms`))
    } else if ('done' in posted) finishJob({ done: posted.done })
    else if (posted.failed !== undefined) finishJob({ failed: new JobFailed('failed', posted.failed) })
    else options.onMessage?.(worker, message)
  }

  const slot: WorkerSlot<Job> = {
    worker,
    assigned: () => assigned,
    assign(job) {
      assigned = job
      if (isReady) startJob()
      else endAfter(prepareMs, new JobFailed('crashed', 'a worker did not start'))
    },
    end,
  }
  const crashed = (why: unknown): void => end(new JobFailed('crashed', `a worker ended: ${String(why)}`))
  // Only a running job's deadline keeps the process alive.
  worker.unref()
  worker.on('message', onMessage)
  worker.on('error', crashed)
  worker.on('exit', crashed)
  return slot
}
