import type { JsonObject } from '@contextd/shared/json/value'
import type { Confinement, Ended } from '../../sandbox/sandbox.ts'
import type { HostMethods } from './host-channel.ts'

/** One run of an approved tool. */
export interface ToolJob {
  /** Holds the approved bytes and nothing else. */
  readonly folder: string
  /** The file to run, below the folder. */
  readonly executable: string
  readonly input: JsonObject
  /** Of the project; the tool sees of it what `confinement` says. */
  readonly workspace: string
  /** What the tool sees beside its own folder, and what it may use up. */
  readonly confinement: Confinement
  /** What the tool can ask contextd for while it runs. */
  readonly methods: HostMethods
  readonly signal: AbortSignal
  /** The tool misused the channel, which is closed. */
  readonly onFault: (why: string) => void
}

/** How it ended. `stdout` is the answer, `stderr` what the tool said to whoever wrote it. */
export type Executed = Pick<Ended, 'exitCode' | 'limit' | 'stdout' | 'stderr'>

/** A way to run tools: as a process in the sandbox, or whatever else keeps to the same terms. */
export interface ToolExecutor {
  /** Throws SANDBOX_UNAVAILABLE, and what the signal was aborted with. */
  run(job: ToolJob): Promise<Executed>
}
