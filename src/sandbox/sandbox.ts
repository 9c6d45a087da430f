/** Runs untrusted code: its access and resources are defined here and enforced by the kernel. */

import type { ServiceAddress } from '../core/service-address.ts'
import type { Duplex, Readable, Writable } from 'node:stream'

/** The resource limits of one command. Each applies to the whole process tree unless stated otherwise. */
export interface SandboxLimits {
  /** Wall-clock time. */
  readonly timeMs: number
  readonly cpuSeconds: number
  readonly memoryBytes: number
  readonly processes: number
  /** Per file. */
  readonly fileBytes: number
  /** Standard output and standard error together. */
  readonly outputBytes: number
  /** How much the writable folders and caches may grow. Checked periodically, so it can be exceeded for a moment. */
  readonly diskBytes: number
  /** How many files, folders and links they may gain, and how many may be in `/tmp`. Checked the same way. */
  readonly diskFiles: number
}

export const limitNames = [
  'time',
  'cpu',
  'memory',
  'processes',
  'file_size',
  'output',
  'disk',
  'files',
] as const
export type LimitName = (typeof limitNames)[number]

/** A folder or file of the machine that is visible inside under the same path. Absolute, links resolved. */
export interface Folder {
  readonly path: string
  readonly access: 'read' | 'write'
}

/** A writable folder or file that is somewhere else inside. Only sandboxes may use what it contains. */
export interface CacheMount {
  readonly source: string
  /** Below the home folder inside. */
  readonly path: string
}

/** The environment of a sandbox. Equal confinements make interchangeable sandboxes. */
export interface Confinement {
  /** In this order: later ones are mounted over earlier ones. The system's own programs are always visible. */
  readonly folders: readonly Folder[]
  /** Below the folders: appears empty inside. */
  readonly hidden: readonly string[]
  /**
   * Below the writable folders: readable, but cannot be written, replaced or moved aside, directly or with a parent.
   */
  readonly guarded: readonly string[]
  /** Folders whose git settings and hooks are granted by name: they may be written. */
  readonly gitAllowed?: readonly string[]
  readonly caches?: readonly CacheMount[]
  /** Folders searched for programs before the system's own. */
  readonly programs: readonly string[]
  readonly limits: SandboxLimits
  /** A Unix socket that connects to granted hosts; without it, no network. */
  readonly network?: string
  /** With `network`: services of the user, at the same address inside, each with the Unix socket that connects to it. */
  readonly services?: readonly (ServiceAddress & { readonly socket: string })[]
  /** Without `network`: a proxy inside refuses every request and reports its host, so that programs fail at once. */
  readonly refusesHosts?: boolean
}

export interface Command {
  /** Text for bash, or a program and its arguments. Other users of the machine can see the latter, never the former. */
  readonly run: string | readonly [program: string, ...args: string[]]
  readonly cwd: string
  /** All of it, apart from PATH, HOME, LANG and the like. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin?: string | Uint8Array
  /** Receives the other end of the command's descriptor 3. */
  readonly onChannel?: (channel: Duplex) => void
}

export interface RunOptions {
  /** Kills the whole process tree. */
  readonly signal?: AbortSignal
  /** Called while the command runs, with its output and usage so far. */
  readonly onProgress?: (usage: Usage) => void
  /** Receives the output instead of `Ended`; then it is limited to 5 MB per second, and not in total. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', chunk: Buffer) => void
}

export interface Usage {
  readonly elapsedMs: number
  readonly outputBytes: number
}

/** How a command ended. The whole tree has ended by then. */
export interface Ended {
  /** As in a shell: 128 plus the signal number for a command that was ended by a signal. */
  readonly exitCode: number
  /** The limit that ended it, or made it fail. */
  readonly limit?: LimitName
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly durationMs: number
  /** Guarded paths that did not exist before and were created by the command, with the names they were moved to. */
  readonly movedAside: readonly { readonly path: string; readonly to: string }[]
  /** What the refusing proxy was asked for, as `METHOD host:port`; programs inside may have forged it. */
  readonly refusedRequests: readonly string[]
}

/** A program that runs until it is ended: only its limits on memory, processes and files apply. */
export interface Started {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when the whole tree has ended. */
  readonly ended: Promise<Pick<Ended, 'exitCode' | 'limit'>>
  /** Kills the whole process tree. */
  kill(): void
}

/** What enforces the limits on this machine. */
export interface SandboxReport {
  readonly driver: string
  readonly version: string
  /** Whether contextd runs as root, with the options for root. */
  readonly asRoot: boolean
  /** `cgroup` is exact for the whole tree; `watchdog` measures periodically. */
  readonly memory: 'cgroup' | 'watchdog'
}

/** Whether code can be confined on this machine, determined by a test. */
export type SandboxState =
  | ({ readonly available: true } & SandboxReport)
  | { readonly available: false; readonly cause: string; readonly fix: string }

export interface Sandbox {
  /** Determined by a test. */
  state(): Promise<SandboxState>
  /** Throws SANDBOX_UNAVAILABLE, and CANCELLED if the signal says so. */
  run(command: Command, confinement: Confinement, options?: RunOptions): Promise<Ended>
  /**
   * Resolves once the sandbox is ready. Throws SANDBOX_UNAVAILABLE, also if a guarded path does not exist yet: what a
   * command creates there can be moved aside afterwards, but not while a program keeps running next to the user's own
   * work.
   */
  start(command: Omit<Command, 'stdin' | 'onChannel'>, confinement: Confinement): Promise<Started>
  /** Ends everything that runs. */
  close(): Promise<void>
}
