/** How code is run that nobody vouches for: what it may see and use is given here, and held by the kernel. */

import type { Duplex, Readable, Writable } from 'node:stream'

/** What one command may use up. Each bounds the whole process tree unless it says otherwise. */
export interface SandboxLimits {
  /** Wall clock. */
  readonly timeMs: number
  readonly cpuSeconds: number
  readonly memoryBytes: number
  readonly processes: number
  /** Of any one file. */
  readonly fileBytes: number
  /** Standard output and standard error together. */
  readonly outputBytes: number
  /** By how much the writable folders may grow. Looked at now and then, so it can be exceeded for a moment. */
  readonly diskBytes: number
  /** By how many files, folders and links they may grow, and how many may be in `/tmp`. Looked at in the same way. */
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

/** A folder or file of the machine that is seen inside, under the same path. Absolute, links resolved. */
export interface Folder {
  readonly path: string
  readonly access: 'read' | 'write'
}

/** What the inside of a sandbox is like. Equal confinements make interchangeable sandboxes. */
export interface Confinement {
  /** In this order: a later one lies on top of an earlier one. The system's own programs are there anyway. */
  readonly folders: readonly Folder[]
  /** Below the folders: looks empty inside. */
  readonly hidden: readonly string[]
  /** Below the writable folders: can be read but neither written, replaced nor moved aside, by its own name or a parent's. */
  readonly guarded: readonly string[]
  /** Folders whose git settings and hooks a grant names: they may be written. */
  readonly gitAllowed?: readonly string[]
  /** Where programs are looked for, before the system's own. */
  readonly programs: readonly string[]
  readonly limits: SandboxLimits
  /** A Unix socket through which granted hosts are reached; none, no network. */
  readonly network?: string
}

export interface Command {
  /** Text for bash, or a program and its arguments. Other users of the machine see the latter, never the former. */
  readonly run: string | readonly [program: string, ...args: string[]]
  readonly cwd: string
  /** All there is, beside PATH, HOME, LANG and the like. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin?: string | Uint8Array
  /** The other end of descriptor 3 of the command. */
  readonly onChannel?: (channel: Duplex) => void
}

export interface RunOptions {
  /** Ends the whole process tree. */
  readonly signal?: AbortSignal
  /** Called while the command runs with what it wrote and used so far. */
  readonly onProgress?: (usage: Usage) => void
}

export interface Usage {
  readonly elapsedMs: number
  readonly outputBytes: number
}

/** How a command ended. The tree is gone by then, all of it. */
export interface Ended {
  /** As a shell says it: 128 and the number of the signal for a command that was ended by one. */
  readonly exitCode: number
  /** The limit that ended it, or that made it fail. */
  readonly limit?: LimitName
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly durationMs: number
  /** Guarded paths that did not exist before: what the command put there was moved aside to these names. */
  readonly movedAside: readonly { readonly path: string; readonly to: string }[]
}

/** A program that runs until it is ended: of its limits only those on memory, processes and files hold. */
export interface Started {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when the tree is gone, all of it. */
  readonly ended: Promise<Pick<Ended, 'exitCode' | 'limit'>>
  /** Ends the whole process tree. */
  kill(): void
}

/** What holds the limits on this machine. */
export interface SandboxReport {
  readonly driver: string
  readonly version: string
  /** Whether contextd runs as root, and the line is the one for root. */
  readonly asRoot: boolean
  /** `cgroup` counts the whole tree exactly; `watchdog` looks at it now and then. */
  readonly memory: 'cgroup' | 'watchdog'
}

/** Whether code can be run confined on this machine, found out by trying. */
export type SandboxState =
  | ({ readonly available: true } & SandboxReport)
  | { readonly available: false; readonly cause: string; readonly fix: string }

export interface Sandbox {
  /** Found out by trying. */
  state(): Promise<SandboxState>
  /** Throws SANDBOX_UNAVAILABLE, and CANCELLED when the signal says so. */
  run(command: Command, confinement: Confinement, options?: RunOptions): Promise<Ended>
  /**
   * Resolves once the inside stands. Throws SANDBOX_UNAVAILABLE, also where a guarded path is not there yet: what takes
   * its place can be moved aside after a command, but not for as long as a program runs beside the person's own work.
   */
  start(command: Omit<Command, 'stdin' | 'onChannel'>, confinement: Confinement): Promise<Started>
  /** Ends everything that runs. */
  close(): Promise<void>
}
