/** Compares repositories with their baseline and moves aside what a command added. */

import { basename, dirname, join } from 'node:path'

import { isWithin } from '@contextd/shared/files/within'

import { moveAside, putInPlace, type MovedAside } from '../../sandbox/guard.ts'
import { realPathOf } from '../real-path.ts'
import { fileIdentity, isAllowed, isOnlyName } from './baseline.ts'
import type { FoundRepositories, RepositoryFinder } from './find-repositories.ts'
import type { GitSettings } from './git-settings.ts'
import { findRisks, type Risk, type Risks } from './repository-risks.ts'
import type { RepositoryState } from './watch-journal.ts'

export interface RepositoryScan {
  readonly finder: RepositoryFinder
  readonly settings: GitSettings
  readonly home: string
}

/** How often a check may ask git; anything it could not ask about is treated as a risk. */
const maxReads = 300
const maxRounds = 3

/** `budget`: how often git may be asked. */
export async function scanRepositories(
  { finder, settings, home }: RepositoryScan,
  roots: readonly string[],
  budget: number,
): Promise<{ found: FoundRepositories; risks: Risks }> {
  const found = await finder.find(roots)
  return { found, risks: await findRisks(found, { settings, home, roots, budget: { left: budget } }) }
}

export interface CheckOptions {
  readonly onMoved: (moved: readonly MovedAside[]) => void
  readonly isIgnored?: (path: string) => boolean
}

/** Returns the paths it tried to move. */
export async function checkRepositories(
  scan: RepositoryScan,
  state: RepositoryState,
  { onMoved, isIgnored = () => false }: CheckOptions,
): Promise<string[]> {
  const { risks } = (await scanRepositories(scan, state.roots, maxReads)).risks
  const added = [...risks.values()].filter(
    (risk) =>
      !state.risks.has(risk.id) &&
      !isAllowed(risk.path, state.allowed) &&
      !isUsers(risk, state) &&
      !isIgnored(risk.path),
  )
  const toMove = new Map(added.map((risk) => [risk.name === undefined ? risk.path : risk.id, risk]))
  for (const { path, name } of toMove.values()) {
    try {
      onMoved([moveAside(placeToMove(path, state.roots), name)])
      const bytes = state.saved.get(path)
      if (bytes !== undefined) putInPlace(path, bytes)
    } catch {
      // It changes during the check. The last check, when nothing runs any more, decides.
    }
  }
  return [...toMove.values()].map(({ path }) => path)
}

/** Repeats the check after a move, which may have uncovered something else. */
export async function checkUntilClean(...args: Parameters<typeof checkRepositories>): Promise<string[]> {
  let left = await checkRepositories(...args)
  for (let round = 0; round < maxRounds && left.length > 0; round++) left = await checkRepositories(...args)
  return left
}

/** Read-only for the command, and without hard links: only someone outside the sandbox can have changed it. */
function isUsers({ path, hold }: Risk, { held }: RepositoryState): boolean {
  return held.has(hold) && held.get(hold) === fileIdentity(hold) && isOnlyName(path)
}

/** The real location of the file if a command can have put it there, otherwise the link that leads to it. */
function placeToMove(path: string, roots: readonly string[]): string {
  const folder = realPathOf(dirname(path))
  if (folder === dirname(path)) return path
  if (roots.some((root) => isWithin(root, folder))) return join(folder, basename(path))
  for (let step = dirname(path); ; step = dirname(step)) {
    if (realPathOf(dirname(step)) === dirname(step)) return step
  }
}
