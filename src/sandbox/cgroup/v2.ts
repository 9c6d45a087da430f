/** cgroups v2: one hierarchy, in which a group delegates its controllers to the groups below it. */

import { basename, dirname } from 'node:path'

import type { CgroupFiles } from './files.ts'
import {
  counterIn,
  endAndRemove,
  hasCode,
  memberIds,
  newGroupName,
  rememberLast,
  removeEmpty,
  trialLimits,
  type Cgroup,
  type Cgroups,
  type GroupLimits,
  type CgroupSetting,
} from './group.ts'

/** Only a group without processes delegates controllers: if contextd is alone in its group, it moves into this one. */
const selfName = 'contextd-self'

const controllers = ['memory', 'pids']

export interface UnifiedPlace {
  readonly root: string
  readonly own: string
}

/** Undefined if groups with both controllers cannot be created, which is tested by creating one. */
export function cgroupsV2(place: UnifiedPlace, files: CgroupFiles): Cgroups | undefined {
  for (const parent of parentsV2(place)) {
    if (handsDown(parent, files) && canMakeGroups(parent, files)) {
      return {
        kind: 'v2',
        open: (limits) => openGroup(`${parent}/${newGroupName()}`, settingsFor(limits), files),
      }
    }
  }
  return undefined
}

/** Groups that may be used as parents: first those where limits on contextd apply too. */
export function parentsV2({ root, own }: UnifiedPlace): string[] {
  return [...new Set([basename(own) === selfName ? dirname(own) : own, root])]
}

function handsDown(parent: string, files: CgroupFiles): boolean {
  const names = (file: string): string[] => files.read(`${parent}/${file}`).trim().split(' ')
  try {
    if (!controllers.every((name) => names('cgroup.controllers').includes(name))) return false
    if (controllers.every((name) => names('cgroup.subtree_control').includes(name))) return true
    return enable(parent, files)
  } catch {
    return false
  }
}

function enable(parent: string, files: CgroupFiles): boolean {
  const hand = (): void =>
    files.write(`${parent}/cgroup.subtree_control`, controllers.map((name) => `+${name}`).join(' '))
  try {
    hand()
    return true
  } catch (error) {
    if (!hasCode(error, 'EBUSY')) return false
  }
  const members = memberIds(parent, files)
  if (members.length !== 1 || members[0] !== process.pid) return false
  const aside = `${parent}/${selfName}`
  try {
    if (!files.list(parent).includes(selfName)) files.makeFolder(aside)
    files.write(`${aside}/cgroup.procs`, String(process.pid))
    hand()
    return true
  } catch {
    stepBack(parent, files)
    return false
  }
}

function stepBack(parent: string, files: CgroupFiles): void {
  try {
    files.write(`${parent}/cgroup.procs`, String(process.pid))
  } catch {
    // It never moved.
  }
  removeEmpty(`${parent}/${selfName}`, files)
}

function canMakeGroups(parent: string, files: CgroupFiles): boolean {
  const folder = `${parent}/${newGroupName()}`
  try {
    files.makeFolder(folder)
    for (const setting of settingsFor(trialLimits)) {
      try {
        files.write(`${folder}/${setting[0]}`, setting[1])
      } catch (error) {
        forgiveMissing(setting, error)
      }
    }
    return (
      Number(files.read(`${folder}/memory.max`)) === trialLimits.memoryBytes &&
      Number(files.read(`${folder}/pids.max`)) === trialLimits.processes &&
      // Moving a process requires write access to this file in the common ancestor.
      files.isWritable(`${parent}/cgroup.procs`)
    )
  } catch {
    return false
  } finally {
    removeEmpty(folder, files)
  }
}

function settingsFor({ memoryBytes, processes }: GroupLimits): CgroupSetting[] {
  return [
    ['memory.max', String(memoryBytes), 'required'],
    ['memory.swap.max', '0', 'optional'],
    // Kill all processes, not just the largest.
    ['memory.oom.group', '1', 'optional'],
    ['pids.max', String(processes), 'required'],
  ]
}

function forgiveMissing([, , need]: CgroupSetting, error: unknown): void {
  if (need === 'required' || !hasCode(error, 'ENOENT')) throw error
}

export function openGroup(folder: string, settings: readonly CgroupSetting[], files: CgroupFiles): Cgroup {
  let enclosing: Promise<void> | undefined
  const exceeded = rememberLast(() => ({
    memory: counterIn(files.read(`${folder}/memory.events`), 'oom_kill') > 0,
    processes: counterIn(files.read(`${folder}/pids.events`), 'max') > 0,
  }))

  return {
    start(spawn) {
      const child = spawn()
      enclosing = enclose(child.pid)
      return { child, inside: enclosing }
    },
    exceeded,
    async remove() {
      await enclosing?.catch(() => {})
      exceeded()
      await endAndRemove(folder, files)
    },
  }

  /** Moving takes a lock that the kernel may need 20 ms for, and blocks every other group operation. */
  async function enclose(pid: number | undefined): Promise<void> {
    await files.later.makeFolder(folder)
    for (const setting of settings) {
      try {
        await files.later.write(`${folder}/${setting[0]}`, setting[1])
      } catch (error) {
        forgiveMissing(setting, error)
      }
    }
    if (pid === undefined) return
    try {
      await files.later.write(`${folder}/cgroup.procs`, String(pid))
    } catch (error) {
      // It has ended.
      if (!hasCode(error, 'ESRCH')) throw error
    }
  }
}
