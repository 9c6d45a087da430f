/**
 * Groups in which the kernel limits memory and processes of a whole tree. Not every machine allows them: they need a
 * delegated group (unified hierarchy, for instance from systemd), or root in either hierarchy.
 */

import { existsSync } from 'node:fs'

import { cgroupFiles, type CgroupFiles } from './files.ts'
import { isLeftBehind, removeEmpty, type Cgroups } from './group.ts'
import { readPlaces, type CgroupPlaces } from './places.ts'
import { cgroupsV1 } from './v1.ts'
import { cgroupsV2, parentsV2 } from './v2.ts'

export type { Cgroup, Cgroups, ExceededLimits } from './group.ts'

/** Undefined if no group can be created that limits both memory and processes. */
export function findCgroups(files: CgroupFiles = cgroupFiles): Cgroups | undefined {
  const { v2, memory, pids } = ownPlaces(files)
  return (
    (v2 && cgroupsV2(v2, files)) ??
    (memory !== undefined && pids !== undefined ? cgroupsV1({ memory, pids }, files) : undefined)
  )
}

/** Removes empty groups of processes that were killed before they could do so. */
export function sweepCgroups(files: CgroupFiles = cgroupFiles): void {
  const { v2, memory, pids } = ownPlaces(files)
  const parents = [...(v2 === undefined ? [] : parentsV2(v2)), memory, pids]
  for (const parent of new Set(parents.filter((each) => each !== undefined))) {
    for (const name of groupsIn(parent, files)) {
      if (isLeftBehind(name, isAlive)) removeEmpty(`${parent}/${name}`, files)
    }
  }
}

function ownPlaces(files: CgroupFiles): CgroupPlaces {
  try {
    return readPlaces(files.read('/proc/self/cgroup'), files.read('/proc/self/mountinfo'))
  } catch {
    return {}
  }
}

function groupsIn(folder: string, files: CgroupFiles): string[] {
  try {
    return files.list(folder)
  } catch {
    return []
  }
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`)
}
