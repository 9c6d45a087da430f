/** cgroups v1: a hierarchy for each controller. */

import type { CgroupFiles } from './files.ts'
import {
  counterIn,
  endAndRemove,
  hasCode,
  memberIds,
  newGroupName,
  removeEmpty,
  rememberLast,
  trialLimits,
  type Cgroup,
  type Cgroups,
  type GroupLimits,
} from './group.ts'

/** The folders of contextd itself. Groups are created below them, so the limits on contextd apply too. */
export interface ParentGroups {
  readonly memory: string
  readonly pids: string
}

/** Undefined if groups cannot be created, which is tested by creating one. */
export function cgroupsV1(homes: ParentGroups, files: CgroupFiles): Cgroups | undefined {
  const places = below(homes, newGroupName())
  try {
    for (const folder of both(places)) files.makeFolder(folder)
    enter(places, files)
    enter(homes, files)
    limit(places, trialLimits, files)
    return holds(places, files)
      ? { kind: 'v1', open: (limits) => openGroup(homes, limits, files) }
      : undefined
  } catch {
    return undefined
  } finally {
    for (const folder of both(places)) removeEmpty(folder, files)
  }
}

function holds({ memory, pids }: ParentGroups, files: CgroupFiles): boolean {
  return (
    Number(files.read(`${memory}/memory.limit_in_bytes`)) === trialLimits.memoryBytes &&
    Number(files.read(`${pids}/pids.max`)) === trialLimits.processes
  )
}

function openGroup(homes: ParentGroups, limits: GroupLimits, files: CgroupFiles): Cgroup {
  const places = below(homes, newGroupName())
  const exceeded = rememberLast(() => ({
    memory: counterIn(files.read(`${places.memory}/memory.oom_control`), 'oom_kill') > 0,
    processes: counterIn(files.read(`${places.pids}/pids.events`), 'max') > 0,
  }))
  const remove = async (): Promise<void> => {
    exceeded()
    await Promise.all(both(places).map((folder) => endAndRemove(folder, files)))
  }

  return {
    /**
     * Moving another process into a group takes a lock that can need 20 ms in the kernel. A thread that moves itself
     * needs none: we enter the group, start the process there, and leave. The limits are set afterwards, so they never
     * apply to us.
     */
    start(spawn) {
      try {
        for (const folder of both(places)) files.makeFolder(folder)
        enter(places, files)
        const child = spawn()
        return { child, inside: enclose(child.pid) }
      } catch (error) {
        try {
          enter(homes, files)
        } finally {
          void remove()
        }
        throw error
      }
    },
    exceeded,
    remove,
  }

  async function enclose(pid: number | undefined): Promise<void> {
    enter(homes, files)
    for (const folder of both(places)) {
      if (pid !== undefined && !memberIds(folder, files).includes(pid)) await add(folder, pid)
    }
    limit(places, limits, files)
  }

  async function add(folder: string, pid: number): Promise<void> {
    try {
      await files.later.write(`${folder}/cgroup.procs`, String(pid))
    } catch (error) {
      // It has ended.
      if (!hasCode(error, 'ESRCH')) throw error
    }
  }
}

function below({ memory, pids }: ParentGroups, name: string): ParentGroups {
  return { memory: `${memory}/${name}`, pids: `${pids}/${name}` }
}

/** Both hierarchies may be the same. */
function both({ memory, pids }: ParentGroups): string[] {
  return [...new Set([memory, pids])]
}

/** Moves the calling thread, which is the meaning of 0. */
function enter(places: ParentGroups, files: CgroupFiles): void {
  for (const folder of both(places)) files.write(`${folder}/tasks`, '0')
}

function limit({ memory, pids }: ParentGroups, limits: GroupLimits, files: CgroupFiles): void {
  files.write(`${memory}/memory.limit_in_bytes`, String(limits.memoryBytes))
  try {
    // Memory and swap together: as much as memory alone.
    files.write(`${memory}/memory.memsw.limit_in_bytes`, String(limits.memoryBytes))
  } catch (error) {
    // The kernel does not account for swap.
    if (!hasCode(error, 'ENOENT')) throw error
  }
  files.write(`${pids}/pids.max`, String(limits.processes))
}
