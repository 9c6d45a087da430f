import { statfsSync, statSync } from 'node:fs'

import { processesBelow } from './process-tree.ts'

/** What a sandbox has to itself, in memory. Its size is limited, but a file without content has none. */
const places = ['/tmp', '/dev/shm']
const TMPFS = 0x01021994

/** How many files the processes of a sandbox have in its own file systems in memory; `pid` is the outermost of them. */
export function filesInMemory(pid: number): number {
  const outside = new Set(places.map(deviceAt))
  // Those further in are inside for certain, and all of them see the same.
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
    // Ended meanwhile, or not there.
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
