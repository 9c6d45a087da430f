/** A job of a worker pool, and how it ends. */

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

export type JobOutcome = { readonly done: unknown } | { readonly failed: JobFailed }

export interface PendingJob<Job> {
  readonly job: Job
  readonly settle: (outcome: JobOutcome) => void
}

export interface AssignedJob<Job> extends PendingJob<Job> {
  readonly caller: string
}
