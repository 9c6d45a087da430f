import type { JsonObject } from '@contextd/shared/json/value'
import type { Confinement, Ended } from '../../sandbox/sandbox.ts'
import type { HostMethods } from './host-channel.ts'

/** One run of an approved tool. */
export interface ToolJob {
  /** Contains the approved bytes and nothing else. */
  readonly folder: string
  /** The file to run, relative to the folder. */
  readonly executable: string
  readonly input: JsonObject
  /** The project; `confinement` defines how much of it the tool sees. */
  readonly workspace: string
  /** What the tool sees apart from its own folder, and its limits. */
  readonly confinement: Confinement
  /** The methods the tool can call on contextd while it runs. */
  readonly methods: HostMethods
  readonly signal: AbortSignal
  /** Called when the tool misuses the channel, which is then closed. */
  readonly onFault: (why: string) => void
}

/** How it ended. `stdout` is the result, `stderr` is for the tool's author. */
export type ToolRunResult = Pick<Ended, 'exitCode' | 'limit' | 'stdout' | 'stderr'>

/** Runs tools: as a process in the sandbox, or anything else with the same guarantees. */
export interface ToolExecutor {
  /** Throws SANDBOX_UNAVAILABLE, and the signal's abort reason. */
  run(job: ToolJob): Promise<ToolRunResult>
}
