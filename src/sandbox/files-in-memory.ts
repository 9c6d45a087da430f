import { statfsSync, statSync } from 'node:fs'

import { processesBelow } from './process-tree.ts'

/** The in-memory file systems of a sandbox. Their size is limited, but empty files use none. */
const places = ['/tmp', '/dev/shm']
const TMPFS = 0x01021994

/** The number of files in a sandbox's in-memory file systems; `pid` is its outermost process. */
export function filesInMemory(pid: number): number {
  const outside = new Set(places.map(deviceAt))
  // Deeper processes are certainly inside, and all of them see the same file systems.
  for (const id of processesBelow(pid).toReversed()) {
    const inside = places.map((place) => `/proc/${id}/root${place}`)
    const own = inside.filter((place) => {
      const device = deviceAt(place)
      return device !== undefined && !outside.has(device)
    })
    if (own.length > 0) return own.reduce((sum, place) => sum + filesAt(place), 0)
  }
  return 0
}

function deviceAt(place: string): number | undefined {
  try {
    return statSync(place).dev
  } catch {
    // Ended, or not mounted.
    return undefined
  }
}

function filesAt(place: string): number {
  try {
    const { type, files, ffree } = statfsSync(place)
    return type === TMPFS ? files - ffree : 0
  } catch {
    return 0
  }
}
