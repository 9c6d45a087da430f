/**
 * Keeps what git runs out of agents' hands. Whatever an agent's command leaves behind, a git command of the user runs no
 * program, and reads no setting that names one, which was not there before.
 *
 * What exists and could run something is read-only for the command. Everything else is compared before and after, and
 * every second in between: what is new is moved aside, and settings that were replaced are put back.
 */

import { lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { ContextdError } from '../../core/errors/errors.ts'
import { readSmallFile } from '@contextd/shared/files/small-file'
import { isWithin } from '@contextd/shared/files/within'
import { moveAside, putInPlace, type MovedAside } from '../../sandbox/guard.ts'
import type { Confinement } from '../../sandbox/sandbox.ts'
import { realPathOf } from '../files/real-path.ts'
import { createRepositoryFinder, type FoundRepositories } from './find-repositories.ts'
import { gitPathKind } from './git-places.ts'
import { createGitSettings } from './git-settings.ts'
import { gitSettingsFiles } from './named-files.ts'
import { findRisks, type Risk, type Risks } from './repository-risks.ts'
import { leftBehind, noteState, statesElsewhere, type RepositoryState } from './watch-journal.ts'

export interface RepositoryWatch {
  /** Exists, and must be read-only for the command. */
  readonly held: readonly string[]
  /** Looks one last time. Answers what was moved aside since the beginning. Never rejects. */
  end(): Promise<MovedAside[]>
}

export interface GuardReport {
  /** As it happens. */
  readonly onMoved: (moved: readonly MovedAside[]) => void
  /** What could not be moved. */
  readonly onLeft: (paths: readonly string[]) => void
}

export interface WatchEvents extends GuardReport {
  /** The command does not give up. */
  readonly onStubborn: () => void
}

export interface RepositoryGuard {
  /** Call it before the command begins. */
  begin(
    confinement: Pick<Confinement, 'folders' | 'gitAllowed'>,
    events: WatchEvents,
  ): Promise<RepositoryWatch>
  /** Looks after what commands left behind whose contextd was killed. */
  recover(report: GuardReport): Promise<void>
  /** What the user's settings take from below these folders, in them and in the repositories around a path. */
  namedAround(path: string, workspace: string, roots: readonly string[]): Promise<readonly string[]>
}

export interface RepositoryGuardOptions {
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  /** A folder of contextd's own, for what has to outlive this process. */
  readonly journal: string
}

const checkEveryMs = 1000
/** Looking takes at most this part of the time, however many folders there are. */
const maxShare = 1 / 10
/** More often than by mistake. */
const maxMoves = 20
/** How often git may be asked after a command: what it could not be asked about counts as a risk. */
const maxReadsLater = 300
/** How late a look may come on a busy machine. */
const slackMs = 10_000

export function createRepositoryGuard({ env, home, journal }: RepositoryGuardOptions): RepositoryGuard {
  const finder = createRepositoryFinder()
  const settings = createGitSettings(env)
  const look = async (
    roots: readonly string[],
    maxReads: number,
  ): Promise<{ found: FoundRepositories; risks: Risks }> => {
    const found = await finder.find(roots)
    return { found, risks: await findRisks(found, { settings, home, roots, budget: { left: maxReads } }) }
  }
  /** Of commands that run in this process. */
  const running = new Set<RepositoryState>()
  let recovered: Promise<void> = Promise.resolve()

  /** Moves aside what is new since then, and answers the paths it tried. */
  const check = async (
    state: RepositoryState,
    onMoved: GuardReport['onMoved'],
    isPassedOver: (path: string) => boolean = () => false,
  ): Promise<string[]> => {
    /** Read-only all the while, and under no other name: only someone outside the sandbox can have changed it. */
    const isUsers = ({ path, hold }: Risk): boolean =>
      state.held.has(hold) && state.held.get(hold) === identityOf(hold) && isOnlyName(path)
    const { risks } = (await look(state.roots, maxReadsLater)).risks
    const fresh = [...risks.values()].filter(
      (risk) =>
        !state.risks.has(risk.id) &&
        !isAllowed(risk.path, state.allowed) &&
        !isUsers(risk) &&
        !isPassedOver(risk.path),
    )
    const toMove = new Map(fresh.map((risk) => [risk.name === undefined ? risk.path : risk.id, risk]))
    for (const { path, name } of toMove.values()) {
      try {
        onMoved([moveAside(placeToMove(path, state.roots), name)])
        const bytes = state.saved.get(path)
        if (bytes !== undefined) putInPlace(path, bytes)
      } catch {
        // It changes while we look at it: the last look, when nothing runs any more, decides.
      }
    }
    return [...toMove.values()].map(({ path }) => path)
  }
  /** Looked at once more after a move: something else may have come to light. */
  const checkToEnd = async (...args: Parameters<typeof check>): Promise<string[]> => {
    let left = await check(...args)
    for (let round = 0; round < 3 && left.length > 0; round++) left = await check(...args)
    return left
  }

  return {
    async begin({ folders, gitAllowed: allowed = [] }, { onMoved, onLeft, onStubborn }) {
      const roots = folders.filter(({ access }) => access === 'write').map(({ path }) => path)
      if (roots.length === 0) return { held: [], end: async () => [] }
      await recovered
      const { found, risks } = await look(roots, Infinity)
      if (found.misnamed.length > 0) throw misnamed(found.misnamed[0]!)
      const held = new Map<string, string>()
      for (const path of heldPaths(found, risks, roots)) {
        const identity = identityOf(path)
        if (identity !== undefined && !isAllowed(path, allowed)) held.set(path, identity)
      }
      const here = { roots, allowed, risks: new Set(risks.risks.keys()), held, saved: savedSettings(found) }
      const state = [...running, ...statesElsewhere(journal)].reduce(withoutWorkOf, here)
      running.add(state)
      const entry = noteState(journal, state)
      const moved: MovedAside[] = []
      const note: GuardReport['onMoved'] = (more) => {
        moved.push(...more)
        onMoved(more)
      }

      let isOver = false
      let timer: NodeJS.Timeout | undefined
      let checking: Promise<unknown> = Promise.resolve()
      const checkNow = async (): Promise<void> => {
        const began = performance.now()
        // What fails now is tried again by the last look, which reports it.
        await check(state, note).catch(() => [])
        if (moved.length > maxMoves) onStubborn()
        if (!isOver) schedule(Math.max(checkEveryMs, (performance.now() - began) / maxShare))
      }
      const schedule = (delayMs: number): void => {
        entry.extend(Date.now() + delayMs + slackMs)
        timer = setTimeout(() => void (checking = checkNow()), delayMs)
        timer.unref()
      }
      schedule(checkEveryMs)

      const finish = async (): Promise<MovedAside[]> => {
        isOver = true
        clearTimeout(timer)
        await checking
        const left = await checkToEnd(state, note).catch((error: unknown) => [String(error)])
        running.delete(state)
        if (left.length === 0) entry.remove()
        else onLeft(left)
        return moved
      }
      let ended: Promise<MovedAside[]> | undefined
      return { held: [...held.keys()], end: () => (ended ??= finish()) }
    },

    recover({ onMoved, onLeft }) {
      const recoverAll = async (): Promise<void> => {
        for (const { state, untilMs, remove } of leftBehind(journal)) {
          const left = await checkToEnd(state, onMoved, (path) => changedAfter(path, untilMs)).catch(
            (error: unknown) => [String(error)],
          )
          if (left.length > 0) onLeft(left)
          remove()
        }
      }
      return (recovered = recoverAll())
    },

    async namedAround(path, workspace, roots) {
      const { gitDirs, workTrees: inside } = await finder.find([workspace])
      const workTrees = new Set(inside)
      for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) {
        if (gitPathKind(join(folder, '.git')) !== 'absent') workTrees.add(folder)
      }
      const found = { gitDirs, workTrees: [...workTrees], misnamed: [] }
      const { risks, named } = await findRisks(found, { settings, home, roots, budget: { left: Infinity } })
      const paths = [...named, ...[...risks.values()].map((risk) => risk.path)]
      return [...new Set([...paths, ...paths.map(realPathOf)])]
    },
  }
}

/**
 * What could run something, and what the repository of each root and its submodules go by. Not what its work trees go by:
 * a command could not remove one that it added.
 */
function heldPaths({ gitDirs }: FoundRepositories, { risks }: Risks, roots: readonly string[]): string[] {
  const own = roots.flatMap((root) => {
    const git = join(root, '.git')
    const parts = gitDirs
      .filter((gitDir) => gitDir === git || isWithin(join(git, 'modules'), gitDir))
      .flatMap((gitDir) => [...gitSettingsFiles, 'hooks', 'commondir'].map((name) => join(gitDir, name)))
    return [...parts, ...(gitPathKind(git) === 'file' ? [git] : [])]
  })
  const paths = [...own, ...[...risks.values()].map(({ hold }) => hold)]
  return [...new Set(paths)]
}

/** What another command that still runs may have made is not what was there before. */
function withoutWorkOf(state: RepositoryState, other: RepositoryState): RepositoryState {
  const overlaps = state.roots.some((one) =>
    other.roots.some((root) => isWithin(one, root) || isWithin(root, one)),
  )
  if (!overlaps) return state
  return {
    ...state,
    risks: new Set([...state.risks].filter((id) => other.risks.has(id))),
    saved: new Map([...other.saved].filter(([path]) => state.saved.has(path))),
  }
}

/** Where the file really is, if a command can have put it there; else the link on the way to it. */
function placeToMove(path: string, roots: readonly string[]): string {
  const folder = realPathOf(dirname(path))
  if (folder === dirname(path)) return path
  if (roots.some((root) => isWithin(root, folder))) return join(folder, basename(path))
  for (let step = dirname(path); ; step = dirname(step)) {
    if (realPathOf(dirname(step)) === dirname(step)) return step
  }
}

/** More than anyone's settings; they are on disk while the command runs. */
const maxSavedBytes = 65_536
const maxSavedTotal = 4 << 20

/** The settings of every repository, to be put back where a command replaces them. */
function savedSettings({ gitDirs }: FoundRepositories): Map<string, Buffer> {
  const saved = new Map<string, Buffer>()
  let total = 0
  for (const gitDir of gitDirs) {
    for (const name of gitSettingsFiles) {
      const path = join(gitDir, name)
      const read = gitPathKind(path) === 'file' ? readSmallFile(path, maxSavedBytes) : undefined
      if (read?.kind !== 'bytes' || total + read.bytes.length > maxSavedTotal) continue
      saved.set(path, read.bytes)
      total += read.bytes.length
    }
  }
  return saved
}

/** What is in it could be neither named nor held. */
function misnamed(folder: string): ContextdError {
  return new ContextdError('SANDBOX_UNAVAILABLE', {
    cause: `a folder with a git repository has a name that is not UTF-8: ${JSON.stringify(folder)}`,
    hint: 'Rename the folder.',
  })
}

function isAllowed(path: string, allowed: readonly string[]): boolean {
  return allowed.some((folder) => isWithin(folder, path))
}

function changedAfter(path: string, timeMs: number): boolean {
  try {
    return lstatSync(path).ctimeMs > timeMs
  } catch {
    return false
  }
}

/** The same for as long as it is the same file or folder. */
function identityOf(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stat && `${stat.dev} ${stat.ino} ${stat.birthtimeNs} ${isOnlyName(path)}`
  } catch {
    return undefined
  }
}

/** Under another name the same file can be written; of a folder, any of the files in it. */
function isOnlyName(path: string): boolean {
  try {
    const stat = lstatSync(path)
    if (!stat.isDirectory()) return stat.nlink === 1
    return readdirSync(path).every((name) => {
      const inner = lstatSync(join(path, name))
      return inner.isDirectory() || inner.nlink === 1
    })
  } catch {
    return false
  }
}
