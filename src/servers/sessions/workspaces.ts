/** Runtimes for the project folders of callers on this machine, opened on first use. */

import { realpathSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'

import type { Runtime } from '../../compose.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { settledWithin } from '../../platform/settled-within.ts'
import { endCallerSessions } from './caller-sessions.ts'

export interface Workspaces {
  /**
   * Runs work with the folder's runtime, or the daemon's own if none is named. It stays open until the work has
   * ended. Throws WORKSPACE_UNAVAILABLE for anything but a folder.
   */
  use<T>(folder: unknown, work: (runtime: Runtime) => Promise<T>): Promise<T>
  /** Closes runtimes that have not been used for a while. A timer calls this every minute. */
  sweep(): Promise<void>
  close(): Promise<void>
}

export interface WorkspacesOptions {
  /** The daemon's own, which is not closed here. */
  readonly own: Runtime
  readonly open: (folder: string) => Promise<Runtime>
  readonly clock?: Clock
}

interface Workspace {
  readonly runtime: Promise<Runtime>
  users: number
  seenAt: number
}

/** In addition to the daemon's own. Above this, an idle one is closed to open the next. */
const targetOpen = 8
/** Hard limit if all are in use: a model's response can keep one busy for minutes. */
const maxOpen = 32
const idleMs = 10 * 60_000
/** How long calls may continue after shutdown was requested. */
const graceMs = 1000
const sweepMs = 60_000

export function createWorkspaces({ own, open, clock = Date.now }: WorkspacesOptions): Workspaces {
  const ownFolder = realPath(own.project) ?? own.project
  const workspaces = new Map<string, Workspace>()
  const running = new Set<Promise<unknown>>()
  let isClosed = false

  const shut = async (folder: string, { runtime }: Workspace): Promise<void> => {
    workspaces.delete(folder)
    try {
      const opened = await runtime
      await endCallerSessions(opened)
      await opened.close()
    } catch (error) {
      own.log('error', 'a workspace could not be closed', { folder, cause: String(error) })
    }
  }

  /** Closes the least recently used idle one if too many are open. */
  const makeRoom = (): void => {
    if (workspaces.size < targetOpen) return
    const [oldest] = [...workspaces]
      .filter(([, { users }]) => users === 0)
      .sort(([, one], [, other]) => one.seenAt - other.seenAt)
    if (oldest !== undefined) void shut(...oldest)
    else if (workspaces.size >= maxOpen) throw unavailable(`${maxOpen} others are in use`)
  }

  const enter = (folder: string): Workspace => {
    const known = workspaces.get(folder)
    if (known !== undefined) return known
    makeRoom()
    const opened: Workspace = { runtime: open(folder), users: 0, seenAt: clock() }
    workspaces.set(folder, opened)
    // Its waiting callers get the error; the next one tries again.
    opened.runtime.catch(() => {
      if (workspaces.get(folder) === opened) workspaces.delete(folder)
    })
    return opened
  }

  const within = async <T>(folder: unknown, work: (runtime: Runtime) => Promise<T>): Promise<T> => {
    const real = folder === undefined ? ownFolder : folderOf(folder)
    if (real === ownFolder) return work(own)
    const workspace = enter(real)
    workspace.users += 1
    try {
      return await work(await workspace.runtime)
    } finally {
      workspace.users -= 1
      workspace.seenAt = clock()
    }
  }

  const sweep = async (): Promise<void> => {
    const now = clock()
    const idle = [...workspaces].filter(([, { users, seenAt }]) => users === 0 && now - seenAt >= idleMs)
    await Promise.all(idle.map((one) => shut(...one)))
  }
  const sweeping = setInterval(() => void sweep(), sweepMs)
  sweeping.unref()

  return {
    async use(folder, work) {
      if (isClosed) throw new ContextdError('DAEMON_NOT_RUNNING')
      const done = within(folder, work)
      running.add(done)
      try {
        return await done
      } finally {
        running.delete(done)
      }
    },
    sweep,
    async close() {
      isClosed = true
      clearInterval(sweeping)
      await settledWithin(Promise.allSettled(running), graceMs)
      await Promise.all([...workspaces].map((one) => shut(...one)))
    },
  }
}

/** By its real path, so that one folder is opened only once. */
function folderOf(folder: unknown): string {
  if (typeof folder !== 'string' || !isAbsolute(folder)) throw unavailable('it is not an absolute path')
  const real = realPath(folder)
  if (real === undefined) throw unavailable('it does not exist or is not accessible')
  if (!statSync(real).isDirectory()) throw unavailable('it is not a folder')
  return real
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function unavailable(why: string): ContextdError {
  return new ContextdError('WORKSPACE_UNAVAILABLE', { why })
}
