import type { Clock } from '../../../core/ports.ts'
import {
  fileProblem,
  formatProblem,
  invalidFile,
  type JsonProblem,
} from '../../../platform/config/json-problem.ts'
import type { Log } from '../../../platform/log.ts'
import { readSmallFile } from '@contextd/shared/files/small-file'
import {
  pollRegularly,
  watchFiles,
  type FileRole,
  type IsTrusted,
  type WatchedFiles,
} from '../../../platform/files/watched-files.ts'
import type { UpstreamServer } from '../server.ts'
import { checkServers, type CheckedServers } from './check-servers.ts'
import { serversFiles, missingFile, type ServersLocations } from './discover-servers.ts'
import { mergeServers, passedOverWarning, type MergedServers } from './merge-servers.ts'

/** For the audit record: the servers changed, a change was not accepted, a file went, or is there and does not count. */
export interface ServersEvent {
  readonly kind: 'loaded' | 'kept' | 'removed' | 'ignored'
  readonly role: FileRole
  readonly file: string
  /** Why the earlier version was kept. */
  readonly problem?: string
}

export interface ServerBookOptions {
  readonly files: ServersLocations
  readonly isTrusted: IsTrusted
  readonly clock: Clock
  readonly onEvent: (event: ServersEvent) => void
  readonly log: Log
}

export interface ServerBookStatus {
  /** `kept`: an earlier version of the file counts. */
  readonly files: readonly {
    readonly path: string
    readonly role: FileRole
    readonly state: 'in force' | 'kept' | 'not trusted'
  }[]
  /** Why a file on disk does not count. */
  readonly lastError?: ServersError
  /** What has no effect, a line each. */
  readonly warnings: readonly string[]
}
export interface ServersError {
  readonly at: number
  readonly file: string
  readonly problem: string
}

/** The servers there are, kept up to date with their files. */
export interface ServerBook {
  /** By name, without those that are disabled. */
  readonly current: () => ReadonlyMap<string, UpstreamServer>
  readonly status: () => ServerBookStatus
  /** What the person named and left out. */
  readonly disabled: () => readonly UpstreamServer[]
  /** Answers how to stop listening. */
  readonly onChange: (listener: () => void) => () => void
  /** Looks at the files now instead of within the next half second. */
  readonly refresh: () => void
  readonly close: () => void
}

/**
 * Loads the servers and follows their files. At the start a file that is not valid is an error. Later on its earlier
 * version counts until a valid (and, for a project, trusted) one replaces it. A file that goes takes its servers with
 * it: fewer servers can do no harm.
 */
export function createServerBook(options: ServerBookOptions): ServerBook {
  const { clock, files, isTrusted, log, onEvent } = options
  const slots: Slot[] = serversFiles(files).map(({ path, role }) => ({
    path,
    files: watchFiles(role, [path], isTrusted),
  }))
  const listeners = new Set<() => void>()

  for (const slot of slots) {
    const { found, problems } = load(slot)
    if (problems.length > 0) throw invalidFile('SERVERS_INVALID', problems)
    if (found === undefined && slot.files.role === 'user' && files.userIsNamed) {
      throw invalidFile('SERVERS_INVALID', [missingFile(slot.path)])
    }
    slot.active = found
  }
  let merged = merge(slots)
  if (merged.problems.length > 0) throw invalidFile('SERVERS_INVALID', merged.problems)

  const report = (event: ServersEvent): void => {
    try {
      onEvent(event)
    } catch (error) {
      // Calls are refused while the audit cannot be written; the servers themselves must not stop being followed.
      log('error', 'a change of the servers was not recorded', { cause: String(error) })
    }
  }

  const warnings = (): string[] => [
    ...slots.flatMap(({ active }) => active?.warnings ?? []),
    ...merged.passedOver.map(passedOverWarning),
  ]
  let warned: readonly string[] = []
  const warn = (): void => {
    const now = warnings()
    for (const warning of now) if (!warned.includes(warning)) log('warn', warning)
    warned = now
  }

  for (const file of slots.flatMap((slot) => slot.files.untrusted())) {
    if (declaresNothing(file)) continue
    log('warn', 'servers of the project are not trusted and have no effect', { file })
    report({ kind: 'ignored', role: 'project', file })
  }
  warn()

  const keep = (slot: Slot, problem: string): void => {
    if (slot.problem?.problem === problem) return
    const { path: file } = slot
    slot.problem = { at: clock(), file, problem }
    log('error', 'servers not accepted, the earlier ones stay', { file, problem })
    report({ kind: 'kept', role: slot.files.role, file, problem })
  }

  /** Undefined: the file is gone. */
  const accept = (slot: Slot, found: LoadedServers | undefined): void => {
    const before = slot.active
    const next = merge(slots.map((other) => (other === slot ? { ...slot, active: found } : other)))
    const [problem] = next.problems
    if (problem !== undefined) return keep(slot, formatProblem(problem))
    slot.active = found
    slot.problem = undefined
    if (before === undefined ? found === undefined : found?.bytes.equals(before.bytes)) return
    merged = next
    const { path: file } = slot
    log('info', found === undefined ? 'servers removed' : 'servers loaded', { file })
    report({ kind: found === undefined ? 'removed' : 'loaded', role: slot.files.role, file })
    warn()
    for (const listener of listeners) listener()
    // Two files that did not go together may do so now.
    for (const other of slots) if (other !== slot && other.problem !== undefined) reload(other)
  }

  const reload = (slot: Slot): void => {
    let loaded: ReturnType<typeof load>
    try {
      loaded = load(slot)
    } catch (error) {
      return keep(slot, `cannot be loaded: ${String(error)}`)
    }
    const { found, problems } = loaded
    const [first] = problems
    if (first !== undefined) keep(slot, formatProblem(first))
    else if (slot.active !== undefined && slot.files.untrusted().length > 0) {
      keep(slot, 'the changed file is not trusted')
    } else accept(slot, found)
  }

  const stopLooking = pollRegularly(() => {
    for (const slot of slots) if (slot.files.hasNews()) reload(slot)
  })

  return {
    current: () => merged.servers,
    status() {
      const lastError = slots.find(({ problem }) => problem !== undefined)?.problem
      return {
        files: slots.flatMap(describe),
        ...(lastError !== undefined && { lastError }),
        warnings: warnings(),
      }
    },
    disabled: () =>
      slots.flatMap(({ active }) =>
        (active?.entries ?? []).filter(({ disabled }) => disabled).map(({ server }) => server),
      ),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh: () => slots.forEach(reload),
    close() {
      stopLooking()
      listeners.clear()
    },
  }
}

interface LoadedServers extends CheckedServers {
  readonly bytes: Buffer
}

/** One file, and what is known of it. */
interface Slot {
  readonly path: string
  readonly files: WatchedFiles
  active?: LoadedServers | undefined
  problem?: ServersError | undefined
}

function load({ path, files }: Slot): { found?: LoadedServers; problems: readonly JsonProblem[] } {
  const read = files.read()
  if (read.kind === 'none') return { problems: [] }
  if (read.kind === 'unreadable') return { problems: [fileProblem(path, read.why)] }
  const checked = checkServers(read.bytes, { path, role: files.role })
  return checked.problems.length > 0 ? checked : { found: { ...checked, bytes: read.bytes }, problems: [] }
}

function merge(slots: readonly Slot[]): MergedServers {
  return mergeServers(slots.flatMap(({ active }) => active?.entries ?? []))
}

function describe({ path, files, active, problem }: Slot): ServerBookStatus['files'][number][] {
  const { role } = files
  if (active !== undefined) return [{ path, role, state: problem === undefined ? 'in force' : 'kept' }]
  return files.untrusted().length === 0 ? [] : [{ path, role, state: 'not trusted' }]
}

/** As where the client's file of a project names contextd and nothing else: nobody misses anything then. */
function declaresNothing(path: string): boolean {
  const read = readSmallFile(path)
  if (read.kind !== 'bytes') return false
  const { entries, problems } = checkServers(read.bytes, { path, role: 'project' })
  return entries.length === 0 && problems.length === 0
}
