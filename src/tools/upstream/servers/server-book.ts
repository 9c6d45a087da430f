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
import { mergeServers, overriddenWarning, type MergedServers } from './merge-servers.ts'

/** For the audit record: `kept` means a change was not accepted, `ignored` that the file is not trusted. */
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
  /** `kept`: an earlier version of the file applies. */
  readonly files: readonly {
    readonly path: string
    readonly role: FileRole
    readonly state: 'in force' | 'kept' | 'not trusted'
  }[]
  /** Why the current version of a file does not apply. */
  readonly lastError?: ServersError
  /** Entries without effect, one line each. */
  readonly warnings: readonly string[]
}
export interface ServersError {
  readonly at: number
  readonly file: string
  readonly problem: string
}

/** The configured servers, kept up to date with their files. */
export interface ServerBook {
  /** By name, without disabled servers. */
  readonly current: () => ReadonlyMap<string, UpstreamServer>
  readonly status: () => ServerBookStatus
  readonly disabled: () => readonly UpstreamServer[]
  /** Returns a function that removes the listener. */
  readonly onChange: (listener: () => void) => () => void
  /** Checks the files now instead of within half a second. */
  readonly refresh: () => void
  readonly close: () => void
}

interface BookState extends ServerBookOptions {
  readonly slots: readonly Slot[]
  readonly listeners: Set<() => void>
  merged: MergedServers
  /** Warnings that were already logged. */
  warned: readonly string[]
}

/**
 * Loads the servers and follows their files. An invalid file is an error at startup. Later on its earlier version
 * applies until it is replaced by a valid (and, for a project, trusted) one. Deleting a file removes its servers
 * immediately: fewer servers can do no harm.
 */
export function createServerBook(options: ServerBookOptions): ServerBook {
  const slots = loadSlots(options)
  const book: BookState = { ...options, slots, listeners: new Set(), merged: merge(slots), warned: [] }
  if (book.merged.problems.length > 0) throw invalidFile('SERVERS_INVALID', book.merged.problems)
  reportUntrusted(book)
  logWarnings(book)
  const stopPolling = pollRegularly(() => {
    for (const slot of slots) if (slot.files.hasChanged()) reload(book, slot)
  })

  return {
    current: () => book.merged.servers,
    status() {
      const lastError = slots.find(({ problem }) => problem !== undefined)?.problem
      return {
        files: slots.flatMap(describe),
        ...(lastError !== undefined && { lastError }),
        warnings: warningsOf(book),
      }
    },
    disabled: () =>
      slots.flatMap(({ active }) =>
        (active?.entries ?? []).filter(({ disabled }) => disabled).map(({ server }) => server),
      ),
    onChange(listener) {
      book.listeners.add(listener)
      return () => book.listeners.delete(listener)
    },
    refresh() {
      for (const slot of slots) reload(book, slot)
    },
    close() {
      stopPolling()
      book.listeners.clear()
    },
  }
}

/** Throws SERVERS_INVALID. */
function loadSlots({ files, isTrusted }: ServerBookOptions): Slot[] {
  return serversFiles(files).map(({ path, role }) => {
    const slot: Slot = { path, files: watchFiles(role, [path], isTrusted) }
    const { found, problems } = load(slot)
    if (problems.length > 0) throw invalidFile('SERVERS_INVALID', problems)
    if (found === undefined && role === 'user' && files.userIsNamed) {
      throw invalidFile('SERVERS_INVALID', [missingFile(path)])
    }
    slot.active = found
    return slot
  })
}

function reportUntrusted(book: BookState): void {
  for (const file of book.slots.flatMap((slot) => slot.files.untrusted())) {
    if (declaresNothing(file)) continue
    book.log('warn', 'servers of the project are not trusted and have no effect', { file, ignored: true })
    report(book, { kind: 'ignored', role: 'project', file })
  }
}

function report({ onEvent, log }: BookState, event: ServersEvent): void {
  try {
    onEvent(event)
  } catch (error) {
    // Calls are refused while the audit log cannot be written, but the files must still be followed.
    log('error', 'a change of the servers was not recorded', { cause: String(error) })
  }
}

function warningsOf({ slots, merged }: BookState): string[] {
  return [
    ...slots.flatMap(({ active }) => active?.warnings ?? []),
    ...merged.overridden.map(overriddenWarning),
  ]
}

function logWarnings(book: BookState): void {
  const warnings = warningsOf(book)
  for (const warning of warnings) if (!book.warned.includes(warning)) book.log('warn', warning)
  book.warned = warnings
}

function reload(book: BookState, slot: Slot): void {
  let loaded: ReturnType<typeof load>
  try {
    loaded = load(slot)
  } catch (error) {
    return keepEarlier(book, slot, `cannot be loaded: ${String(error)}`)
  }
  const { found, problems } = loaded
  const [first] = problems
  if (first !== undefined) keepEarlier(book, slot, formatProblem(first))
  else if (slot.active !== undefined && slot.files.untrusted().length > 0) {
    keepEarlier(book, slot, 'the changed file is not trusted')
  } else accept(book, slot, found)
}

function keepEarlier(book: BookState, slot: Slot, problem: string): void {
  if (slot.problem?.problem === problem) return
  const { path: file } = slot
  slot.problem = { at: book.clock(), file, problem }
  book.log('error', 'servers not accepted, the earlier version still applies', { file, problem })
  report(book, { kind: 'kept', role: slot.files.role, file, problem })
}

/** `found` is undefined if the file was deleted. */
function accept(book: BookState, slot: Slot, found: LoadedServers | undefined): void {
  const { slots, log, listeners } = book
  const before = slot.active
  const next = merge(slots.map((other) => (other === slot ? { ...slot, active: found } : other)))
  const [problem] = next.problems
  if (problem !== undefined) return keepEarlier(book, slot, formatProblem(problem))
  slot.active = found
  slot.problem = undefined
  if (before === undefined ? found === undefined : found?.bytes.equals(before.bytes)) return
  book.merged = next
  const { path: file } = slot
  log('info', found === undefined ? 'servers removed' : 'servers loaded', { file })
  report(book, { kind: found === undefined ? 'removed' : 'loaded', role: slot.files.role, file })
  logWarnings(book)
  for (const listener of listeners) listener()
  // Another file may have been rejected because it conflicted with this one.
  for (const other of slots) if (other !== slot && other.problem !== undefined) reload(book, other)
}

interface LoadedServers extends CheckedServers {
  readonly bytes: Buffer
}

/** One file, its active version, and why a newer one was not accepted. */
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

/** True, for example, for a client's project file that names only contextd: ignoring it needs no warning. */
function declaresNothing(path: string): boolean {
  const read = readSmallFile(path)
  if (read.kind !== 'bytes') return false
  const { entries, problems } = checkServers(read.bytes, { path, role: 'project' })
  return entries.length === 0 && problems.length === 0
}
