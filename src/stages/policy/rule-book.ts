import type { Clock } from '../../core/ports.ts'
import type { Log } from '../../platform/log.ts'
import {
  pollRegularly,
  watchFiles,
  type FileRole,
  type IsTrusted,
  type WatchedFiles,
} from '../../platform/files/watched-files.ts'
import { compileBuiltinRules } from './compile-rules.ts'
import type { RulesLocations } from './discover-rules.ts'
import { combineRules, type RuleSet } from './rule-set.ts'
import { checkRulesBytes } from './rules-file.ts'
import { fileProblem, formatProblem, rulesInvalid, type RulesProblem } from './rules-problem.ts'

/** For the audit log: the current rules changed, a change was rejected, or an existing file is not used. */
export interface RulesEvent {
  readonly kind: 'loaded' | 'kept' | 'ignored'
  readonly role: FileRole
  readonly file: string
  /** Why the earlier rules were kept. */
  readonly problem?: string
}

export interface RuleBookOptions {
  readonly files: RulesLocations
  readonly isTrusted: IsTrusted
  readonly clock: Clock
  readonly onEvent: (event: RulesEvent) => void
  readonly log: Log
}

export interface RuleBookStatus {
  /** `kept`: an earlier version of the file is in force. Empty: the built-in rules are in force. */
  readonly files: readonly { readonly path: string; readonly role: FileRole; readonly state: FileState }[]
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

/** The current rules, kept up to date with their files. */
export interface RuleBook {
  readonly current: () => RuleSet
  readonly status: () => RuleBookStatus
  /** Returns a function that unsubscribes. */
  readonly onChange: (listener: () => void) => () => void
  /** Checks the files now instead of within half a second. */
  readonly refresh: () => void
  readonly close: () => void
}

/**
 * Loads the rules and follows their files. At the start, an invalid file is an error. Later, the current rules stay
 * in force until a valid (and, for a project, trusted) version replaces them: neither breaking nor deleting a file
 * can widen access.
 */
export function createRuleBook(options: RuleBookOptions): RuleBook {
  const { clock, files, isTrusted, log, onEvent } = options
  const builtin = compileBuiltinRules()
  const slots: Slot[] = [
    { files: watchFiles('user', files.user, isTrusted) },
    { files: watchFiles('project', files.project, isTrusted) },
  ]
  const listeners = new Set<() => void>()

  for (const slot of slots) {
    const { found, problems } = load(slot.files)
    if (problems.length > 0) throw rulesInvalid(problems)
    if (found === undefined && slot.files.role === 'user' && files.userIsNamed) {
      throw rulesInvalid([fileProblem(files.user[0] ?? '', 'GATEWAY_RULES names a file that does not exist')])
    }
    slot.active = found
  }
  let current = combine(slots, builtin)
  let loadedAt = clock()

  const report = (event: RulesEvent): void => {
    try {
      onEvent(event)
    } catch (error) {
      // Calls are refused while the audit log cannot be written, but the rules must still be followed.
      log('error', 'a change of the rules was not recorded', { cause: String(error) })
    }
  }

  // A file that was trusted and has changed must not be ignored silently.
  for (const file of slots.flatMap((slot) => slot.files.untrusted())) {
    log('warn', 'project rules are not trusted and have no effect', { file, ignored: true })
    report({ kind: 'ignored', role: 'project', file })
  }

  const accept = (slot: Slot, found: LoadedRules): void => {
    const isNew = slot.active?.path !== found.path || !slot.active.bytes.equals(found.bytes)
    slot.active = found
    slot.problem = undefined
    if (!isNew) return
    current = combine(slots, builtin)
    loadedAt = clock()
    log('info', 'rules loaded', { file: found.path })
    report({ kind: 'loaded', role: slot.files.role, file: found.path })
    for (const listener of listeners) listener()
  }

  const keepCurrent = (slot: Slot, file: string, problem: string): void => {
    if (slot.problem?.problem === problem) return
    slot.problem = { at: clock(), file, problem }
    log('error', 'rules not accepted, the earlier ones stay in force', { file, problem })
    report({ kind: 'kept', role: slot.files.role, file, problem })
  }

  const reload = (slot: Slot): void => {
    let loaded: ReturnType<typeof load>
    try {
      loaded = load(slot.files)
    } catch (error) {
      keepCurrent(slot, slot.active?.path ?? slot.files.paths[0] ?? '', `cannot be loaded: ${String(error)}`)
      return
    }
    const { found, problems } = loaded
    const [first] = problems
    if (first !== undefined) keepCurrent(slot, first.file ?? '', formatProblem(first))
    else if (found !== undefined && replaces(found, slot)) accept(slot, found)
    else if (slot.active !== undefined) {
      const { path } = slot.active
      const isUntrusted = slot.files.untrusted().includes(path)
      keepCurrent(slot, path, isUntrusted ? 'the changed file is not trusted' : 'the file was deleted')
    }
  }

  const stopPolling = pollRegularly(() => {
    for (const slot of slots) if (slot.files.hasChanged()) reload(slot)
  })

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
      stopPolling()
      listeners.clear()
    },
  }
}

interface LoadedRules {
  readonly path: string
  readonly bytes: Buffer
  readonly rules: RuleSet
}

/** The user's or the project's rules, with their state. */
interface Slot {
  readonly files: WatchedFiles
  active?: LoadedRules | undefined
  problem?: RulesError | undefined
}

function load(files: WatchedFiles): { found?: LoadedRules; problems: readonly RulesProblem[] } {
  const read = files.read()
  if (read.kind === 'none') return { problems: [] }
  const { path } = read
  if (read.kind === 'unreadable') return { problems: [fileProblem(path, read.why)] }
  const { rules, problems } = checkRulesBytes(read.bytes, path)
  return rules === undefined || problems.length > 0
    ? { problems }
    : { found: { path, bytes: read.bytes, rules }, problems }
}

/** A file with a lower-priority name never replaces the current one: deleting a file must not activate other rules. */
function replaces({ path }: LoadedRules, { active, files: { paths } }: Slot): boolean {
  return active === undefined || paths.indexOf(path) <= paths.indexOf(active.path)
}

function combine(slots: readonly Slot[], builtin: RuleSet): RuleSet {
  const [user, project] = slots.map(({ active }) => active?.rules)
  return combineRules(user, project, builtin)
}

function describe({ files, active, problem }: Slot): RuleBookStatus['files'][number][] {
  const { role } = files
  const inForce =
    active && ({ path: active.path, role, state: problem === undefined ? 'in force' : 'kept' } as const)
  const ignored = files.untrusted().map((path) => ({ path, role, state: 'not trusted' }) as const)
  return inForce === undefined ? ignored : [inForce, ...ignored.filter(({ path }) => path !== inForce.path)]
}
