/**
 * Keeps agents from changing what git runs. Whatever an agent's command leaves behind, a git command of the user runs no
 * program, and reads no setting that names one, which was not there before.
 *
 * What exists and could run something is read-only for the command. Everything else is compared before and after, and
 * every second in between: additions are moved aside, and replaced settings are restored.
 */

import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { ContextdError } from '../../core/errors/errors.ts'
import type { MovedAside } from '../../sandbox/guard.ts'
import type { Confinement } from '../../sandbox/sandbox.ts'
import { realPathOf } from '../real-path.ts'
import { takeBaseline, withoutWorkOf } from './baseline.ts'
import {
  checkRepositories,
  checkUntilClean,
  scanRepositories,
  type RepositoryScan,
} from './check-repositories.ts'
import { createRepositoryFinder } from './find-repositories.ts'
import { gitPathKind } from './git-places.ts'
import { createGitSettings } from './git-settings.ts'
import { findRisks } from './repository-risks.ts'
import {
  orphanedWatches,
  recordState,
  statesOfOtherProcesses,
  type RepositoryState,
} from './watch-journal.ts'

export interface RepositoryWatch {
  /** Exists, and must be read-only for the command. */
  readonly held: readonly string[]
  /** Runs the last check. Returns everything that was moved aside since the start. Never rejects. */
  end(): Promise<MovedAside[]>
}

export interface GuardReport {
  /** Called for each move as it happens. */
  readonly onMoved: (moved: readonly MovedAside[]) => void
  /** Called with the paths that could not be moved. */
  readonly onLeft: (paths: readonly string[]) => void
}

export interface WatchEvents extends GuardReport {
  /** The command keeps recreating what is moved aside. */
  readonly onStubborn: () => void
}

export interface RepositoryGuard {
  /** Must be called before the command starts. */
  begin(
    confinement: Pick<Confinement, 'folders' | 'gitAllowed'>,
    events: WatchEvents,
  ): Promise<RepositoryWatch>
  /** Checks what commands left behind whose contextd was killed. */
  recover(report: GuardReport): Promise<void>
  /** The paths below `roots` that the user's git settings name, in the repositories of the workspace and around `path`. */
  namedAround(path: string, workspace: string, roots: readonly string[]): Promise<readonly string[]>
}

export interface RepositoryGuardOptions {
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  /** A folder of contextd for state that must survive this process. */
  readonly journal: string
}

const checkEveryMs = 1000
/** Checking uses at most this share of the time, however many folders there are. */
const maxShare = 1 / 10
/** More moves than a mistake causes. */
const maxMoves = 20
/** How late a check may run on a busy machine. */
const slackMs = 10_000

interface GuardState extends RepositoryScan {
  readonly journal: string
  /** Of the commands that run in this process. */
  readonly running: Set<RepositoryState>
}

export function createRepositoryGuard({ env, home, journal }: RepositoryGuardOptions): RepositoryGuard {
  const guard: GuardState = {
    finder: createRepositoryFinder(),
    settings: createGitSettings(env),
    home,
    journal,
    running: new Set(),
  }
  let recovered: Promise<void> = Promise.resolve()
  return {
    async begin({ folders, gitAllowed = [] }, events) {
      const roots = folders.filter(({ access }) => access === 'write').map(({ path }) => path)
      if (roots.length === 0) return { held: [], end: async () => [] }
      await recovered
      return beginWatch(guard, roots, gitAllowed, events)
    },
    recover: (report) => (recovered = recoverWatches(guard, report)),
    namedAround: (path, workspace, roots) => findNamedPaths(guard, path, workspace, roots),
  }
}

async function beginWatch(
  guard: GuardState,
  roots: readonly string[],
  allowed: readonly string[],
  events: WatchEvents,
): Promise<RepositoryWatch> {
  const { running, journal } = guard
  const { found, risks } = await scanRepositories(guard, roots, Infinity)
  if (found.misnamed.length > 0) throw misnamed(found.misnamed[0]!)
  const baseline = takeBaseline(found, risks, roots, allowed)
  const state = [...running, ...statesOfOtherProcesses(journal)].reduce(withoutWorkOf, baseline)
  running.add(state)
  const entry = recordState(journal, state)
  const moved: MovedAside[] = []
  const onMoved: GuardReport['onMoved'] = (more) => {
    moved.push(...more)
    events.onMoved(more)
  }
  const checks = startChecks({
    // A check that fails is repeated by the last one, which reports the failure.
    check: () => checkRepositories(guard, state, { onMoved }).catch(() => []),
    afterCheck: () => void (moved.length > maxMoves && events.onStubborn()),
    onScheduled: (delayMs) => entry.extend(Date.now() + delayMs + slackMs),
  })
  const finish = async (): Promise<MovedAside[]> => {
    await checks.stop()
    const left = await checkUntilClean(guard, state, { onMoved }).catch((error: unknown) => [String(error)])
    running.delete(state)
    if (left.length === 0) entry.remove()
    else events.onLeft(left)
    return moved
  }
  let ended: Promise<MovedAside[]> | undefined
  return { held: [...state.held.keys()], end: () => (ended ??= finish()) }
}

interface RepeatedCheck {
  check(): Promise<unknown>
  afterCheck(): void
  onScheduled(delayMs: number): void
}

/** Every second, or less often if checks take long. `stop` waits for a check in progress. */
function startChecks({ check, afterCheck, onScheduled }: RepeatedCheck): { stop(): Promise<void> } {
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> = Promise.resolve()
  const checkNow = async (): Promise<void> => {
    const startMs = performance.now()
    await check()
    afterCheck()
    if (!isOver) schedule(Math.max(checkEveryMs, (performance.now() - startMs) / maxShare))
  }
  const schedule = (delayMs: number): void => {
    onScheduled(delayMs)
    timer = setTimeout(() => void (checking = checkNow()), delayMs)
    timer.unref()
  }
  schedule(checkEveryMs)
  return {
    async stop() {
      isOver = true
      clearTimeout(timer)
      await checking
    },
  }
}

/** Checks once more after commands that were still running when their contextd was killed. */
async function recoverWatches(guard: GuardState, { onMoved, onLeft }: GuardReport): Promise<void> {
  for (const { state, untilMs, remove } of orphanedWatches(guard.journal)) {
    const isIgnored = (path: string): boolean => changedAfter(path, untilMs)
    const left = await checkUntilClean(guard, state, { onMoved, isIgnored }).catch((error: unknown) => [
      String(error),
    ])
    if (left.length > 0) onLeft(left)
    remove()
  }
}

async function findNamedPaths(
  { finder, settings, home }: GuardState,
  path: string,
  workspace: string,
  roots: readonly string[],
): Promise<readonly string[]> {
  const { gitDirs, workTrees: inside } = await finder.find([workspace])
  const workTrees = new Set(inside)
  for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) {
    if (gitPathKind(join(folder, '.git')) !== 'absent') workTrees.add(folder)
  }
  const found = { gitDirs, workTrees: [...workTrees], misnamed: [] }
  const { risks, named } = await findRisks(found, { settings, home, roots, budget: { left: Infinity } })
  const paths = [...named, ...[...risks.values()].map((risk) => risk.path)]
  return [...new Set([...paths, ...paths.map(realPathOf)])]
}

/** Paths below it could be neither passed to the sandbox nor made read-only. */
function misnamed(folder: string): ContextdError {
  return new ContextdError('SANDBOX_UNAVAILABLE', {
    cause: `a folder with a git repository has a name that is not UTF-8: ${JSON.stringify(folder)}`,
    hint: 'Rename the folder.',
  })
}

function changedAfter(path: string, timeMs: number): boolean {
  try {
    return lstatSync(path).ctimeMs > timeMs
  } catch {
    return false
  }
}
