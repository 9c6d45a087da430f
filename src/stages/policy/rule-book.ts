import { statSync } from 'node:fs'

import type { Clock } from '../../core/ports.ts'
import type { Log } from '../../platform/log.ts'
import { readSmallFile } from '../../platform/small-file.ts'
import { compileBuiltinRules } from './compile-rules.ts'
import type { RulesLocations } from './discover-rules.ts'
import { intersectRules, type RuleSet } from './rule-set.ts'
import { checkRulesBytes, fileProblem } from './rules-file.ts'
import { formatProblem, rulesInvalid, type RulesProblem } from './rules-problem.ts'

export type RulesRole = 'user' | 'project'

/** For the audit record: the rules in force changed, a change was not accepted, or a file is there and does not count. */
export interface RulesEvent {
  readonly kind: 'loaded' | 'kept' | 'ignored'
  readonly role: RulesRole
  readonly file: string
  /** Why the earlier rules were kept. */
  readonly problem?: string
}

export interface RuleBookOptions {
  readonly files: RulesLocations
  /** True where the person has trusted the file with exactly these bytes. */
  readonly isTrusted: (path: string, bytes: Uint8Array) => boolean
  readonly clock: Clock
  readonly onEvent: (event: RulesEvent) => void
  readonly log: Log
}

export interface RuleBookStatus {
  /** `kept`: an earlier version of the file is in force. None at all: the built-in rules are. */
  readonly files: readonly { readonly path: string; readonly role: RulesRole; readonly state: FileState }[]
  readonly loadedAt: number
  /** Why a file on disk is not in force. */
  readonly lastError?: RulesError
}
export interface RulesError {
  readonly at: number
  readonly file: string
  readonly problem: string
}
export type FileState = 'in force' | 'kept' | 'not trusted'

/** The rules in force, kept up to date with their files. */
export interface RuleBook {
  readonly current: () => RuleSet
  readonly status: () => RuleBookStatus
  /** Answers how to stop listening. */
  readonly onChange: (listener: () => void) => () => void
  /** Looks at the files now instead of within the next half second. */
  readonly refresh: () => void
  readonly close: () => void
}

/** Two looks must agree before a file is read, so a change is in force after at most twice this. */
const lookEveryMs = 250

/**
 * Loads the rules and follows their files. At the start a file that is not valid is an error. Later on what is in force
 * stays in force until a valid (and, for a project, trusted) version replaces it: neither breaking nor deleting
 * a file can widen access.
 *
 * Files are looked at, not watched: a look at four paths costs microseconds and sees every way of saving a file on every
 * file system.
 */
export function createRuleBook(options: RuleBookOptions): RuleBook {
  const { clock, files, log, onEvent } = options
  const builtin = compileBuiltinRules()
  const slots: Slot[] = [
    { role: 'user', paths: files.user, untrusted: [] },
    { role: 'project', paths: files.project, untrusted: [] },
  ]
  const listeners = new Set<() => void>()

  for (const slot of slots) {
    const { found, problems } = load(slot, options)
    if (problems.length > 0) throw rulesInvalid(problems)
    if (found === undefined && slot.role === 'user' && files.userIsNamed) {
      throw rulesInvalid([fileProblem(slot.paths[0] ?? '', 'GATEWAY_RULES names a file that is not there')])
    }
    slot.active = found
  }
  let current = combine(slots, builtin)
  let loadedAt = clock()

  const report = (event: RulesEvent): void => {
    try {
      onEvent(event)
    } catch (error) {
      // Calls are refused while the audit cannot be written; the rules themselves must not stop being followed.
      log('error', 'a change of the rules was not recorded', { cause: String(error) })
    }
  }

  // A file that was trusted and has changed since must not just be missing from the rules without a word.
  for (const { path } of slots.flatMap(({ untrusted }) => untrusted)) {
    log('warn', 'project rules are not trusted and have no effect', { file: path })
    report({ kind: 'ignored', role: 'project', file: path })
  }

  const accept = (slot: Slot, found: LoadedRules): void => {
    const isNew = slot.active?.path !== found.path || !slot.active.bytes.equals(found.bytes)
    slot.active = found
    slot.problem = undefined
    if (!isNew) return
    current = combine(slots, builtin)
    loadedAt = clock()
    log('info', 'rules loaded', { file: found.path })
    report({ kind: 'loaded', role: slot.role, file: found.path })
    for (const listener of listeners) listener()
  }

  const keep = (slot: Slot, file: string, problem: string): void => {
    if (slot.problem?.problem === problem) return
    slot.problem = { at: clock(), file, problem }
    log('error', 'rules not accepted, the earlier ones stay in force', { file, problem })
    report({ kind: 'kept', role: slot.role, file, problem })
  }

  const reload = (slot: Slot): void => {
    let loaded: ReturnType<typeof load>
    try {
      loaded = load(slot, options)
    } catch (error) {
      keep(slot, slot.active?.path ?? slot.paths[0] ?? '', `cannot be loaded: ${String(error)}`)
      return
    }
    const { found, problems } = loaded
    const [first] = problems
    if (first !== undefined) keep(slot, first.file ?? '', formatProblem(first))
    else if (found !== undefined && replaces(found, slot)) accept(slot, found)
    else if (slot.active !== undefined) {
      const { path } = slot.active
      const isThere = slot.untrusted.some((file) => file.path === path)
      keep(slot, path, isThere ? 'the changed file is not trusted' : 'the file is gone')
    }
  }

  const look = (): void => {
    for (const slot of slots) {
      const seen = fingerprint(slot.paths)
      const settled = seen === slot.seen
      slot.seen = seen
      if (settled && (seen !== slot.loaded || becameTrusted(slot, options))) reload(slot)
    }
  }

  const timer = setInterval(look, lookEveryMs)
  timer.unref()

  return {
    current: () => current,
    status() {
      const lastError = slots.find(({ problem }) => problem !== undefined)?.problem
      return { files: slots.flatMap(describe), loadedAt, ...(lastError !== undefined && { lastError }) }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh: () => slots.forEach(reload),
    close() {
      clearInterval(timer)
      listeners.clear()
    },
  }
}

interface LoadedRules {
  readonly path: string
  readonly bytes: Buffer
  readonly rules: RuleSet
}

/** The user's or the project's rules: which files may hold them, and what is known of those. */
interface Slot {
  readonly role: RulesRole
  readonly paths: readonly string[]
  active?: LoadedRules | undefined
  problem?: RulesError | undefined
  /** Files passed over; those that could be read may become trusted as they are. */
  untrusted: { readonly path: string; readonly bytes?: Uint8Array }[]
  /** What the files looked like at the last look, and when they were last read. */
  seen?: string
  loaded?: string
}

/** The first file that counts. A file nobody trusted is passed over as if it were not there. */
function load(
  slot: Slot,
  { isTrusted }: Pick<RuleBookOptions, 'isTrusted'>,
): { found?: LoadedRules; problems: readonly RulesProblem[] } {
  // Taken before reading, so that a change in between is seen by the next look.
  slot.loaded = fingerprint(slot.paths)
  slot.untrusted = []
  for (const path of slot.paths) {
    const read = readSmallFile(path)
    if (read.kind === 'missing') continue
    if (read.kind === 'unreadable') {
      if (slot.role === 'user') return { problems: [fileProblem(path, read.why)] }
      // What cannot be read cannot be trusted either.
      slot.untrusted.push({ path })
      continue
    }
    const { bytes } = read
    if (slot.role === 'project' && !isTrusted(path, bytes)) {
      slot.untrusted.push({ path, bytes })
      continue
    }
    const { rules, problems } = checkRulesBytes(bytes, path)
    return rules === undefined || problems.length > 0
      ? { problems }
      : { found: { path, bytes, rules }, problems }
  }
  return { problems: [] }
}

/** A file of a later name never takes over from the one in force: removing a file must not be a way to other rules. */
function replaces({ path }: LoadedRules, { active, paths }: Slot): boolean {
  return active === undefined || paths.indexOf(path) <= paths.indexOf(active.path)
}

/** Trust is given without any change of the file itself. */
function becameTrusted({ untrusted }: Slot, { isTrusted }: Pick<RuleBookOptions, 'isTrusted'>): boolean {
  try {
    return untrusted.some(({ path, bytes }) => bytes !== undefined && isTrusted(path, bytes))
  } catch {
    return false
  }
}

function combine(slots: readonly Slot[], builtin: RuleSet): RuleSet {
  const [user, project] = slots.map(({ active }) => active?.rules)
  if (user !== undefined && project !== undefined) return intersectRules(user, project)
  return user ?? project ?? builtin
}

function describe({ role, active, problem, untrusted }: Slot): RuleBookStatus['files'][number][] {
  const inForce =
    active && ({ path: active.path, role, state: problem === undefined ? 'in force' : 'kept' } as const)
  const ignored = untrusted.map(({ path }) => ({ path, role, state: 'not trusted' }) as const)
  return inForce === undefined ? ignored : [inForce, ...ignored.filter(({ path }) => path !== inForce.path)]
}

function fingerprint(paths: readonly string[]): string {
  return paths.map(identify).join(' ')
}

function identify(path: string): string {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stats === undefined
      ? '-'
      : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':')
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}
